#include <gtest/gtest.h>

#include "base/types.h"

namespace warpfork {
namespace dim3_test {

TEST(Dim3, numbers_its_positions_with_x_fastest) {
  constexpr Dim3 extent{4, 3, 2};
  EXPECT_EQ(extent.number_of({1, 0, 0}), 1u);
  EXPECT_EQ(extent.number_of({0, 1, 0}), 4u);
  EXPECT_EQ(extent.number_of({0, 0, 1}), 12u);
}

TEST(Dim3, finds_every_position_again_from_its_number) {
  constexpr Dim3 extent{4, 3, 2};
  for (std::uint64_t number = 0; number < extent.count(); ++number)
    EXPECT_EQ(extent.number_of(extent.position_of(number)), number);
}

TEST(Dim3, has_positions_beyond_32_bits) {
  constexpr Dim3 extent{1u << 31, 65535, 2};
  EXPECT_EQ(extent.position_of(extent.count() - 1), (Dim3{(1u << 31) - 1, 65534, 1}));
}

}  // namespace dim3_test
}  // namespace warpfork

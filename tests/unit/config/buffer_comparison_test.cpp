#include "config/buffer_comparison.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace warpfork::config {
namespace buffer_comparison_test {

template <typename T>
std::vector<std::byte> bytes(std::initializer_list<T> values) {
  std::vector<std::byte> all(values.size() * sizeof(T));
  std::memcpy(all.data(), values.begin(), all.size());
  return all;
}

BufferComparison compare_floats(std::initializer_list<float> got, std::initializer_list<float> expected,
                                double tolerance) {
  return compare({"out", *find_scalar_type("f32"), bytes(expected), tolerance}, bytes(got));
}

TEST(BufferComparison, reports_count_first_difference_and_largest_error) {
  const auto result = compare({"out", *find_scalar_type("s32"), bytes({1, 2, 3, 4}), 0}, bytes({1, 5, 3, -6}));
  EXPECT_EQ(result.describe(), "out: 2 of 4 elements differ, first [1]: got 5, expected 2; largest error 10");
}

TEST(BufferComparison, tolerance_of_floats_is_relative) {
  EXPECT_TRUE(compare_floats({100.5f}, {100.0f}, 0.005).passed());
  const auto result = compare_floats({100.5f}, {100.0f}, 0.0049);
  EXPECT_EQ(result.describe(),
            "out: 1 of 1 elements differ, first [0]: got 100.5, expected 100; largest relative error 0.005");
  EXPECT_FALSE(compare_floats({1e-30f}, {0.0f}, 0.5).passed());
}

TEST(BufferComparison, exact_comparison_tells_the_zeros_apart_but_not_nans) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(compare_floats({-0.0f}, {0.0f}, 0).passed());
  EXPECT_TRUE(compare_floats({-nan}, {nan}, 0).passed());
  EXPECT_FALSE(compare_floats({1.0f}, {nan}, 0).passed());
  EXPECT_FALSE(compare_floats({1.0f}, {nan}, 0.5).passed());
}

TEST(BufferComparison, tolerance_of_integers_is_absolute) {
  const Expectation near{"out", *find_scalar_type("u64"), bytes<std::uint64_t>({~0ull - 1}), 1};
  EXPECT_TRUE(compare(near, bytes<std::uint64_t>({~0ull})).passed());
  EXPECT_FALSE(compare(near, bytes<std::uint64_t>({~0ull - 3})).passed());
}

}  // namespace buffer_comparison_test
}  // namespace warpfork::config

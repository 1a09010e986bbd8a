// Where the texels of arrays lie.
#include "simt/image/image_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace warpfork::simt {
namespace image_layout_test {

TEST(ArrayLayout, a_line_of_128_bytes_holds_two_rows_of_a_block) {
  const ArrayLayout layout(256, 16);
  EXPECT_EQ(layout.offset(63, 0, 0), 63u);
  EXPECT_EQ(layout.offset(0, 1, 0), 64u);
  EXPECT_EQ(layout.offset(0, 7, 0), 7 * 64u);
}

TEST(ArrayLayout, blocks_follow_from_left_to_right_and_then_down) {
  const ArrayLayout layout(256, 16);  // four blocks side by side
  EXPECT_EQ(layout.offset(64, 0, 0), 512u);
  EXPECT_EQ(layout.offset(192, 0, 0), 3 * 512u);
  EXPECT_EQ(layout.offset(0, 8, 0), 4 * 512u);
  EXPECT_EQ(layout.slice_bytes(), 8 * 512u);
  EXPECT_EQ(layout.offset(5, 9, 2), 2 * 8 * 512u + 4 * 512u + 64 + 5);
}

TEST(ArrayLayout, one_row_is_not_padded_to_eight) {
  const ArrayLayout layout(100, 1);
  EXPECT_EQ(layout.offset(99, 0, 0), 99u);
  EXPECT_EQ(layout.slice_bytes(), 128u);
}

TEST(ArrayLayout, no_two_bytes_share_a_place) {
  const ArrayLayout layout(100, 11);
  std::set<std::uint64_t> places;
  for (unsigned slice = 0; slice < 2; ++slice)
    for (unsigned row = 0; row < 11; ++row)
      for (unsigned x = 0; x < 100; ++x) places.insert(layout.offset(x, row, slice));
  EXPECT_EQ(places.size(), 2200u);
  EXPECT_LT(*places.rbegin(), 2 * layout.slice_bytes());
}

}  // namespace image_layout_test
}  // namespace warpfork::simt

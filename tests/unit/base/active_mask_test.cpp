#include "base/active_mask.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork {
namespace active_mask_test {

TEST(ActiveMask, first_counts_from_lane_zero) {
  EXPECT_EQ(ActiveMask::first(0).bits(), 0u);
  EXPECT_EQ(ActiveMask::first(5).bits(), 0b11111u);
  EXPECT_TRUE(ActiveMask::first(64).full());
}

TEST(ActiveMask, counts_its_lanes) {
  EXPECT_EQ(ActiveMask().count(), 0u);
  EXPECT_EQ(ActiveMask(0x80000001u).count(), 2u);
  EXPECT_EQ(ActiveMask(0x55555555u).count(), 16u);
  EXPECT_EQ(ActiveMask(~0ull).count(), 64u);
}

TEST(ActiveMask, difference_keeps_lanes_of_the_left_side_only) {
  EXPECT_EQ((ActiveMask(0b1110) - ActiveMask(0b0110)).bits(), 0b1000u);
}

TEST(ActiveMask, for_each_visits_lanes_in_ascending_order) {
  std::vector<unsigned> lanes;
  ActiveMask(0x8000000080000005u).for_each([&](unsigned lane) { lanes.push_back(lane); });
  EXPECT_EQ(lanes, (std::vector<unsigned>{0, 2, 31, 63}));
}

TEST(ActiveMask, prints_lane_zero_rightmost) { EXPECT_EQ(ActiveMask(0b0101).to_string(4), "0101"); }

}  // namespace active_mask_test
}  // namespace warpfork

// Lanes of which something waits to be issued: when nobody behind those that are blocked may.
#include "ooo/waiting_lanes.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace waiting_lanes_test {

TEST(WaitingLanes, are_all_blocked_when_each_that_has_an_instruction_is) {
  WaitingLanes waiting;
  waiting.enter(0b0011);
  waiting.enter(0b0100);
  EXPECT_FALSE(waiting.are_all(0b0011));
  EXPECT_TRUE(waiting.are_all(0b0111));
  EXPECT_TRUE(waiting.are_all(~LaneMask{0}));
}

TEST(WaitingLanes, forget_a_lane_with_its_last_instruction) {
  WaitingLanes waiting;
  waiting.enter(0b0001);
  for (int i = 0; i < 2; ++i) waiting.enter(0b0010);
  waiting.issue(0b0010);
  EXPECT_FALSE(waiting.are_all(0b0001));
  waiting.issue(0b0010);
  EXPECT_TRUE(waiting.are_all(0b0001));
}

TEST(WaitingLanes, are_never_all_while_there_is_a_wrong_path) {
  WaitingLanes waiting;
  waiting.enter(0b0001);
  waiting.enter(0);
  EXPECT_FALSE(waiting.are_all(0b0001));
  waiting.issue(0);
  EXPECT_TRUE(waiting.are_all(0b0001));
}

}  // namespace waiting_lanes_test
}  // namespace warpfork::ooo

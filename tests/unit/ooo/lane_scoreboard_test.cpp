// The scoreboard of the in-order core: whose values a µop waits for.
#include "ooo/lane_scoreboard.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace lane_scoreboard_test {

x86::Uop uop(x86::RegisterId from, x86::RegisterId to) {
  x86::Uop made;
  made.source_count = made.destination_count = 1;
  made.sources[0] = from;
  made.destinations[0] = to;
  return made;
}

TEST(LaneScoreboard, waits_for_the_last_value_of_its_own_lanes) {
  LaneScoreboard scoreboard(4);
  scoreboard.write(uop(0, 1), 0b0011, {10, false});
  scoreboard.write(uop(0, 1), 0b0100, {20, true});
  EXPECT_EQ(scoreboard.operands(uop(1, 2), 0b0011, 1).ready, 10u);
  EXPECT_EQ(scoreboard.operands(uop(1, 2), 0b0110, 1).ready, 20u);
  EXPECT_TRUE(scoreboard.operands(uop(1, 2), 0b0110, 1).loaded);
  EXPECT_EQ(scoreboard.operands(uop(1, 2), 0b1000, 1).ready, 0u);
}

// A result of three cycles that issues in cycle 7 comes with the older one, in 10; in 6 it would come before it.
TEST(LaneScoreboard, lets_no_result_come_before_the_one_that_it_replaces) {
  LaneScoreboard scoreboard(1);
  scoreboard.write(uop(0, 1), 0b1, {10, false});
  EXPECT_EQ(scoreboard.operands(uop(2, 1), 0b1, 3).ready, 7u);
  EXPECT_EQ(scoreboard.operands(uop(2, 1), 0b1, 10).ready, 0u);
}

TEST(LaneScoreboard, knows_when_all_values_are_there) {
  LaneScoreboard scoreboard(2);
  scoreboard.write(uop(0, x86::kRegisterCount - 1), 0b10, {30, false});
  scoreboard.write(uop(0, 0), 0b11, {20, false});
  EXPECT_EQ(scoreboard.all(0b11).ready, 30u);
  EXPECT_EQ(scoreboard.all(0b01).ready, 20u);
}

}  // namespace lane_scoreboard_test
}  // namespace warpfork::ooo

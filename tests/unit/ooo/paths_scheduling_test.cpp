// The Path Scheduling Table: MinSP-PC, the turns of round robin, and the convergence detector.
#include <gtest/gtest.h>

#include "ooo/paths/path_scheduling_table.h"

namespace warpfork::ooo {
namespace paths_scheduling_test {

TEST(PathSchedulingTable, the_deepest_call_goes_first) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 100, 1);
  paths.add(1, 900, 2);
  EXPECT_EQ(paths.pick(0), 1);
}

TEST(PathSchedulingTable, at_equal_depth_the_lowest_pc_goes_first) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 900, 1);
  paths.add(1, 100, 1);
  EXPECT_EQ(paths.pick(0), 1);
}

TEST(PathSchedulingTable, who_waits_is_not_fetched_from) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 900, 1);
  paths.add(1, 100, 1);
  paths.at(1).waits = true;
  EXPECT_EQ(paths.pick(0), 0);
  paths.at(0).waits = true;
  EXPECT_EQ(paths.pick(0), kNoPath);
}

// Four threads a warp, two warps: every (4 + 1) × 2 = 10 cycles.
TEST(PathSchedulingTable, paths_take_turns_every_ten_cycles) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 100, 0);
  paths.add(1, 300, 0);
  paths.add(2, 200, 0);
  std::string picks;
  for (Cycle cycle = 0; cycle < 50; ++cycle) picks += static_cast<char>('0' + paths.pick(cycle));
  EXPECT_EQ(picks,
            "0000000000"
            "0000000000"  // the turn of h0
            "1000000000"
            "2000000000"
            "0000000000");
}

TEST(PathSchedulingTable, a_turn_passes_over_who_waits) {
  PathSchedulingTable paths(4, 2);
  for (PathId path = 0; path < 3; ++path) paths.add(path, 100 * path, 0);
  EXPECT_EQ(paths.pick(10), 0);
  paths.at(1).waits = true;
  EXPECT_EQ(paths.pick(20), 2);
  EXPECT_EQ(paths.pick(30), 0);
}

TEST(PathSchedulingTable, a_turn_stays_with_its_path_when_an_earlier_one_leaves) {
  PathSchedulingTable paths(4, 2);
  for (PathId path = 0; path < 3; ++path) paths.add(path, 100 * path, 0);
  EXPECT_EQ(paths.pick(10), 0);
  EXPECT_EQ(paths.pick(20), 1);
  paths.remove(0);
  EXPECT_EQ(paths.pick(30), 2);
}

TEST(PathSchedulingTable, equal_pc_and_equal_depth_converge) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 100, 1);
  paths.add(1, 100, 2);
  EXPECT_EQ(paths.convergent_with(1), kNoPath);
  paths.at(1).depth = 1;
  EXPECT_EQ(paths.convergent_with(1), 0);
  paths.at(0).pc = 104;
  EXPECT_EQ(paths.convergent_with(1), kNoPath);
}

TEST(PathSchedulingTable, who_waits_does_not_converge) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 100, 1);
  paths.add(1, 100, 1);
  paths.at(0).waits = true;
  EXPECT_EQ(paths.convergent_with(0), kNoPath);
  EXPECT_EQ(paths.convergent_with(1), kNoPath);
}

TEST(PathSchedulingTable, convergence_leaves_one_entry) {
  PathSchedulingTable paths(4, 2);
  paths.add(0, 100, 1);
  paths.add(1, 100, 1);
  paths.converge({0, 1, 5});
  ASSERT_EQ(paths.paths().size(), 1u);
  EXPECT_EQ(paths.at(5).pc, 100u);
  EXPECT_FALSE(paths.holds(0) || paths.holds(1));
}

TEST(PathSchedulingTable, is_recovered_by_copying_the_retirement_copy) {
  PathSchedulingTable front(4, 2);
  front.add(0, 100, 0);
  const PathSchedulingTable retired = front;
  front.renew(0, 1);
  front.add(2, 200, 0);
  front = retired;
  EXPECT_EQ(front.describe(), "path  pc    depth\nh0    64    0\n");
}

}  // namespace paths_scheduling_test
}  // namespace warpfork::ooo

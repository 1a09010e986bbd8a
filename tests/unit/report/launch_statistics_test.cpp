// Counts as docs/result-schema.md defines them, on event sequences worked out by hand.
#include "report/launch_statistics.h"

#include <gtest/gtest.h>

#include <tuple>

namespace warpfork::report {
namespace launch_statistics_test {

class LaunchStatisticsTest : public ::testing::Test {
 protected:
  LaunchStatisticsTest() {
    for (const unsigned number : {0u, 1u}) core(number).block_started({{}, 2, {}});
  }
  LaunchListener& core(unsigned number) { return statistics_.of_core(number); }
  /// So many instructions, all of whose guards are true.
  static IssueRun run(unsigned instructions, unsigned active, unsigned live = 0b1111, unsigned warp = 0) {
    const ActiveMask lanes(active);
    return {0, warp, lanes, ActiveMask(live), instructions, 0, 0, instructions * lanes.count(), 0, 0};
  }
  void issue(unsigned active, unsigned live = 0b1111, unsigned warp = 0) { core(0).ran(run(1, active, live, warp)); }
  void branch(Pc pc, unsigned active, unsigned places) {
    issue(active);
    core(0).branched({0, 0, pc, places});
  }
  LaunchRecord record() const {
    LaunchRecord record;
    record.timed = true;
    statistics_.fill(record);
    return record;
  }
  std::uint64_t lost(Pc pc) const {
    for (const BranchCount& branch : record().branches)
      if (branch.pc == pc) return branch.lost_lane_slots;
    return 0;
  }
  LaunchStatistics statistics_{20, 2, 2};
};

TEST_F(LaunchStatisticsTest, instructions_are_counted_by_active_lanes) {
  issue(0b1111);
  issue(0b0101);
  IssueRun guarded = run(2, 0b1111);
  guarded.executed = 1 + 1;
  core(1).ran(guarded);
  const LaunchRecord counts = record();
  EXPECT_EQ(counts.warp_instructions, 4u);
  EXPECT_EQ(counts.thread_instructions, 14u);
  EXPECT_EQ(counts.executed_thread_instructions, 8u);
  EXPECT_EQ(counts.active_lanes[4], 3u);
  EXPECT_EQ(counts.active_lanes[2], 1u);
}

TEST_F(LaunchStatisticsTest, instructions_of_divergent_paths_are_counted_apart_too) {
  issue(0b1111);
  IssueRun side = run(1, 0b0101), mixed = run(2, 0b1111);
  side.divergent = mixed.divergent = 1;
  core(0).ran(side);
  core(0).ran(mixed);
  const LaunchRecord counts = record();
  EXPECT_EQ(counts.divergent_paths.warp_instructions, 2u);
  EXPECT_EQ(counts.divergent_paths.thread_instructions, 6u);
  EXPECT_EQ(counts.warp_instructions, 4u);
}

// MULTIPATH Figure 2: A (its last instruction, at 1, is the branch); B at 2 and 3 for 0101; C at 4 and 5 for 1010; D.
TEST_F(LaunchStatisticsTest, figure_2_loses_two_lanes_in_each_instruction_of_both_sides) {
  issue(0b1111);
  branch(1, 0b1111, 2);
  for (const unsigned lanes : {0b0101, 0b1010, 0b1111}) core(0).ran(run(2, lanes));
  EXPECT_EQ(lost(1), 8u);
}

TEST_F(LaunchStatisticsTest, an_inner_branch_is_charged_only_for_the_lanes_it_parted) {
  branch(0, 0b1111, 2);
  branch(1, 0b0111, 2);  // lane 3 waits: 1 for the outer
  issue(0b0001);         // 2 for the inner, 1 for the outer
  issue(0b0110);         // 1 for the inner, 1 for the outer
  issue(0b0111);         // the inner has met: 1 for the outer
  issue(0b1000);         // 3 for the outer
  issue(0b1111);
  EXPECT_EQ(lost(1), 3u);
  EXPECT_EQ(lost(0), 7u);
}

TEST_F(LaunchStatisticsTest, lanes_that_have_exited_are_not_lost) {
  branch(0, 0b1111, 2);
  issue(0b0001);          // 3
  issue(0b0100, 0b0110);  // lanes 0 and 3 have exited: 1
  issue(0b0110, 0b0110);  // all that live
  issue(0b0010, 0b0010);
  EXPECT_EQ(lost(0), 4u);
}

TEST_F(LaunchStatisticsTest, a_branch_that_all_lanes_take_costs_nothing) {
  branch(0, 0b1111, 1);
  issue(0b1111);
  const LaunchRecord counts = record();
  ASSERT_EQ(counts.branches.size(), 1u);
  EXPECT_EQ(counts.branches[0].executions, 1u);
  EXPECT_EQ(counts.branches[0].divergent, 0u);
  EXPECT_EQ(counts.branches[0].places, 1u);
  EXPECT_EQ(counts.branches[0].lost_lane_slots, 0u);
}

TEST_F(LaunchStatisticsTest, executions_of_a_branch_add_up_by_pc) {
  branch(9, 0b1111, 2);
  issue(10, 0b1111);
  branch(9, 0b1111, 1);
  branch(3, 0b1111, 1);
  const LaunchRecord counts = record();
  ASSERT_EQ(counts.branches.size(), 2u);
  EXPECT_EQ(counts.branches[0].pc, 3u);
  EXPECT_EQ(counts.branches[1].executions, 2u);
  EXPECT_EQ(counts.branches[1].divergent, 1u);
  EXPECT_EQ(counts.branches[1].places, 3u);
}

TEST_F(LaunchStatisticsTest, warps_have_divergences_of_their_own) {
  branch(0, 0b1111, 2);
  issue(0b0011, 0b1111, 1);  // another warp
  EXPECT_EQ(lost(0), 0u);
}

TEST_F(LaunchStatisticsTest, a_new_block_forgets_the_divergences_of_the_old) {
  branch(0, 0b1111, 2);
  core(0).block_started({{}, 2, {}});
  issue(0b0011);
  EXPECT_EQ(lost(0), 0u);
}

TEST_F(LaunchStatisticsTest, scheduler_cycles_are_those_that_issued_and_those_with_a_cause) {
  issue(0b1111);
  SchedulerCycles sum;
  sum.stalls[static_cast<unsigned>(StallCause::Memory)] = 30;
  core(0).scheduled(sum);
  sum.stalls = {};
  sum.stalls[static_cast<unsigned>(StallCause::Fetch)] = 5;
  sum.stalls[static_cast<unsigned>(StallCause::Memory)] = 1;
  core(0).scheduled(sum);
  const LaunchRecord counts = record();
  EXPECT_EQ(counts.scheduler_cycles, 37u);
  EXPECT_EQ(counts.stalls[static_cast<unsigned>(StallCause::Memory)], 31u);
  EXPECT_EQ(counts.stalls[static_cast<unsigned>(StallCause::Fetch)], 5u);
}

TEST_F(LaunchStatisticsTest, warps_are_weighed_by_the_cycles_they_lived) {
  core(0).scheduled({.cycles = 10, .warps = 4 * 10});
  core(0).scheduled({.cycles = 5, .idle = 5, .warps = 2 * 5});
  const LaunchRecord counts = record();
  EXPECT_EQ(counts.occupancy.warp_cycles, 50u);
  EXPECT_EQ(counts.occupancy.core_cycles, 15u);
  EXPECT_EQ(counts.idle_cycles, 5u);
}

TEST_F(LaunchStatisticsTest, branches_of_the_cores_add_up_by_pc) {
  branch(3, 0b1111, 1);
  branch(9, 0b1111, 2);
  core(1).branched({1, 0, 5, 1});
  core(1).branched({1, 0, 9, 2});
  core(1).compacted({9, 2, true, 4, 2, 100});
  const std::vector<BranchCount> branches = record().branches;
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(std::tuple(branches[0].pc, branches[1].pc, branches[2].pc), std::tuple(3u, 5u, 9u));
  EXPECT_EQ(std::tuple(branches[1].executions, branches[2].executions), std::tuple(1u, 2u));
  EXPECT_EQ(branches[2].places, 4u);
  EXPECT_EQ(branches[2].compaction.waited, 2u);
}

TEST_F(LaunchStatisticsTest, lanes_over_time_are_those_of_core_0) {
  ASSERT_NE(core(0).lane_timeline(0), nullptr);
  EXPECT_EQ(core(1).lane_timeline(1), nullptr);
  core(0).lane_timeline(0)->add(1, 3, 0);
  EXPECT_EQ(record().lanes.timeline.threads(1)[0], 3u);
}

TEST_F(LaunchStatisticsTest, thread_cycles_of_the_cores_add_up) {
  core(0).threads({}, {10, 20, 0, 0, 10, 0, 0});
  core(1).threads({}, {0, 3, 0, 0, 3, 0, 6});
  EXPECT_EQ(record().thread_cycles, (ThreadCycles{10, 23, 0, 0, 13, 0, 6}));
}

// MULTIPATH Figure 5: A for 2 cycles; then B (0101) and C (1010), first together, after 4 cycles C alone; D for 2.
TEST_F(LaunchStatisticsTest, figure_5_has_two_splits_until_one_has_come_to_the_reconvergence_point) {
  const std::uint8_t whole[] = {4}, both[] = {2, 2}, one[] = {2};
  core(0).split({whole, 4, 0, 2});
  core(0).split({both, 4, 1, 3});
  core(0).split({one, 4, 0, 1});
  core(0).split({whole, 4, 0, 2});
  const SplitCount& splits = record().splits;
  EXPECT_EQ(splits.warp_cycles[1], 5u);
  EXPECT_EQ(splits.warp_cycles[2], 3u);
  EXPECT_EQ(splits.split_cycles[4], 4u);
  EXPECT_EQ(splits.split_cycles[2], 7u);
  EXPECT_EQ(splits.thread_cycles[0], 4u * 4 + 4 * 2);
  EXPECT_EQ(splits.thread_cycles[1], 3u * 2);
  EXPECT_EQ(splits.live_thread_cycles, 8u * 4);
  EXPECT_EQ(splits.without_buffer_cycles, 3u);
}

TEST_F(LaunchStatisticsTest, shares_of_schedulable_threads_add_up_by_rank) {
  const std::uint8_t both[] = {3, 2};
  core(0).split({both, 8, 0, 4});
  const SplitCount splits = record().splits;
  EXPECT_EQ(splits.mean(), 2.0);
  EXPECT_EQ(splits.max(), 2u);
  EXPECT_EQ(splits.schedulable(32)[0], 3.0 / 8);
  EXPECT_EQ(splits.schedulable(32)[1], 5.0 / 8);
  EXPECT_EQ(splits.schedulable(32)[31], 5.0 / 8);
}

TEST_F(LaunchStatisticsTest, compactions_are_counted_by_branch_and_by_what_came_of_them) {
  core(0).compacted({3, 2, true, 4, 2, 100});   // two warps fill each other's lanes
  core(0).compacted({3, 2, true, 4, 4, 30});    // two warps that part in the same lanes
  core(0).compacted({3, 5, false, 0, 0, 7});    // all threads of five warps go one way
  core(0).compacted({3, 0, true, 2, 2, 0});     // one does not wait
  core(0).compacted({3, 0, true, 6, 6, 0, 3});  // three who did not wait were right
  core(0).compacted({3, 0, true, 4, 2, 0, 2});  // two were not
  branch(5, 0b1111, 1);
  const std::vector<BranchCount> branches = record().branches;
  ASSERT_EQ(branches.size(), 2u);
  const CompactionCount& count = branches[0].compaction;
  EXPECT_EQ(count.waited, 9u);
  EXPECT_EQ(count.bypassed, 1u);
  EXPECT_EQ(count.bypassed_right, 3u);
  EXPECT_EQ(count.bypassed_wrong, 2u);
  EXPECT_EQ(count.right, 1u);
  EXPECT_EQ(count.wrong, 1u);
  EXPECT_EQ(count.undivided, 1u);
  EXPECT_EQ(count.warps_before, 8u);
  EXPECT_EQ(count.warps_after, 6u);
  EXPECT_EQ(count.cycles_waited_for_nothing, 37u);
  EXPECT_TRUE(branches[1].compaction.empty());
}

}  // namespace launch_statistics_test
}  // namespace warpfork::report

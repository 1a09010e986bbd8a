#include "report/lane_count.h"

#include <gtest/gtest.h>

#include "report/record_sum.h"

namespace warpfork::report {
namespace lane_count_test {

/// Eight lanes; in 10 cycles 6 hold 9 warps and 4 could go on, in 30 cycles 2 hold 3 and none could.
void add_forty_cycles(LaneCount& count) {
  count.add(LaneCycles{.lanes = 8,
                       .width = 1,
                       .cycles = 10,
                       .warps = 9 * 10,
                       .holding = 6 * 10,
                       .available = 4 * 10,
                       .conflicts = {10, 0, 0}});
  count.add(LaneCycles{.lanes = 8, .width = 1, .cycles = 30, .warps = 3 * 30, .holding = 2 * 30});
}

LaneCount forty_cycles() {
  LaneCount count;
  add_forty_cycles(count);
  return count;
}

TEST(LaneCount, means_are_over_the_cycles_of_cores_with_warps) {
  EXPECT_EQ(forty_cycles().mean_warps(), 4.5);      // (9 · 10 + 3 · 30) / 40
  EXPECT_EQ(forty_cycles().mean_holding(), 3.0);    // (6 · 10 + 2 · 30) / 40
  EXPECT_EQ(forty_cycles().mean_available(), 1.0);  // 4 · 10 / 40
}

IssueRun in_a_lane(unsigned threads, unsigned slots) {
  IssueRun run;
  run.lane_threads = threads;
  run.lane_slots = slots;
  return run;
}

TEST(LaneCount, effective_efficiency_is_of_the_places_for_threads_that_were_taken) {
  LaneCount count;
  count.add(in_a_lane(8, 8));
  count.add(in_a_lane(1, 4));
  EXPECT_EQ(count.effective_simd_efficiency(), 0.75);
}

TEST(LaneCount, of_two_launches_is_as_if_they_were_one) {
  LaneCount sum;
  add(sum, forty_cycles());
  add(sum, forty_cycles());
  LaneCount twice = forty_cycles();
  add_forty_cycles(twice);
  EXPECT_EQ(counts_of(sum), counts_of(twice));
  EXPECT_EQ(sum.lanes, 8u);  // of a core, not 16
}

}  // namespace lane_count_test
}  // namespace warpfork::report

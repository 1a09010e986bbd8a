// The microbenchmark of STSIMT section 5.2 on one core of its Table III, against what its text pins down: a chain of
// dependent additions, W warps, a active threads each. Pipeline depth 12: a spatial instruction (4 cycles in the lanes)
// is followed by its dependent after 16 cycles, so that IPC = min(8, 2 W) · a / 32; in temporal lanes dependents are
// max(13, a) cycles apart, eight lanes share the warps, and one instruction issues a cycle. All expected values are
// these closed forms, computed by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "dependent_additions.h"

namespace warpfork::gpu {
namespace temporal_golden_test {

TEST(SpatialMicrobenchmark, ipc_is_the_share_of_active_threads_of_eight_lanes_or_two_warps) {
  for (unsigned warps = 1; warps <= 32; ++warps)
    for (unsigned active = 1; active <= 32; ++active) {
      const double expected = std::min(8.0, 2.0 * warps) * active / 32;
      EXPECT_NEAR(ipc("simt", warps, active), expected, 0.02 * expected) << warps << " warps, " << active << " active";
    }
}

/// Of temporal lanes: as many in every lane, or one at most; else "loose round robin" lets some warps wait for the end
/// of others.
constexpr unsigned kWarps[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32};

/// All warps have issued once after 13 cycles, or as many as the lane with the most warps executes threads, or as there
/// are warps to issue.
double closed_form(unsigned warps, unsigned active) {
  return double(warps) * active / std::max({13u, (warps + 7) / 8 * active, warps});
}

TEST(TemporalMicrobenchmark, ipc_is_bounded_by_issue_by_lanes_and_by_dependents) {
  for (const unsigned warps : kWarps)
    for (unsigned active = 1; active <= 32; ++active) {
      const double expected = closed_form(warps, active);
      EXPECT_NEAR(ipc("tsimt", warps, active), expected, 0.02 * expected) << warps << " warps, " << active << " active";
    }
}

TEST(TemporalMicrobenchmark, full_ipc_is_reached_at_eight_active_threads_of_32_warps) {
  for (unsigned active = 1; active <= 32; ++active) EXPECT_NEAR(closed_form(32, active), std::min(8u, active), 0.001);
}

// Every fourth cycle one of 32 warps issues, so that each does every 128 cycles: a quarter of the active threads a
// cycle.
TEST(TemporalMicrobenchmark, issue_in_every_fourth_cycle_leaves_a_quarter_of_the_active_threads) {
  for (const unsigned active : {1u, 8u, 16u, 32u})
    EXPECT_NEAR(ipc("tsimt", 32, active, 4), active / 4.0, 0.02 * active / 4);
}

// Additions take the lanes four cycles anyway.
TEST(SpatialMicrobenchmark, loses_nothing_by_issue_in_every_fourth_cycle) {
  EXPECT_NEAR(ipc("simt", 32, 32, 4), 8, 0.16);
  EXPECT_NEAR(ipc("simt", 32, 32, 8), 4, 0.08);
}

TEST(TemporalMicrobenchmark, ipc_of_fewer_warps_than_lanes_is_at_most_their_number_and_that_when_all_are_active) {
  for (const unsigned warps : {1u, 2u, 4u, 7u}) {
    for (unsigned active = 1; active <= 32; ++active) EXPECT_LE(ipc("tsimt", warps, active), warps);
    EXPECT_NEAR(ipc("tsimt", warps, 32), warps, 0.02 * warps);
  }
}

double speed_up(unsigned warps, unsigned active) { return ipc("tsimt", warps, active) / ipc("simt", warps, active); }

TEST(TemporalMicrobenchmark, speeds_up_four_times_where_a_quarter_of_the_threads_is_active) {
  EXPECT_NEAR(speed_up(32, 8), 4.0, 0.08);
  EXPECT_GE(speed_up(16, 8), 3.8);
}

TEST(TemporalMicrobenchmark, speeds_up_two_and_a_half_times_with_a_warp_a_lane) {
  for (const unsigned active : {1u, 4u, 8u, 12u}) EXPECT_NEAR(speed_up(8, active), 2.5, 0.1) << active;
}

TEST(TemporalMicrobenchmark, halves_the_speed_of_up_to_four_full_warps) {
  for (const unsigned warps : {1u, 2u, 4u}) EXPECT_NEAR(speed_up(warps, 32), 0.5, 0.01) << warps;
}

// Four lanes of two threads or two of four: the issue of one instruction a cycle bounds less, fewer lanes need warps.
TEST(TemporalMicrobenchmark, wider_lanes_need_fewer_warps) {
  EXPECT_NEAR(ipc("stsimt2", 4, 32), 8.0, 0.16);  // 16 cycles of each instruction cover the 13 of a dependent
  EXPECT_NEAR(ipc("stsimt4", 2, 32), 8.0 * 8 / 13, 0.16);
  EXPECT_NEAR(ipc("stsimt4", 4, 32), 8.0, 0.16);
}

report::LaneCount lane_count(const std::string& lanes, unsigned warps, unsigned active) {
  const std::string body = "and.b32 %r2, %thread, 31; setp.ge.u32 %p0, %r2, " + std::to_string(active) +
                           "; @%p0 exit;" + repeated(100, "add.u32 %r3, %r3, %r2;") + "exit;";
  return Kernel(body, {1, 1, 1}, {warps * 32, 1, 1}).run(table_iii(lanes)).lanes;
}

// All three warps live until the end, each in a lane of its own.
TEST(TemporalLaneCensus, lanes_hold_as_many_warps_as_the_block_has) {
  const report::LaneCount count = lane_count("tsimt", 3, 32);
  EXPECT_EQ(count.lanes, 8u);
  EXPECT_LE(count.holding, 3 * count.core_cycles);
  EXPECT_GE(count.holding, 3 * count.core_cycles * 98 / 100);  // the last instructions end one after the other
}

// The schedulers' cycles end with the warp's threads, the lane's when its store is acknowledged.
TEST(TemporalLaneCensus, a_warp_keeps_its_lane_until_its_last_store_is_acknowledged) {
  const report::LaunchRecord record =
      Kernel("st.global.u32 [%mine], %thread; exit;", {1, 1, 1}, {32, 1, 1}).run(table_iii("tsimt"));
  EXPECT_GT(record.lanes.core_cycles, record.scheduler_cycles + 50);  // by way of interconnect and L2
  EXPECT_EQ(record.lanes.warps, record.lanes.core_cycles);
  EXPECT_EQ(record.lanes.holding, record.lanes.core_cycles);
}

// 6 instructions before and at the exit of 32 threads, 101 of 9: of three groups of four.
TEST(TemporalLaneCensus, effective_efficiency_is_that_of_aligned_groups) {
  EXPECT_EQ(lane_count("tsimt", 1, 9).threads, lane_count("tsimt", 1, 9).thread_slots);
  const report::LaneCount wide = lane_count("stsimt4", 1, 9);
  EXPECT_EQ(wide.thread_slots - wide.threads, 101u * 3 + 1);  // the exit of 23 threads: six groups
}

// Two cores, a block of one full warp each, for long enough that the watch for livelocks listens to both for a while.
TEST(TemporalLaneCensus, timeline_is_of_one_core_whoever_else_listens) {
  MachineSpec two = table_iii("tsimt");
  two.cores = 2;
  const std::string body =
      "mov.u32 %r4, 2500; AGAIN: sub.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra AGAIN; exit;";
  const report::LaunchRecord record = Kernel(body, {2, 1, 1}, {32, 1, 1}).run(two);
  std::uint64_t threads = 0;
  for (const std::uint32_t window : record.lanes.timeline.threads(0)) threads += window;
  EXPECT_EQ(threads, record.lanes.threads / 2);
}

// 32 warps of one thread: their 3,200 additions issue one a cycle, 13 of them are under way, and the 19 other warps
// wait in lanes that are free, until only the last ones are left.
TEST(TemporalLaneCensus, conflicts_come_where_lanes_are_through_in_one_cycle) {
  const report::LaneCount one = lane_count("tsimt", 32, 1), full = lane_count("tsimt", 32, 32);
  EXPECT_GT(one.conflicts[2], 3200u * 9 / 10);
  EXPECT_LT(full.conflicts[2], full.core_cycles / 10);
}

}  // namespace temporal_golden_test
}  // namespace warpfork::gpu

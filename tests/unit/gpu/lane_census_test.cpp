#include "gpu/lane_census.h"

#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "end_warp.h"
#include "gpu/temporal_lanes.h"
#include "kernel.h"
#include "lane_bench.h"
#include "report/lane_count.h"

namespace warpfork::gpu {
namespace lane_census_test {

struct Sum final : report::LaunchListener {
  void lanes(const report::LaneCycles& cycles) override { count.add(cycles); }
  report::LaneCount count;
};

CoreSpec tsimt() {
  CoreSpec spec;
  spec.lanes.organisation = "tsimt";
  spec.lanes.alus = 8;
  return spec;
}

/// Eight lanes, of which two hold a warp of a block each.
struct Census {
  LaneBench bench{tsimt()};
  Kernel kernel{"ret;", {1, 1, 1}, {64, 1, 1}};
  BlockSlots blocks{32};
  InstructionBuffers buffers{32};
  LaneCensus of{bench.lanes(), blocks, buffers};
  Sum sum;

  Census() {
    blocks.begin_kernel(kernel.launch(), 1, find_divergence_mechanism("pdom").of_core({}));
    blocks.start({0, 0, 0}, 0);
    of.begin_kernel(sum);
  }
  const report::LaneCount& told() {
    of.report();
    return sum.count;
  }
};

/// Warps 0, 1, … of as many lanes.
WarpSlots in_lanes(unsigned lanes) { return WarpSlots::first(lanes); }

TEST(LaneCensus, conflicts_are_counted_by_the_lanes_that_had_to_wait) {
  Census census;
  for (const unsigned waiting : {0u, 1u, 2u, 3u, 7u}) census.of.count(in_lanes(waiting), 1);
  EXPECT_EQ(census.told().conflicts, (std::array<Cycle, 3>{1, 1, 2}));
}

// Slots 0 and 8 are the first lane's.
TEST(LaneCensus, two_warps_of_a_lane_wait_for_one) {
  Census census;
  census.of.count(WarpSlots::single(0) | WarpSlots::single(8), 1);
  EXPECT_EQ(census.told().conflicts, (std::array<Cycle, 3>{1, 0, 0}));
}

TEST(LaneCensus, cycles_are_told_once) {
  Census census;
  census.of.count({}, 5);
  EXPECT_EQ(census.told().core_cycles, 5u);
  EXPECT_EQ(census.told().core_cycles, 5u);
  EXPECT_EQ(census.told().lanes, 8u);
}

// A warp's first instruction comes after five cycles.
TEST(LaneCensus, lanes_are_counted_for_as_long_as_they_had_warps_that_could_go_on) {
  Census census;
  const WarpSplit split{};
  census.of.count({}, 5);
  census.buffers.bind(3, split, 3);
  census.buffers.set_state(3, EntryState::Empty);
  census.of.count({}, 3);
  EXPECT_EQ(census.told().available, 3u);
  census.of.count({}, 2);
  EXPECT_EQ(census.told().available, 5u);
}

TEST(LaneCensus, lanes_whose_warps_wait_for_memory_have_none_that_can_go_on) {
  Census census;
  const WarpSplit split{};
  census.buffers.bind(3, split, 3);
  for (const EntryState state : {EntryState::Empty, EntryState::BlockedMemory, EntryState::ReadySp}) {
    census.buffers.set_state(3, state);
    census.of.count({}, 2);
  }
  EXPECT_EQ(census.told().available, 2u + 2);
}

// Three cycles with two live warps, two when one has ended, four when it is retired.
TEST(LaneCensus, a_warp_that_has_ended_has_its_place_in_the_lane_until_it_is_retired) {
  Census census;
  census.of.count({}, 3);
  end_warp(census.blocks, 0);
  census.of.count({}, 2);
  EXPECT_EQ(census.told().warps, 2u * 5);
  census.blocks.retire(0);
  census.of.count({}, 4);
  EXPECT_EQ(census.told().warps, 2u * 5 + 4);
  EXPECT_EQ(census.told().holding, 2u * 5 + 4);
}

TEST(LaneCensus, cycles_in_which_no_warp_has_a_place_do_not_count) {
  Census census;
  census.of.count({}, 3);
  for (const unsigned warp : {0u, 1u}) {
    end_warp(census.blocks, warp);
    census.blocks.retire(warp);
  }
  census.of.count({}, 2);
  EXPECT_EQ(census.told().core_cycles, 3u);
}

}  // namespace lane_census_test
}  // namespace warpfork::gpu

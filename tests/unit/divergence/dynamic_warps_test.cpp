// What runs in the places of a block. Expected values: by hand from the contract in the header.
#include "divergence/dynamic_warps.h"

#include <gtest/gtest.h>

#include "block_bench.h"

namespace warpfork {
namespace dynamic_warps_test {

TEST(DynamicWarps, a_warp_that_stops_keeps_its_place_until_it_goes_on) {
  BlockBench block(2);
  block.warps.stop(1);
  EXPECT_EQ(block.warps.runnable(), WarpSet(0b01));
  EXPECT_EQ(block.effects.changed, WarpSet(0b10));
  EXPECT_TRUE(block.sides[BranchSides::kRoot].inside.contains(1));
  block.warps.go_on(WarpSet::single(1));
  EXPECT_EQ(block.warps.runnable(), WarpSet(0b11));
}

TEST(DynamicWarps, a_vacated_place_is_on_no_side) {
  BlockBench block(2);
  block.warps.vacate(WarpSet::single(1));
  EXPECT_EQ(block.warps.runnable(), WarpSet(0b01));
  EXPECT_EQ(block.sides[BranchSides::kRoot].inside, WarpSet(0b01));
}

TEST(DynamicWarps, a_suspended_warp_resumes_as_it_was_at_another_pc) {
  BlockBench block(1, 7);
  const SuspendedWarp suspended = block.warps.suspended(0, 12, 3);
  block.warps.vacate(WarpSet::single(0));
  block.warps.resume(suspended);
  EXPECT_EQ(block.at(0), "12: 1111");
  EXPECT_EQ(block.warps[0].turn, 3u);
}

TEST(DynamicWarps, threads_of_other_warps_are_listed_by_home_warp) {
  BlockBench block(2);
  CompactedWarp mixed = CompactedWarp::of(0, ActiveMask(0b0011));
  mixed.take(CompactedWarp::of(1, ActiveMask(0b1100)), ActiveMask(0b1100));
  block.warps.vacate(WarpSet(0b11));
  block.warps.resume({.pc = 5, .place = 0, .warp = mixed});
  EXPECT_EQ(block.at(0), "5: 0:0011 1:1100");
  EXPECT_TRUE(block.warps.split(0).compacted());
  block.warps.keep(0, ActiveMask(0b0001));  // its own threads only
  EXPECT_EQ(block.at(0), "5: 0001");
  EXPECT_FALSE(block.warps.split(0).compacted());
}

TEST(DynamicWarps, the_warp_that_is_furthest_ahead_gives_the_turn_of_all) {
  BlockBench block(3);
  block.warps[1].turn = 4;
  EXPECT_EQ(block.warps.align_turns(WarpSet(0b011)), 4u);
  EXPECT_EQ(block.warps[0].turn, 4u);
  EXPECT_EQ(block.warps[2].turn, 0u);
}

}  // namespace dynamic_warps_test
}  // namespace warpfork

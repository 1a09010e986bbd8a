// Which warps run the sides of a branch. Expected values: by hand from CAPRI Figure 4 (threads keep their lane) and the
// contract in the header. The branch is at 0.
#include "divergence/warp_formation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "block_bench.h"

namespace warpfork {
namespace warp_formation_test {

using ::testing::ElementsAre;

/// Of the frame: the sides' pcs and places, the one that runs first at the end.
std::vector<std::pair<Pc, WarpId>> places_of(const CompactionFrame& frame) {
  std::vector<std::pair<Pc, WarpId>> places;
  for (const SuspendedWarp& warp : frame.sides) places.push_back({warp.pc, warp.place});
  return places;
}

TEST(WarpFormation, the_taken_side_comes_first_and_a_fall_through_last) {
  BlockBench block(2);
  WarpFormation formation(block.warps);
  block.comes(0, {path(1, 0b1111)});
  block.comes(1, {path(10, 0b0011), path(1, 0b1100)});
  EXPECT_THAT(formation.list_targets(WarpSet(0b11), 0), ElementsAre(10, 1));
}

TEST(WarpFormation, a_target_of_several_warps_is_listed_once) {
  BlockBench block(2);
  WarpFormation formation(block.warps);
  for (const WarpId place : {0, 1}) block.comes(place, {path(10, 0b0011), path(20, 0b1100)});
  EXPECT_THAT(formation.list_targets(WarpSet(0b11), 0), ElementsAre(10, 20));
}

TEST(WarpFormation, opposite_halves_of_two_warps_fill_one_for_each_side) {
  BlockBench block(2);
  WarpFormation formation(block.warps);
  block.comes(0, {path(10, 0b0011), path(20, 0b1100)});
  block.comes(1, {path(10, 0b1100), path(20, 0b0011)});
  formation.list_targets(WarpSet(0b11), 0);
  CompactionFrame frame;
  const Compaction done = formation.form_sides(frame, WarpSet(0b11));
  EXPECT_EQ(done.before, 4u);
  EXPECT_EQ(done.after, 2u);
  EXPECT_THAT(places_of(frame), ElementsAre(std::pair(20u, 0u), std::pair(10u, 0u)));
}

TEST(WarpFormation, threads_of_one_lane_need_a_warp_each_in_the_lowest_places) {
  BlockBench block(3);
  WarpFormation formation(block.warps);
  for (const WarpId place : {0, 1, 2}) block.comes(place, {path(10, 0b0001), path(30, 0b1110)});
  formation.list_targets(WarpSet(0b110), 0);
  CompactionFrame frame;
  frame.rpc = 30;  // has nothing to run
  const Compaction done = formation.form_sides(frame, WarpSet(0b110));
  EXPECT_EQ(done.after, 2u);
  EXPECT_THAT(places_of(frame), ElementsAre(std::pair(10u, 1u), std::pair(10u, 2u)));
}

TEST(WarpFormation, the_place_of_a_warp_that_skips_the_sides_stays_free) {
  BlockBench block(2);
  WarpFormation formation(block.warps);
  block.comes(0, {path(30, 0b1111)});
  block.comes(1, {path(10, 0b1111)});
  formation.list_targets(WarpSet(0b11), 0);
  CompactionFrame frame;
  frame.rpc = 30;
  frame.skipping = WarpSet::single(0);
  formation.form_sides(frame, WarpSet(0b11));
  EXPECT_THAT(places_of(frame), ElementsAre(std::pair(10u, 1u)));
}

}  // namespace warp_formation_test
}  // namespace warpfork

#include "divergence/multi_path_or.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork {
namespace multi_path_or_test {

using ::testing::ElementsAre;

/// Lane 1 is `ahead` instructions into the block at 50, lane 0 in the block at 10; both meet at 90.
OneWarp leader_ahead_by(unsigned ahead) {
  OneWarp warp("multi-path-or", 0b11);
  warp.advance(0b11, {path(10, 0b01), path(50, 0b10)}, 90);
  for (unsigned i = 0; i < ahead; ++i) warp.step(0b10);
  return warp;
}

TEST(MultiPathOr, split_that_enters_the_block_of_another_stops_it_at_its_next_instruction) {
  OneWarp warp = leader_ahead_by(2);
  EXPECT_EQ(warp.advance(0b01, {path(50, 0b01)}, 90), WarpSet::single(0));
  EXPECT_THAT(warp.masks(), ElementsAre(0b01u));
  EXPECT_EQ(warp.reconvergence(0b01), 52u);
  warp.step(0b01);
  warp.advance(0b01, {path(52, 0b01)}, 90);
  EXPECT_EQ(warp.pc(0b11), 52u);
  EXPECT_EQ(warp.reconvergence(0b11), 90u);
}

TEST(MultiPathOr, finds_the_leader_among_many_splits) {
  OneWarp warp("multi-path-or", 0b11111);
  warp.advance(0b11111, {path(10, 1), path(20, 2), path(30, 4), path(40, 8), path(50, 16)}, 90);
  for (unsigned i = 0; i < 2; ++i) warp.step(16);
  warp.advance(1, {path(50, 1)}, 90);
  EXPECT_EQ(warp.reconvergence(1), 52u);
  EXPECT_EQ(warp.masks().size(), 4u);
}

TEST(MultiPathOr, leader_that_has_not_issued_yet_takes_the_lanes_over_and_keeps_its_id) {
  OneWarp warp = leader_ahead_by(0);
  const SplitId leading = warp.id(0b10);
  warp.advance(0b01, {path(50, 0b01)}, 90);
  EXPECT_EQ(warp.id(0b11), leading);
  EXPECT_EQ(warp.pc(0b11), 50u);
}

TEST(MultiPathOr, splits_in_different_blocks_run_on_side_by_side) {
  OneWarp warp = leader_ahead_by(2);
  EXPECT_TRUE(warp.advance(0b01, {path(70, 0b01)}, 90).none());
  EXPECT_THAT(warp.masks(), ElementsAre(0b01u, 0b10u));
}

TEST(MultiPathOr, leader_that_has_left_the_block_is_not_stopped) {
  OneWarp warp = leader_ahead_by(2);
  warp.advance(0b10, {path(60, 0b10)}, 90);
  warp.advance(0b01, {path(50, 0b01)}, 90);
  EXPECT_THAT(warp.masks(), ElementsAre(0b01u, 0b10u));
}

TEST(MultiPathOr, splits_of_different_reconvergence_entries_do_not_join_though_the_points_are_equal) {
  OneWarp warp("multi-path-or", 0b1111);
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 90);
  warp.advance(0b0011, {path(50, 0b0001), path(60, 0b0010)}, 80);
  warp.step(0b0001);
  warp.advance(0b1100, {path(50, 0b0100), path(60, 0b1000)}, 80);
  EXPECT_EQ(warp.masks().size(), 4u);
  EXPECT_EQ(warp.reconvergence(0b0100), 80u);
}

TEST(MultiPathOr, split_that_comes_back_from_the_reconvergence_table_joins_too) {
  OneWarp warp("multi-path-or", 0b111);
  warp.advance(0b111, {path(10, 0b011), path(80, 0b100)}, 90);
  warp.step(0b100);
  warp.advance(0b011, {path(50, 0b001), path(60, 0b010)}, 80);
  warp.advance(0b001, {path(80, 0b001)}, 90);
  warp.advance(0b010, {path(80, 0b010)}, 90);
  EXPECT_THAT(warp.masks(), ElementsAre(0b011u));
  EXPECT_EQ(warp.reconvergence(0b011), 81u);
}

TEST(MultiPathOr, waiting_split_is_never_joined) {
  OneWarp warp = leader_ahead_by(2);
  warp.wait(warp.id(0b10));
  warp.advance(0b01, {path(50, 0b01)}, 90);
  EXPECT_THAT(warp.masks(), ElementsAre(0b01u));
  EXPECT_EQ(warp.reconvergence(0b01), 90u);
}

// The trailing split will wait at that barrier; the leader must be free to reach the next one.
TEST(MultiPathOr, leader_that_has_passed_a_barrier_in_its_block_is_not_stopped) {
  OneWarp warp = leader_ahead_by(2);
  const SplitId leading = warp.id(0b10);
  warp.wait(leading);
  warp.release(leading);
  warp.domain().step(leading);
  warp.advance(0b01, {path(50, 0b01)}, 90);
  EXPECT_THAT(warp.masks(), ElementsAre(0b01u, 0b10u));
}

// A guarded barrier: the leader's guard was false, the trailing split's is true.
TEST(MultiPathOr, leader_goes_on_when_the_trailing_split_meets_a_barrier) {
  OneWarp warp = leader_ahead_by(3);
  warp.advance(0b01, {path(50, 0b01)}, 90);
  const SplitId trailing = warp.id(0b01);
  EXPECT_EQ(warp.wait(trailing), WarpSet::single(0));
  EXPECT_EQ(warp.pc(0b10), 53u);
  EXPECT_EQ(warp.domain().split(trailing).reconvergence_pc, 90u);
  warp.release(trailing);
  warp.advance(0b01, {path(90, 0b01)});
  warp.advance(0b10, {path(90, 0b10)});
  EXPECT_EQ(warp.pc(0b11), 90u);
}

TEST(MultiPathOr, leader_still_waits_for_the_third_split_when_the_second_meets_a_barrier) {
  OneWarp warp("multi-path-or", 0b111);
  warp.advance(0b111, {path(10, 0b001), path(20, 0b010), path(50, 0b100)}, 90);
  warp.step(0b100);
  warp.advance(0b001, {path(50, 0b001)}, 90);
  warp.advance(0b010, {path(50, 0b010)}, 90);
  warp.wait(warp.id(0b001));
  EXPECT_THAT(warp.masks(), ElementsAre(0b010u));
  warp.advance(0b010, {path(51, 0b010)}, 90);
  EXPECT_EQ(warp.pc(0b110), 51u);
}

// Lane 0 waits at 13 for lane 1, an early reconvergence point that goes to memory; lane 2 does not find it when it
// enters the block, and becomes a leader itself. What comes back from 13 must not be sent to a point that does not lie
// ahead.
TEST(MultiPathOr, split_that_comes_back_from_memory_does_not_join_an_early_point_behind_it) {
  for (const unsigned steps : {1, 3}) {
    OneWarp warp("multi-path-or", 0xff, {.reconvergence_entries = 2});
    warp.advance(0xff, {path(10, 0x01), path(20, 0xfe)}, 40);
    for (int step = 0; step < 3; ++step) warp.step(0x01);
    warp.advance(0xfe, {path(10, 0x02), path(20, 0xfc)}, 40);  // stops lane 0 at 13
    warp.advance(0xfc, {path(20, 0x3c), path(21, 0xc0)}, 40);
    warp.advance(0xc0, {path(22, 0x40), path(23, 0x80)}, 30);
    warp.advance(0x3c, {path(40, 0x20), path(20, 0x1c)}, 40);  // the entry of 40 comes back, that of 13 goes
    warp.advance(0x1c, {path(10, 0x04), path(20, 0x18)}, 40);
    for (unsigned step = 0; step < steps; ++step) warp.step(0x04);
    warp.advance(0x18, {path(10, 0x08), path(20, 0x10)}, 40);  // stops lane 2
    EXPECT_EQ(warp.reconvergence(0x08), 10 + steps);
    warp.step(0x02);
    warp.step(0x02);
    warp.advance(0x02, {path(13, 0x02)});
    EXPECT_EQ(warp.pc(0x03), 13u);
    EXPECT_EQ(warp.reconvergence(0x03), 40u) << steps;
  }
}

/// Lanes 0 and, if `joined`, 3 go to the early reconvergence point 51 of lane 2, whose entry (1) has then gone to
/// memory: the table has room for one, and lane 4 has come to 90, the reconvergence point of all (entry 0).
OneWarp early_entry_in_memory(bool joined) {
  OneWarp warp("multi-path-or", 0b11111, {.reconvergence_entries = 1});
  warp.advance(0b11111, {path(10, 0b00001), path(20, 0b00010), path(50, 0b00100), path(30, 0b01000), path(40, 0b10000)},
               90);
  warp.step(0b00100);
  warp.advance(0b00001, {path(50, 0b00001)}, 90);
  if (joined) warp.advance(0b01000, {path(50, 0b01000)}, 90);
  warp.advance(0b10000, {path(90, 0b10000)}, 90);
  warp.take_moves();
  return warp;
}

// Lane 1 enters the block without finding the early reconvergence point, and is behind what comes back from there.
TEST(MultiPathOr, split_that_comes_back_ahead_of_another_one_waits_for_it) {
  OneWarp warp = early_entry_in_memory(false);
  warp.advance(0b00010, {path(50, 0b00010)}, 90);
  EXPECT_EQ(warp.reconvergence(0b00010), 90u);
  warp.advance(0b00001, {path(51, 0b00001)}, 90);
  EXPECT_THAT(warp.masks(), ::testing::UnorderedElementsAre(0b00010u, 0b01000u));
  EXPECT_EQ(warp.reconvergence(0b00010), 51u);
  warp.advance(0b00010, {path(51, 0b00010)}, 90);
  EXPECT_EQ(warp.pc(0b00111), 51u);
}

TEST(MultiPathOr, early_entry_comes_back_from_memory_when_one_of_its_splits_meets_a_barrier) {
  OneWarp warp = early_entry_in_memory(true);
  warp.wait(warp.id(0b00001));
  const std::vector<TableMove> moves = warp.take_moves();
  ASSERT_EQ(moves.size(), 2u);  // entry 0 makes room for entry 1
  EXPECT_TRUE(moves[0].index == 0 && moves[0].to_memory);
  EXPECT_TRUE(moves[1].index == 1 && !moves[1].to_memory);
}

}  // namespace multi_path_or_test
}  // namespace warpfork

// For whom a warp waits at a branch, and for how long. Expected values: by hand, from the contract in the header.
// Places are pcs; masks have lane 0 on the right.
#include <gtest/gtest.h>

#include "divergence/block_compaction.h"
#include "one_block.h"

namespace warpfork {
namespace {

constexpr BranchWait kTbc = BranchWait::EveryWarp;

TEST(BlockCompactionWaiting, warp_that_exits_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.exit(1);
  EXPECT_EQ(block.at(0), "10: 1111");
}

TEST(BlockCompactionWaiting, warp_that_waits_at_a_barrier_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.domain().wait(block.id(1)), WarpSet(0b11));
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.domain().release(block.id(1)), WarpSet::lane(1));
  EXPECT_EQ(block.at(1), "0: 1111");
}

// Warp 0 is in a frame of its own, whose place warp 1 might have to wait for.
TEST(BlockCompactionWaiting, warp_that_waits_at_a_barrier_in_an_inner_frame_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  block.jump(1, 40);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
  block.advance(1, {path(50, 0b0001), path(60, 0b1110)}, 70);
  EXPECT_EQ(block.running(), 0b01u);
  EXPECT_EQ(block.domain().wait(block.id(0)), WarpSet(0b11));
  EXPECT_EQ(block.at(1), "50: 0001");
}

// All threads of warp 1 skip the if: it has been at the branch, though it did not wait, and goes on.
TEST(BlockCompactionWaiting, warp_that_has_passed_the_branch_is_not_waited_for) {
  OneBlock block(kTbc, 3);
  block.jump(1, 30);
  block.advance(0, {path(30, 0b0011), path(10, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b110u);
  block.advance(2, {path(30, 0b1100), path(10, 0b0011)}, 30);
  EXPECT_EQ(block.at(0), "10: 0:1100 2:0011");
  EXPECT_EQ(block.at(1), "30: 1111");
}

TEST(BlockCompactionWaiting, warp_that_comes_after_a_meeting_does_not_wait_for_those_who_met) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.domain().wait(block.id(1));
  EXPECT_EQ(block.at(0), "10: 1111");
  block.domain().release(block.id(1));
  block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(1), "10: 0011");
}

// Both sides of the first branch and one of the second come to the branch at 50.
TEST(BlockCompactionWaiting, warp_that_has_passed_the_branch_in_an_earlier_frame_is_waited_for) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(10, 0b0101), path(20, 0b1010)}, 30);
  for (int side : {0, 1}) {
    for (WarpId warp : {0, 1}) block.jump(warp, 50);
    for (WarpId warp : {0, 1}) block.advance(warp, {path(60, side == 0 ? 0b0101 : 0b1010)}, 70);
    for (Pc target : {70, 30})
      for (WarpId warp : {0, 1}) block.jump(warp, target);
  }
  for (WarpId warp : {0, 1}) block.advance(warp, {path(40, 0b0101), path(45, 0b1010)}, 90);
  for (WarpId warp : {0, 1}) block.jump(warp, 50);
  block.advance(0, {path(60, 0b0101)}, 70);
  EXPECT_EQ(block.running(), 0b10u);
}

TEST(BlockCompactionWaiting, loop_whose_test_comes_first_is_met_at_in_every_turn) {
  OneBlock block(kTbc, 2);
  for (int turn = 0; turn < 3; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 30);
    EXPECT_EQ(block.running(), 0b10u) << turn;
    block.advance(1, {path(10, 0b1111)}, 30);
    for (WarpId warp : {0, 1}) block.jump(warp, 0);
  }
}

TEST(BlockCompactionWaiting, loop_whose_test_comes_last_is_met_at_in_every_turn) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.jump(warp, 10);
  for (int turn = 0; turn < 3; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 30);
    EXPECT_EQ(block.running(), 0b10u) << turn;
    block.advance(1, {path(10, 0b1111)}, 30);
  }
}

TEST(BlockCompactionWaiting, warp_that_has_passed_the_branch_in_an_earlier_turn_is_waited_for) {
  OneBlock block(kTbc, 2);
  block.jump(0, 10);
  block.jump(1, 10);
  block.jump(0, 0);  // warp 0 goes round first
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
}

TEST(BlockCompactionWaiting, warp_that_is_behind_is_waited_for_though_it_passes_the_branch) {
  OneBlock block(kTbc, 3);
  for (WarpId warp : {0, 2})
    for (Pc target : {10, 0}) block.jump(warp, target);
  block.jump(0, 10);  // in the second turn
  block.jump(1, 10);  // in the first
  block.advance(2, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.domain().describe(2),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "         30     -     1      -  1111  2:1111\n"
            "         20    30     0      1  1100  2:1100\n"
            "         10    30     0      1  0011  2:0011\n"
            "waits at 0 for 1\n");
}

TEST(BlockCompactionWaiting, warp_that_passes_while_others_wait_is_not_waited_for_longer) {
  OneBlock block(kTbc, 2);
  for (Pc target : {10, 0}) block.jump(0, target);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.jump(1, 30);  // as if it skipped the branch, a turn behind
  EXPECT_EQ(block.at(0), "10: 0011");
}

// Warp 0 jumps back while its threads are apart; the turns of the outer loop are not changed by that.
TEST(BlockCompactionWaiting, turns_of_a_loop_inside_a_side_are_not_those_of_the_loop_around_it) {
  OneBlock block(kTbc, 2);
  block.jump(1, 10);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  for (Pc target : {12, 10, 12, 10, 30, 30, 0}) block.jump(0, target);
  for (Pc target : {0, 10}) block.jump(1, target);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

TEST(BlockCompactionWaiting, warp_that_is_a_turn_ahead_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  for (Pc target : {10, 0, 10, 0}) block.jump(1, target);
  block.jump(0, 10);
  block.jump(0, 0);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

// Warp 1 waits at 40, where warp 0 may come; warp 0 comes to wait at 5, where warp 1 might come by a loop.
TEST(BlockCompactionWaiting, where_warps_wait_at_different_branches_the_first_goes_on_first) {
  OneBlock block(kTbc, 2);
  block.jump(1, 40);
  block.jump(0, 5);
  block.advance(1, {path(50, 0b0001), path(60, 0b1110)}, 70);
  EXPECT_EQ(block.running(), 0b01u);
  block.advance(0, {path(10, 0b0001), path(40, 0b1110)}, 40);
  EXPECT_EQ(block.at(1), "50: 0001");
  EXPECT_EQ(block.running(), 0b10u);
  block.jump(1, 70);
  block.jump(1, 70);
  block.exit(1);
  EXPECT_EQ(block.at(0), "10: 0001");
}

TEST(BlockCompactionWaiting, sides_that_meet_only_by_exiting_run_one_after_the_other) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)});
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)});
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
  block.exit(0);
  EXPECT_EQ(block.at(0), "20: 0:1100 1:0011");
  EXPECT_EQ(block.exit(0), WarpSet(0b11));
}

// Threads that take a side whose meeting point is the exit meet others on that side alone, and whoever jumps back is in
// the region around the sides again, as warp 1 is: both meet at 5.
TEST(BlockCompactionWaiting, last_side_of_threads_that_do_not_meet_again_meets_the_other_warps_behind_a_jump_back) {
  OneBlock block(kTbc, 2);
  block.jump(1, 5);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)});
  block.exit(0);
  block.jump(0, 5);
  block.advance(0, {path(50, 0b1000), path(60, 0b0100)}, 70);
  block.advance(1, {path(50, 0b0011), path(60, 0b1100)}, 70);
  EXPECT_EQ(block.at(0), "50: 0:1000 1:0011");
}

}  // namespace
}  // namespace warpfork

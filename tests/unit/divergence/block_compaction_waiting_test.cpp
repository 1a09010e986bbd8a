// For whom a warp waits at a branch, and for how long. Expected values: by hand, from the contract in the header.
// Places are pcs; masks have lane 0 on the right.
#include <gtest/gtest.h>

#include "divergence/block_compaction.h"
#include "one_block.h"

namespace warpfork {
namespace block_compaction_waiting_test {

constexpr BranchWait kTbc = BranchWait::EveryWarp;

/// The warp skips the sides of its branch, which meet at 30, while barriers keep the others: it has been there, and has
/// waited for nobody.
void pass(OneBlock& block, WarpId warp) {
  const WarpSet others = WarpSet(block.running()) - WarpSet::single(warp);
  others.for_each([&](WarpId other) { block.wait(other); });
  block.advance(warp, {path(30, 0b1111)}, 30);
  EXPECT_EQ(block.at(warp), "30: 1111");
  others.for_each([&](WarpId other) { block.release(other); });
}

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
  EXPECT_EQ(block.wait(1), WarpSet(0b11));
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.release(1), WarpSet::single(1));
  EXPECT_EQ(block.at(1), "0: 1111");
}

// Warp 0 is in a frame of its own, whose place warp 1 might have to wait for.
TEST(BlockCompactionWaiting, warp_that_waits_at_a_barrier_in_an_inner_frame_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  pass(block, 1);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
  block.advance(1, {path(50, 0b0001), path(60, 0b1110)}, 70);
  EXPECT_EQ(block.running(), 0b01u);
  EXPECT_EQ(block.wait(0), WarpSet(0b11));
  EXPECT_EQ(block.at(1), "50: 0001");
}

// Section II-B: whenever a warp comes to a branch it "is now stalled to wait for all the pending warps to arrive at the
// branch instruction", and Figure 3 (e) has who is where the sides meet stalled until all are.
TEST(BlockCompactionWaiting, warp_that_skips_a_side_as_a_whole_waits_at_the_branch_and_where_the_sides_meet) {
  OneBlock block(kTbc, 3);
  block.advance(1, {path(30, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b101u);
  block.advance(0, {path(30, 0b0011), path(10, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b100u);
  block.advance(2, {path(30, 0b1100), path(10, 0b0011)}, 30);
  EXPECT_EQ(block.at(0), "10: 0:1100 2:0011");
  EXPECT_EQ(block.running(), 0b001u);
  EXPECT_EQ(block.jump(0, 30), WarpSet(0b111));
  for (WarpId warp : {0, 1, 2}) EXPECT_EQ(block.at(warp), "30: 1111");
}

TEST(BlockCompactionWaiting, warps_that_all_skip_a_side_wait_for_each_other_at_the_branch_alone) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(30, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(30, 0b1111)}, 30);
  for (WarpId warp : {0, 1}) EXPECT_EQ(block.at(warp), "30: 1111");
}

// do … while, whose branch back is at 0.
TEST(BlockCompactionWaiting, warp_that_leaves_a_loop_as_a_whole_waits_at_its_branch_and_behind_the_loop) {
  OneBlock block(kTbc, 3);
  for (WarpId warp : {0, 1, 2}) block.advance(warp, {path(0, 0b0111), path(30, 0b1000)}, 30);
  block.advance(0, {path(30, 0b0111)}, 30);
  block.advance(1, {path(0, 0b0001), path(30, 0b0110)}, 30);
  EXPECT_EQ(block.running(), 0b100u);
  block.advance(2, {path(0, 0b0010), path(30, 0b0101)}, 30);
  EXPECT_EQ(block.running(), 0b010u);
  EXPECT_EQ(block.at(1), "0: 1:0001 2:0010");
  EXPECT_EQ(block.advance(1, {path(30, 0b0011)}, 30), WarpSet(0b111));
  for (WarpId warp : {0, 1, 2}) EXPECT_EQ(block.at(warp), "30: 1111");
}

TEST(BlockCompactionWaiting, warps_that_leave_a_loop_together_go_on_behind_it) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(0, 0b0011), path(30, 0b1100)}, 30);
  block.advance(0, {path(30, 0b0011)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(30, 0b0011)}, 30);
  for (WarpId warp : {0, 1}) EXPECT_EQ(block.at(warp), "30: 1111");
}

// Compacted warps run where there is something to run: so a warp that skips the sides could go on in its own place.
TEST(BlockCompactionWaiting, warp_that_skips_a_side_keeps_its_place) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(30, 0b1111)}, 30);
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.at(1), "10: 1111");
  block.jump(1, 30);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(40, 0b0011), path(50, 0b1100)}, 60);
  EXPECT_EQ(block.running(), 0b11u);  // there is something to run for both
}

// if (…) return; … __syncthreads(): a barrier waits for those who have not exited.
TEST(BlockCompactionWaiting, warp_that_skips_a_side_goes_on_when_all_others_are_kept_by_a_barrier) {
  OneBlock block(kTbc, 3);
  block.advance(0, {path(30, 0b1111)}, 30);
  for (WarpId warp : {1, 2}) block.advance(warp, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.wait(1), WarpSet(0b010));
  EXPECT_EQ(block.wait(2), WarpSet(0b101));
  EXPECT_EQ(block.at(0), "30: 1111");
  block.jump(0, 40);
  for (WarpId warp : {1, 2}) block.release(warp);
  block.jump(1, 30);
  EXPECT_EQ(block.running(), 0b101u);
  block.jump(2, 30);
  for (WarpId warp : {1, 2}) EXPECT_EQ(block.at(warp), "30: 1111");
  EXPECT_EQ(block.at(0), "40: 1111");
}

// All come to the branch back at 0 together, so that each is in a frame of its own when it leaves the loop.
TEST(BlockCompactionWaiting, warp_that_leaves_a_loop_as_a_whole_goes_on_when_all_others_are_kept_by_a_barrier) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(0, 0b1111)}, 30);
  block.advance(0, {path(30, 0b1111)}, 30);
  block.advance(1, {path(0, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  EXPECT_EQ(block.wait(1), WarpSet(0b11));
  EXPECT_EQ(block.at(0), "30: 1111");
}

TEST(BlockCompactionWaiting, warp_that_comes_after_a_barrier_has_opened_does_not_wait_for_those_who_waited) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.wait(1);
  EXPECT_EQ(block.at(0), "10: 1111");
  block.release(1);
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

// do … while, whose branch back is at 0: in each turn a thread of either warp leaves.
TEST(BlockCompactionWaiting, loop_that_threads_leave_at_its_end_is_met_at_in_every_turn) {
  OneBlock block(kTbc, 2);
  for (const std::uint32_t leaving : {0b1000, 0b0100, 0b0010}) {
    const Path stay{0, ActiveMask(leaving - 1)}, leave{30, ActiveMask(leaving)};
    block.advance(0, {stay, leave}, 30);
    EXPECT_EQ(block.running(), 0b10u) << leaving;
    block.advance(1, {stay, leave}, 30);
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
  for (WarpId warp : {0, 2}) {
    pass(block, warp);
    block.jump(warp, 0);
  }
  pass(block, 0);  // in the second turn
  pass(block, 1);  // in the first
  block.advance(2, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.domain().describe(2),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "         30     -     1      -  1111  2:1111\n"
            "         20    30     0      1  1100  2:1100\n"
            "         10    30     0      1  0011  2:0011\n"
            "waits at 0 for 1\n");
}

// Warp 0 jumps back while its threads are apart; the turns of the outer loop are not changed by that.
TEST(BlockCompactionWaiting, turns_of_a_loop_inside_a_side_are_not_those_of_the_loop_around_it) {
  OneBlock block(kTbc, 2);
  pass(block, 1);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  for (Pc target : {12, 10, 12, 10, 30, 30, 0}) block.jump(0, target);
  block.jump(1, 0);
  pass(block, 1);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

TEST(BlockCompactionWaiting, warp_that_is_a_turn_ahead_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {1, 1, 0}) {
    pass(block, warp);
    block.jump(warp, 0);
  }
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

// Threads that take a side whose reconvergence point is the exit meet others on that side alone, and whoever jumps back
// is in the region around the sides again, as warp 1 is: both meet at 5.
TEST(BlockCompactionWaiting, last_side_of_threads_that_do_not_meet_again_meets_the_other_warps_behind_a_jump_back) {
  OneBlock block(kTbc, 2);
  block.wait(1);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)});
  block.release(1);
  block.jump(1, 5);
  block.exit(0);
  block.jump(0, 5);
  block.advance(0, {path(50, 0b1000), path(60, 0b0100)}, 70);
  block.advance(1, {path(50, 0b0011), path(60, 0b1100)}, 70);
  EXPECT_EQ(block.at(0), "50: 0:1000 1:0011");
}

}  // namespace block_compaction_waiting_test
}  // namespace warpfork

// The block-wide stack, led by hand. Expected values: from CAPRI Figure 3 and the contract in the header. The branch is
// at 0, its sides at 10 and 20 meet at 30.
#include "divergence/block_wide_stack.h"

#include <gtest/gtest.h>

#include "block_bench.h"

namespace warpfork {
namespace block_wide_stack_test {

/// Opposite halves of two warps part.
Compaction part(BlockBench& block, bool regroup = true) {
  block.comes(0, {path(10, 0b0011), path(20, 0b1100)});
  block.comes(1, {path(10, 0b1100), path(20, 0b0011)});
  return block.stack.part(WarpSet(0b11), 30, regroup);
}

TEST(BlockWideStack, sides_run_one_after_the_other_then_the_warps_as_they_were) {
  BlockBench block(2);
  const Compaction done = part(block);
  EXPECT_TRUE(done.parted && done.paid());
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
  EXPECT_EQ(block.at(1), "nothing");
  block.stack.arrive_from(0);
  EXPECT_EQ(block.at(0), "20: 0:1100 1:0011");
  block.stack.arrive_from(0);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "30: 1111");
}

TEST(BlockWideStack, only_warps_of_the_compaction_unit_are_formed) {
  BlockBench regrouped(2), alone(2);
  part(regrouped);
  EXPECT_EQ(regrouped.effects.formed, WarpSet::single(0));
  alone.comes(1, {path(10, 0b1100), path(20, 0b0011)});
  alone.stack.part(WarpSet::single(1), 30, false);
  EXPECT_TRUE(alone.effects.formed.none());
}

TEST(BlockWideStack, threads_that_exit_on_a_side_do_not_come_back) {
  BlockBench block(2);
  part(block);
  block.live.exit(block.warps[0].threads, ActiveMask(0b0101));
  block.stack.arrive_from(0);
  block.stack.arrive_from(0);
  EXPECT_EQ(block.at(0), "30: 1110");
  EXPECT_EQ(block.at(1), "30: 1011");
}

TEST(BlockWideStack, warps_that_all_go_one_way_stay_as_they_are) {
  BlockBench block(2);
  for (const WarpId place : {0, 1}) {
    block.comes(place, {path(10, 0b1111)});
    block.warps.stop(place);
  }
  EXPECT_FALSE(block.stack.part(WarpSet(0b11), 30, true).parted);
  EXPECT_EQ(block.at(0), "10: 1111");
  EXPECT_EQ(block.at(1), "10: 1111");
}

TEST(BlockWideStack, a_warp_that_follows_a_side_as_a_whole_comes_back_to_its_own) {
  BlockBench block(1);
  block.stack.follow(0, 10, 30);
  EXPECT_EQ(block.warps.split(0).reconvergence_pc, 30u);
  block.stack.arrive_from(0);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.warps.split(0).reconvergence_pc, kNoPc);
}

TEST(BlockWideStack, the_turns_of_a_loop_push_no_frames) {
  BlockBench block(1);
  block.stack.follow(0, 10, 30);
  const std::size_t frames = block.stack.frames().size();
  for (int turn = 0; turn < 3; ++turn) block.stack.follow(0, 10, 30);  // from 10 back to it
  EXPECT_EQ(block.stack.frames().size(), frames);
  EXPECT_EQ(block.warps[0].turn, 3u);
}

// while (at 10, until 30) if (at 20) … else …: the sides meet in the loop's head, before their branch.
TEST(BlockWideStack, a_loop_whose_turns_end_where_sides_meet_does_not_deepen_the_sides) {
  BlockBench block(1, 10);
  block.stack.follow(0, 20, 30);
  const SideId first = block.warps[0].side;
  for (unsigned turn = 1; turn <= 3; ++turn) {
    block.comes(0, {path(22, 0b0011), path(24, 0b1100)});
    block.stack.part(WarpSet(0b1), 10, true);
    block.stack.arrive_from(0);
    block.stack.arrive_from(0);
    EXPECT_EQ(block.at(0), "10: 1111");
    EXPECT_EQ(block.warps[0].turn, turn);
    block.stack.follow(0, 20, 30);
    EXPECT_EQ(block.warps[0].side, first);
  }
}

TEST(BlockWideStack, a_frame_is_used_again) {
  BlockBench block(2);
  for (int time = 0; time < 2; ++time) {
    part(block);
    block.stack.arrive_from(0);
    block.stack.arrive_from(0);
    for (const WarpId place : {0, 1}) block.warps.split(place).pc = 0;
  }
  EXPECT_EQ(block.stack.frames().size(), 2u);
}

TEST(BlockWideStack, a_warp_with_nothing_to_run_waits_for_the_sides_unless_it_is_resumed) {
  BlockBench block(2);
  block.comes(0, {path(30, 0b1111)});
  block.comes(1, {path(10, 0b1111)});
  block.stack.part(WarpSet(0b11), 30, true);
  EXPECT_EQ(block.at(0), "nothing");
  EXPECT_EQ(block.at(1), "10: 1111");
  EXPECT_TRUE(block.stack.resume_skipping());
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_FALSE(block.stack.resume_skipping());
}

}  // namespace block_wide_stack_test
}  // namespace warpfork

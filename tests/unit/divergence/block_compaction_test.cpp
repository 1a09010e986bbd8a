// What compaction makes of a block's warps. Expected values: by hand from CAPRI sections II-B and II-C and the contract
// in the header. Places are pcs: A 0, B 10, C 20, D 30; masks have lane 0 on the right.
#include "divergence/block_compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_block.h"

namespace warpfork {
namespace block_compaction_test {

using ::testing::HasSubstr;

constexpr BranchWait kTbc = BranchWait::EveryWarp;

/// The branch of CAPRI Figure 9's first loop, made small: opposite halves of two warps.
void diverge_compactably(OneBlock& block) {
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 30);
}

TEST(BlockCompaction, warp_at_a_branch_waits_until_all_others_are_there) {
  OneBlock block(kTbc, 3);
  EXPECT_EQ(block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30), WarpSet::single(1));
  EXPECT_EQ(block.running(), 0b101u);
  block.advance(0, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b100u);
  EXPECT_EQ(block.advance(2, {path(20, 0b1111)}, 30), WarpSet(0b111));
  EXPECT_EQ(block.running(), 0b011u);
}

TEST(BlockCompaction, sides_of_a_branch_run_compacted_one_after_the_other_then_the_warps_as_they_were) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
  EXPECT_EQ(block.at(1), "nothing");
  EXPECT_EQ(block.jump(0, 30), WarpSet(0b01));
  EXPECT_EQ(block.at(0), "20: 0:1100 1:0011");
  EXPECT_EQ(block.jump(0, 30), WarpSet(0b11));
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "30: 1111");
}

TEST(BlockCompaction, threads_never_leave_their_lane) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.advance(1, {path(10, 0b0101), path(20, 0b1010)}, 30);
  EXPECT_EQ(block.at(0), "10: 0101");
  EXPECT_EQ(block.at(1), "10: 0101");
}

// The largest number of threads in one lane: lane 0 has three, lane 1 two, lane 3 one. CAPRI Figure 4: dealt lane by
// lane in the order of the warps.
TEST(BlockCompaction, number_of_compacted_warps_is_the_largest_number_of_threads_in_one_lane) {
  OneBlock block(kTbc, 4);
  block.advance(0, {path(10, 0b0001), path(20, 0b1110)}, 30);
  block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(2, {path(10, 0b1000), path(20, 0b0111)}, 30);
  block.advance(3, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b0111u);
  EXPECT_EQ(block.at(0), "10: 0:0001 1:0010 2:1000");
  EXPECT_EQ(block.at(1), "10: 1:0001 3:0010");
  EXPECT_EQ(block.at(2), "10: 3:0001");
}

TEST(BlockCompaction, side_that_starts_at_the_reconvergence_point_has_arrived) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(30, 0b0011), path(10, 0b1100)}, 30);
  block.advance(1, {path(30, 0b1100), path(10, 0b0011)}, 30);
  EXPECT_EQ(block.at(0), "10: 0:1100 1:0011");
  block.jump(0, 30);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "30: 1111");
}

TEST(BlockCompaction, branch_that_all_warps_take_leaves_them_as_they_are) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "10: 1111");
  EXPECT_EQ(block.at(1), "10: 1111");
  EXPECT_EQ(block.domain().split(0).reconvergence_pc, 30u);  // on the side at 10
}

TEST(BlockCompaction, nobody_waits_at_a_jump) {
  OneBlock block(kTbc, 2);
  EXPECT_TRUE(block.jump(0, 10).none());
  EXPECT_EQ(block.at(0), "10: 1111");
}

// Warp 0 waits at the branch at 0 for warp 2; the jump at 10 is not that branch.
TEST(BlockCompaction, nobody_waits_at_a_jump_while_others_wait_at_a_branch) {
  OneBlock block(kTbc, 3);
  block.jump(1, 10);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b110u);
  block.jump(1, 20);
  EXPECT_EQ(block.at(1), "20: 1111");
}

TEST(BlockCompaction, taken_side_runs_first_whichever_warp_comes_first) {
  OneBlock block(kTbc, 3);  // the branch is at 0, so that 1 is its fall-through
  block.advance(0, {path(1, 0b1111)}, 30);
  block.advance(1, {path(20, 0b0001), path(1, 0b1110)}, 30);
  block.advance(2, {path(20, 0b1111)}, 30);
  EXPECT_THAT(block.at(0), HasSubstr("20:"));
}

TEST(BlockCompaction, taken_side_runs_first_if_no_warp_takes_both) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(1, 0b1111)}, 30);
  block.advance(1, {path(20, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "20: 1:1111");
}

// while (…) body: the reconvergence point of the back edge is that of the frame that the first divergence has made.
TEST(BlockCompaction, loop_compacts_in_every_turn_and_does_not_deepen_the_stack) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(0, 0b0011), path(30, 0b1100)}, 30);
  block.advance(1, {path(0, 0b1110), path(30, 0b0001)}, 30);
  EXPECT_EQ(block.at(0), "0: 0:0011 1:1100");
  EXPECT_EQ(block.at(1), "0: 0010");
  for (int turn = 0; turn < 10000; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 20);
    block.advance(1, {path(10, 0b0010)}, 20);
    for (WarpId place : {0, 1}) block.jump(place, 20);
    for (WarpId place : {0, 1}) block.jump(place, 0);
  }
  block.advance(0, {path(0, 0b1101), path(30, 0b0010)}, 30);
  block.advance(1, {path(0, 0b0010)}, 30);
  EXPECT_EQ(block.at(0), "0: 0:0001 1:1110");
  EXPECT_EQ(block.at(1), "nothing");
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "         30     -     0      -  1111  0:1111\n"
            "          0    30     1      1  1111  0:0001 1:1110  top\n");
  block.jump(0, 30);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "30: 1111");
}

// Sides that end where the loop does: one entry for the way behind it, whatever the turn.
TEST(BlockCompaction, loop_whose_turns_lead_over_sides_does_not_deepen_the_stack) {
  OneBlock block(kTbc, 1);
  for (int turn = 0; turn < 3; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 40);
    block.advance(0, {path(0, 0b1111)}, 40);
    EXPECT_EQ(block.domain().describe(0),
              "stack    pc   rpc  wcnt  umask  lanes\n"
              "         40     -     0      -  1111  0:1111\n"
              "          0    40     1      0  1111  0:1111  top\n")
        << turn;
  }
}

TEST(BlockCompaction, inner_divergence_regroups_the_compacted_warps_and_gives_them_back) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  block.advance(0, {path(12, 0b0110), path(14, 0b1001)}, 16);
  EXPECT_EQ(block.at(0), "12: 0:0010 1:0100");
  block.jump(0, 16);
  EXPECT_EQ(block.at(0), "14: 0:0001 1:1000");
  block.jump(0, 16);
  EXPECT_EQ(block.at(0), "16: 0:0011 1:1100");
}

TEST(BlockCompaction, threads_that_exit_are_gone_from_the_warps_to_restore) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  block.advance(0, {path(12, 0b0011)}, kNoPc);
  EXPECT_EQ(block.domain().live(0).bits(), 0b1111u);
  EXPECT_EQ(block.domain().live(1).bits(), 0b0011u);
  EXPECT_EQ(block.at(0), "12: 0011");
  block.exit(0);
  EXPECT_EQ(block.at(0), "20: 0:1100 1:0011");
  block.advance(0, {path(30, 0b0100)}, kNoPc);
  EXPECT_EQ(block.at(0), "30: 0100");
  EXPECT_EQ(block.at(1), "nothing");
  EXPECT_FALSE(block.domain().finished(1));
  EXPECT_EQ(block.exit(0), WarpSet(0b11));
  EXPECT_TRUE(block.domain().finished(0) && block.domain().finished(1));
}

TEST(BlockCompaction, finished_block_may_be_launched_again) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  block.exit(0);
  block.exit(0);
  block.launch();
  EXPECT_EQ(block.at(1), "0: 1111");
  diverge_compactably(block);
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
}

TEST(BlockCompaction, describes_the_example_of_block_stack_table) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(2, 0b0001), path(4, 0b1110)}, 6);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     1      -  1111  0:1111\n"
            "          4     6     0      1  1110  0:1110\n"
            "          2     6     0      1  0001  0:0001\n"
            "waits at 0 for 1\n");
  block.advance(1, {path(2, 0b1100), path(4, 0b0011)}, 6);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     0      -  1111  0:1111\n"
            "          4     6     0      1  1111  0:1110 1:0001\n"
            "          2     6     1      1  1101  0:0001 1:1100  top\n");
  EXPECT_EQ(block.domain().describe(1),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     0      -  1111  1:1111\n"
            "          4     6     0      1  0010  1:0010\n");
}

TEST(BlockCompaction, names_the_warps_that_the_unit_has_formed_when_their_side_begins) {
  OneBlock block(kTbc, 3);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_TRUE(block.effects().formed.none());
  block.advance(2, {path(10, 0b1100), path(20, 0b0011)}, 30);
  EXPECT_EQ(block.effects().formed, WarpSet(0b011));
  block.jump(0, 30);
  EXPECT_TRUE(block.effects().formed.none());
  block.jump(1, 30);
  EXPECT_EQ(block.effects().formed, WarpSet(0b011));
  for (WarpId place : {0, 1}) block.jump(place, 30);
  EXPECT_TRUE(block.effects().formed.none());  // restored, not formed
}

TEST(BlockCompaction, says_how_many_warps_met_and_how_many_were_needed) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  ASSERT_EQ(block.effects().compactions.size(), 1u);
  const Compaction& done = block.effects().compactions[0];
  EXPECT_EQ(done.waited, WarpSet(0b11));
  EXPECT_TRUE(done.parted && done.paid());
  EXPECT_EQ(done.before, 4u);
  EXPECT_EQ(done.after, 2u);
  block.jump(0, 30);
  EXPECT_TRUE(block.effects().compactions.empty());
}

TEST(BlockCompaction, what_was_done_is_that_of_the_latest_call_alone) {
  OneBlock block(kTbc, 3);
  block.advance(0, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.advance(1, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.wait(2);  // so that nobody can come any more
  EXPECT_EQ(block.effects().compactions.size(), 1u);
  EXPECT_EQ(block.effects().formed, WarpSet(0b011));
  block.release(2);
  EXPECT_TRUE(block.effects().compactions.empty());
  EXPECT_TRUE(block.effects().formed.none());
  for (WarpId place : {0, 1}) block.jump(place, 30);
  EXPECT_EQ(block.effects().formed, WarpSet(0b011));
  block.wait(2);
  EXPECT_TRUE(block.effects().formed.none());
}

TEST(BlockCompaction, barrier_whose_threads_all_go_one_way_forms_nothing) {
  OneBlock block(kTbc, 2);
  for (WarpId place : {0, 1}) block.advance(place, {path(10, 0b1111)}, 30);
  ASSERT_EQ(block.effects().compactions.size(), 1u);
  EXPECT_FALSE(block.effects().compactions[0].parted);
  EXPECT_EQ(block.effects().compactions[0].waited, WarpSet(0b11));
  EXPECT_TRUE(block.effects().formed.none());
}

}  // namespace block_compaction_test
}  // namespace warpfork

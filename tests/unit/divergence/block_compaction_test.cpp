// Expected values: by hand from CAPRI sections II-B and II-C and the contract in the header. Places are pcs: A 0, B 10,
// C 20, D 30; masks have lane 0 on the right.
#include "divergence/block_compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "one_block.h"

namespace warpfork {
namespace {

using ::testing::HasSubstr;

constexpr BranchWait kTbc = BranchWait::EveryWarp, kCapri = BranchWait::DivergingWarps;

/// The branch of CAPRI Figure 9's first loop, made small: opposite halves of two warps.
void diverge_compactably(OneBlock& block) {
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 30);
}

TEST(BlockCompaction, warp_at_a_branch_waits_until_all_others_are_there) {
  OneBlock block(kTbc, 3);
  EXPECT_EQ(block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30), WarpSet::lane(1));
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

TEST(BlockCompaction, side_that_starts_at_the_meeting_point_has_arrived) {
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
  EXPECT_EQ(block.domain().split(0).reconvergence_pc, kNoPc);
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

// while (…) body: the meeting point of the back edge is that of the frame that the first divergence has made.
TEST(BlockCompaction, loop_compacts_in_every_turn_and_does_not_deepen_the_stack) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(0, 0b0011), path(30, 0b1100)}, 30);
  block.advance(1, {path(0, 0b1110), path(30, 0b0001)}, 30);
  EXPECT_EQ(block.at(0), "0: 0:0011 1:1100");
  EXPECT_EQ(block.at(1), "0: 0010");
  for (int turn = 0; turn < 10000; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 20);
    block.advance(1, {path(10, 0b0010)}, 20);
    block.jump(0, 0);
    block.jump(1, 0);
  }
  block.advance(0, {path(0, 0b1101), path(30, 0b0010)}, 30);
  block.advance(1, {path(0, 0b0010)}, 30);
  EXPECT_EQ(block.at(0), "0: 0:0001 1:1110");
  EXPECT_EQ(block.at(1), "nothing");
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "         30     -  1111  0:1111\n"
            "          0    30  1111  0:0001 1:1110  top\n");
  block.jump(0, 30);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "30: 1111");
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

TEST(BlockCompaction, warp_that_exits_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.exit(1);
  EXPECT_EQ(block.at(0), "10: 1111");
}

TEST(BlockCompaction, warp_that_waits_at_a_barrier_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.domain().wait(block.id(1)), WarpSet(0b11));
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.domain().release(block.id(1)), WarpSet::lane(1));
  EXPECT_EQ(block.at(1), "0: 1111");
}

// Warp 0 is in a frame of its own, whose place warp 1 might have to wait for.
TEST(BlockCompaction, warp_that_waits_at_a_barrier_in_an_inner_frame_is_not_waited_for) {
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
TEST(BlockCompaction, warp_that_has_passed_the_branch_is_not_waited_for) {
  OneBlock block(kTbc, 3);
  block.jump(1, 30);
  block.advance(0, {path(30, 0b0011), path(10, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b110u);
  block.advance(2, {path(30, 0b1100), path(10, 0b0011)}, 30);
  EXPECT_EQ(block.at(0), "10: 0:1100 2:0011");
  EXPECT_EQ(block.at(1), "30: 1111");
}

TEST(BlockCompaction, warp_that_comes_after_a_meeting_does_not_wait_for_those_who_met) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.domain().wait(block.id(1));
  EXPECT_EQ(block.at(0), "10: 1111");
  block.domain().release(block.id(1));
  block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(1), "10: 0011");
}

// Both sides of the first branch and one of the second come to the branch at 50.
TEST(BlockCompaction, warp_that_has_passed_the_branch_in_an_earlier_frame_is_waited_for) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(10, 0b0101), path(20, 0b1010)}, 30);
  for (int side : {0, 1}) {
    for (WarpId warp : {0, 1}) block.jump(warp, 50);
    for (WarpId warp : {0, 1}) block.advance(warp, {path(60, side == 0 ? 0b0101 : 0b1010)}, 70);
    for (WarpId warp : {0, 1}) block.jump(warp, 30);
  }
  for (WarpId warp : {0, 1}) block.advance(warp, {path(40, 0b0101), path(45, 0b1010)}, 90);
  for (WarpId warp : {0, 1}) block.jump(warp, 50);
  block.advance(0, {path(60, 0b0101)}, 70);
  EXPECT_EQ(block.running(), 0b10u);
}

TEST(BlockCompaction, loop_whose_test_comes_first_is_met_at_in_every_turn) {
  OneBlock block(kTbc, 2);
  for (int turn = 0; turn < 3; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 30);
    EXPECT_EQ(block.running(), 0b10u) << turn;
    block.advance(1, {path(10, 0b1111)}, 30);
    for (WarpId warp : {0, 1}) block.jump(warp, 0);
  }
}

TEST(BlockCompaction, loop_whose_test_comes_last_is_met_at_in_every_turn) {
  OneBlock block(kTbc, 2);
  for (WarpId warp : {0, 1}) block.jump(warp, 10);
  for (int turn = 0; turn < 3; ++turn) {
    block.advance(0, {path(10, 0b1111)}, 30);
    EXPECT_EQ(block.running(), 0b10u) << turn;
    block.advance(1, {path(10, 0b1111)}, 30);
  }
}

TEST(BlockCompaction, warp_that_has_passed_the_branch_in_an_earlier_turn_is_waited_for) {
  OneBlock block(kTbc, 2);
  block.jump(0, 10);
  block.jump(1, 10);
  block.jump(0, 0);  // warp 0 goes round first
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
}

TEST(BlockCompaction, warp_that_is_behind_is_waited_for_though_it_passes_the_branch) {
  OneBlock block(kTbc, 3);
  for (WarpId warp : {0, 2})
    for (Pc target : {10, 0}) block.jump(warp, target);
  block.jump(0, 10);  // in the second turn
  block.jump(1, 10);  // in the first
  block.advance(2, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.domain().describe(2),
            "stack    pc   rpc  lanes\n"
            "          0     -  1111  2:1111  top, waits for 1\n");
}

TEST(BlockCompaction, warp_that_passes_while_others_wait_is_not_waited_for_longer) {
  OneBlock block(kTbc, 2);
  for (Pc target : {10, 0}) block.jump(0, target);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.jump(1, 30);  // as if it skipped the branch, a turn behind
  EXPECT_EQ(block.at(0), "10: 0011");
}

// Warp 0 jumps back while its threads are apart; the turns of the outer loop are not changed by that.
TEST(BlockCompaction, turns_of_a_loop_inside_a_side_are_not_those_of_the_loop_around_it) {
  OneBlock block(kTbc, 2);
  block.jump(1, 10);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  for (Pc target : {12, 10, 12, 10, 30, 30, 0}) block.jump(0, target);
  for (Pc target : {0, 10}) block.jump(1, target);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

TEST(BlockCompaction, warp_that_is_a_turn_ahead_is_not_waited_for) {
  OneBlock block(kTbc, 2);
  for (Pc target : {10, 0, 10, 0}) block.jump(1, target);
  block.jump(0, 10);
  block.jump(0, 0);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

// Warp 1 waits at 40, where warp 0 may come; warp 0 comes to wait at 5, where warp 1 might come by a loop.
TEST(BlockCompaction, where_warps_wait_at_different_branches_the_first_goes_on_first) {
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

TEST(BlockCompaction, sides_that_meet_only_by_exiting_run_one_after_the_other) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)});
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)});
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
  block.exit(0);
  EXPECT_EQ(block.at(0), "20: 0:1100 1:0011");
  EXPECT_EQ(block.exit(0), WarpSet(0b11));
}

// The last side is in the frame of warp 1 again, so that both meet at 40.
TEST(BlockCompaction, last_side_of_threads_that_do_not_meet_again_meets_the_other_warps) {
  OneBlock block(kTbc, 2);
  block.jump(1, 40);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)});
  block.exit(0);
  block.jump(0, 40);
  block.advance(0, {path(50, 0b1000), path(60, 0b0100)}, 70);
  block.advance(1, {path(50, 0b0011), path(60, 0b1100)}, 70);
  EXPECT_EQ(block.at(0), "50: 0:1000 1:0011");
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

TEST(BlockCompaction, describes_the_example_of_its_header) {
  OneBlock block(kTbc, 2);
  block.advance(0, {path(2, 0b0001), path(4, 0b1110)}, 6);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "          0     -  1111  0:1111  top, waits for 1\n");
  block.advance(1, {path(2, 0b1100), path(4, 0b0011)}, 6);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "          6     -  1111  0:1111\n"
            "          4     6  1111  0:1110 1:0001\n"
            "          2     6  1101  0:0001 1:1100  top\n");
  EXPECT_EQ(block.domain().describe(1),
            "stack    pc   rpc  lanes\n"
            "          6     -  1111  1:1111\n"
            "          4     6  0010  1:0010\n");
}

TEST(Capri, warp_that_does_not_diverge_never_waits_and_a_diverging_one_waits_for_it) {
  OneBlock block(kCapri, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.at(1), "10: 1111");
}

TEST(Capri, compaction_that_did_not_pay_is_not_waited_for_again) {
  OneBlock block(kCapri, 2);
  const auto diverge = [&](WarpId warp) { block.advance(warp, {path(10, 0b0101), path(20, 0b1010)}, 30); };
  diverge(0);
  EXPECT_EQ(block.at(0), "nothing");
  diverge(1);
  EXPECT_EQ(block.at(0), "10: 0101");
  for (WarpId warp : {0, 1, 0, 1}) block.jump(warp, 30);
  for (WarpId warp : {0, 1}) block.jump(warp, 0);
  diverge(0);
  EXPECT_EQ(block.at(0), "10: 0101");
  EXPECT_EQ(block.at(1), "0: 1111");
}

TEST(Capri, blocks_of_a_core_learn_together_and_those_of_different_cores_do_not) {
  const DivergenceMechanism& capri = find_divergence_mechanism("capri");
  const DomainMaker here = capri.of_core({}), elsewhere = capri.of_core({});
  const auto first = here(), second = here(), third = elsewhere();
  const ActiveMask lanes[] = {ActiveMask(0b1111), ActiveMask(0b1111)};
  const Path paths[] = {path(10, 0b0101), path(20, 0b1010)};
  for (DivergenceDomain* domain : {first.get(), second.get(), third.get()}) domain->launch(0, lanes);
  for (SplitId split : {0u, kMaxWarpSize}) first->advance(split, paths, 30);
  second->advance(0, paths, 30);
  third->advance(0, paths, 30);
  EXPECT_EQ(second->runnable(0).size(), 1u);  // did not wait
  EXPECT_EQ(third->runnable(0).size(), 0u);
}

TEST(BlockCompaction, names_the_warps_that_the_unit_has_formed_when_their_side_begins) {
  OneBlock block(kTbc, 3);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_TRUE(block.domain().formed().none());
  block.advance(2, {path(10, 0b1100), path(20, 0b0011)}, 30);
  EXPECT_EQ(block.domain().formed(), WarpSet(0b011));
  block.jump(0, 30);
  EXPECT_TRUE(block.domain().formed().none());
  block.jump(1, 30);
  EXPECT_EQ(block.domain().formed(), WarpSet(0b011));
  for (WarpId place : {0, 1}) block.jump(place, 30);
  EXPECT_TRUE(block.domain().formed().none());  // restored, not formed
}

TEST(BlockCompaction, says_how_many_warps_met_and_how_many_were_needed) {
  OneBlock block(kTbc, 2);
  diverge_compactably(block);
  ASSERT_EQ(block.domain().compactions().size(), 1u);
  const Compaction& done = block.domain().compactions()[0];
  EXPECT_EQ(done.waited, WarpSet(0b11));
  EXPECT_TRUE(done.parted && done.paid());
  EXPECT_EQ(done.before, 4u);
  EXPECT_EQ(done.after, 2u);
  block.jump(0, 30);
  EXPECT_TRUE(block.domain().compactions().empty());
}

TEST(BlockCompaction, what_was_done_is_that_of_the_latest_call_alone) {
  OneBlock block(kTbc, 3);
  block.advance(0, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.advance(1, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.domain().wait(block.id(2));  // so that nobody can come any more
  EXPECT_EQ(block.domain().compactions().size(), 1u);
  EXPECT_EQ(block.domain().formed(), WarpSet(0b011));
  block.domain().release(block.id(2));
  EXPECT_TRUE(block.domain().compactions().empty());
  EXPECT_TRUE(block.domain().formed().none());
  for (WarpId place : {0, 1}) block.jump(place, 30);
  EXPECT_EQ(block.domain().formed(), WarpSet(0b011));
  block.domain().wait(block.id(2));
  EXPECT_TRUE(block.domain().formed().none());
}

TEST(BlockCompaction, meeting_whose_threads_all_go_one_way_forms_nothing) {
  OneBlock block(kTbc, 2);
  for (WarpId place : {0, 1}) block.advance(place, {path(10, 0b1111)}, 30);
  ASSERT_EQ(block.domain().compactions().size(), 1u);
  EXPECT_FALSE(block.domain().compactions()[0].parted);
  EXPECT_EQ(block.domain().compactions()[0].waited, WarpSet(0b11));
  EXPECT_TRUE(block.domain().formed().none());
}

TEST(Capri, warp_that_does_not_wait_is_told_of_and_not_formed) {
  OneBlock block(kCapri, 2, 4, "never");
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  ASSERT_EQ(block.domain().compactions().size(), 1u);
  EXPECT_TRUE(block.domain().compactions()[0].waited.none());
  EXPECT_TRUE(block.domain().formed().none());
}

}  // namespace
}  // namespace warpfork

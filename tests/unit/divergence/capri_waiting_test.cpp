// Which warps wait at a branch if its history decides. Expected values: by hand from CAPRI section III and the contract
// in the header. Masks have lane 0 on the right.
#include <gtest/gtest.h>

#include "divergence/block_compaction.h"
#include "divergence/registry.h"
#include "one_block.h"

namespace warpfork {
namespace capri_waiting_test {

constexpr BranchWait kCapri = BranchWait::DivergingWarps;

TEST(Capri, warp_that_does_not_diverge_never_waits_and_a_diverging_one_waits_for_it) {
  OneBlock block(kCapri, 2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.at(1), "10: 1111");
}

TEST(Capri, warp_that_does_not_diverge_at_the_branch_is_not_waited_for_there_though_it_is_a_turn_behind) {
  OneBlock block(kCapri, 2);
  for (Pc target : {10, 0}) block.jump(0, target);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(30, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
  EXPECT_EQ(block.at(1), "30: 1111");
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

TEST(Capri, warp_that_does_not_wait_is_told_of_and_not_formed) {
  OneBlock block(kCapri, 2, 4, "never");
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  ASSERT_EQ(block.effects().compactions.size(), 1u);
  EXPECT_TRUE(block.effects().compactions[0].waited.none());
  EXPECT_TRUE(block.effects().formed.none());
}

// Section II-C, Figure 6: warp 0 belongs to the entry of the side that it takes as a whole (RPC D, U-mask 0).
TEST(Capri, warp_that_takes_a_side_as_a_whole_is_on_that_side_until_the_sides_meet) {
  OneBlock block(kCapri, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "         30     -     1      -  1111  0:1111\n"
            "         10    30     1      0  1111  0:1111  top\n");
  block.jump(0, 30);
  EXPECT_EQ(block.domain().describe(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "         30     -     2      -  1111  0:1111  top\n");
}

TEST(Capri, warp_that_diverges_on_one_side_does_not_wait_for_the_other_side) {
  OneBlock block(kCapri, 2);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.advance(1, {path(20, 0b1111)}, 30);
  block.advance(0, {path(12, 0b0011), path(14, 0b1100)}, 16);
  EXPECT_EQ(block.at(0), "12: 0011");
}

// if (…) { if (…) 10 else 20 } 30: the inner sides end where the outer ones do.
TEST(Capri, sides_that_end_where_the_sides_around_them_do_are_apart_as_well) {
  OneBlock block(kCapri, 3);
  for (WarpId warp : {0, 1, 2}) block.advance(warp, {path(5, 0b1111)}, 30);
  for (WarpId warp : {0, 2}) block.advance(warp, {path(10, 0b1111)}, 30);
  block.advance(1, {path(20, 0b1111)}, 30);
  block.advance(0, {path(12, 0b0011), path(14, 0b1100)}, 16);
  EXPECT_EQ(block.running(), 0b110u);  // waits for warp 2, on its side
  block.jump(2, 30);
  EXPECT_EQ(block.at(0), "12: 0011");
}

TEST(Capri, warps_that_diverge_on_a_side_meet_whether_they_took_it_as_a_whole_or_in_part) {
  OneBlock block(kCapri, 3);
  for (WarpId warp : {1, 2}) block.advance(warp, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.advance(0, {path(10, 0b1111)}, 30);
  for (WarpId warp : {1, 2}) EXPECT_EQ(block.at(warp), "10: 0101");  // in vain
  block.advance(0, {path(12, 0b1100), path(14, 0b0011)}, 16);
  block.advance(1, {path(12, 0b0001), path(14, 0b0100)}, 16);
  EXPECT_EQ(block.running(), 0b100u);
  block.jump(2, 30);
  EXPECT_EQ(block.at(0), "12: 0:1100 1:0001");
}

// do … while: warp 2 has left the loop, in which the others diverge.
TEST(Capri, warp_that_has_left_a_loop_is_not_waited_for_inside) {
  OneBlock block(kCapri, 3);
  for (WarpId warp : {0, 1}) block.advance(warp, {path(0, 0b1111)}, 40);
  block.advance(2, {path(40, 0b1111)}, 40);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(block.running(), 0b110u);
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(block.at(0), "10: 0011");
}

// Each turn leads over another side of the loop: 10 and back, or 20 and back. All meet in the region around them.
TEST(Capri, a_jump_back_leads_off_the_sides_inside_a_loop) {
  OneBlock block(kCapri, 2);
  for (Pc side : {10, 20, 10, 20}) {
    for (WarpId warp : {0, 1}) block.advance(warp, {path(warp == 0 ? side : 30 - side, 0b1111)}, 40);
    for (WarpId warp : {0, 1}) block.advance(warp, {path(0, 0b1111)}, 40);
  }
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 40);
  EXPECT_EQ(block.running(), 0b10u);
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 40);
  EXPECT_EQ(block.at(0), "10: 0:0011 1:1100");
}

// Both took the side at 10, the one as a whole, the other in part, and meet where it ends. There warp 0 goes on, and
// warp 1 has its other side to run.
TEST(Capri, threads_of_several_warps_that_part_for_the_rest_of_a_side_go_on_where_each_has_to) {
  OneBlock block(kCapri, 2);
  block.advance(1, {path(10, 0b0101), path(20, 0b1010)}, 30);
  block.advance(0, {path(10, 0b1111)}, 30);
  block.advance(0, {path(12, 0b1010), path(30, 0b0101)}, 30);
  block.advance(1, {path(12, 0b0001), path(30, 0b0100)}, 30);
  EXPECT_EQ(block.at(0), "12: 0:1010 1:0001");
  block.jump(0, 30);
  EXPECT_EQ(block.at(0), "30: 1111");
  EXPECT_EQ(block.at(1), "20: 1010");
}

}  // namespace capri_waiting_test
}  // namespace warpfork

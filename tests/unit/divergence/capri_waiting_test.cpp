// Which warps wait at a branch if its history decides. Expected values: by hand from CAPRI section III and the contract
// in the header. Masks have lane 0 on the right.
#include <gtest/gtest.h>

#include "divergence/block_compaction.h"
#include "divergence/registry.h"
#include "one_block.h"

namespace warpfork {
namespace {

constexpr BranchWait kCapri = BranchWait::DivergingWarps;

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

TEST(Capri, warp_that_does_not_wait_is_told_of_and_not_formed) {
  OneBlock block(kCapri, 2, 4, "never");
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  ASSERT_EQ(block.domain().compactions().size(), 1u);
  EXPECT_TRUE(block.domain().compactions()[0].waited.none());
  EXPECT_TRUE(block.domain().formed().none());
}

}  // namespace
}  // namespace warpfork

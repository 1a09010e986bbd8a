// What would have come of waiting. Expected values: by hand from CAPRI Figure 8 (a side needs as many warps as it has
// threads in one lane) and the contract of BlockCompaction. The branch is at 0, its sides at 10 and 20 meet at 30.
#include "divergence/shadow_barriers.h"

#include <gtest/gtest.h>

#include "one_block.h"

namespace warpfork {
namespace shadow_barriers_test {

constexpr BranchWait kCapri = BranchWait::DivergingWarps;

TEST(ShadowBarriers, a_side_needs_as_many_warps_as_it_has_threads_in_one_lane) {
  ShadowBarriers shadows;
  ShadowBarrier& shadow = shadows.begin(0, 30);
  shadows.add(shadow, 0, std::array{path(10, 0b0001), path(20, 0b1110)});
  shadows.add(shadow, 1, std::array{path(10, 0b0011), path(20, 0b1100)});
  shadows.add(shadow, 2, std::array{path(10, 0b1000), path(20, 0b0111)});
  shadows.add(shadow, 3, std::array{path(10, 0b0011), path(20, 0b1100)});
  const Compaction judged = shadows.end(0);
  EXPECT_EQ(judged.before, 8u);
  EXPECT_EQ(judged.after, 3u + 4u);  // in lane 0, in lane 2
  EXPECT_TRUE(shadows.empty());
}

TEST(ShadowBarriers, a_side_that_begins_at_the_reconvergence_point_needs_none) {
  ShadowBarriers shadows;
  ShadowBarrier& shadow = shadows.begin(0, 30);
  shadows.add(shadow, 0, std::array{path(30, 0b0011), path(10, 0b1100)});
  shadows.add(shadow, 1, std::array{path(30, 0b0011), path(10, 0b1100)});
  const Compaction judged = shadows.end(0);
  EXPECT_EQ(judged.before, 2u);
  EXPECT_EQ(judged.after, 2u);
}

TEST(ShadowBarriers, those_at_different_branches_are_counted_apart) {
  ShadowBarriers shadows;
  shadows.add(shadows.begin(0, 30), 0, std::array{path(10, 0b0011), path(20, 0b1100)});
  shadows.add(shadows.begin(5, 30), 1, std::array{path(10, 0b1100), path(20, 0b0011)});
  EXPECT_EQ(shadows.end(0).before, 2u);
  ASSERT_NE(shadows.at(5), nullptr);
  shadows.add(*shadows.at(5), 0, std::array{path(10, 0b0011), path(20, 0b1100)});
  const Compaction judged = shadows.end(5);
  EXPECT_EQ(judged.before, 4u);
  EXPECT_EQ(judged.after, 2u);
}

/// Warps of four threads whose predictor, unless told otherwise, advises nobody to wait.
class Bypassing : public ::testing::Test {
 protected:
  void diverge(WarpId place, bool opposite = false) { diverge(block_, place, opposite); }
  static void diverge(OneBlock& block, WarpId place, bool opposite) {
    const std::uint32_t taking = opposite ? 0b1100 : 0b0011;
    block.advance(place, {path(10, taking), path(20, 0b1111 - taking)}, 30);
  }
  /// Both sides to the reconvergence point, and the warp back to the branch.
  void return_to_branch(WarpId place) {
    for (Pc target : {30, 30, 0}) block_.jump(place, target);
  }
  /// "bypassed: before -> after" of what the latest call has judged.
  static std::string judged(OneBlock& block) {
    std::string text;
    for (const Compaction& done : block.effects().compactions)
      if (done.bypassed > 0) text += fmt::format("{}: {} -> {}", done.bypassed, done.before, done.after);
    return text;
  }
  std::string judged() { return judged(block_); }

  OneBlock block_{kCapri, 2, 4, "never"};
};

TEST_F(Bypassing, warps_are_judged_together_when_the_last_has_come) {
  diverge(0);
  EXPECT_EQ(judged(), "");
  diverge(1, true);
  EXPECT_EQ(judged(), "2: 4 -> 2");
  return_to_branch(0);
  EXPECT_EQ(judged(), "");
}

TEST_F(Bypassing, warps_that_need_the_same_lanes_did_well) {
  diverge(0);
  diverge(1);
  EXPECT_EQ(judged(), "2: 4 -> 4");
}

// A branch inside a side, without a reconvergence point of its own: the one of the side counts.
TEST_F(Bypassing, a_side_that_begins_where_the_sides_around_it_meet_needs_no_warp) {
  diverge(0);
  block_.advance(0, {path(30, 0b0001), path(12, 0b0010)}, kNoPc);
  EXPECT_EQ(judged(), "1: 1 -> 1");
}

// The call is heard though it changes nothing else: the core asks what was done only if it names warps.
TEST_F(Bypassing, a_warp_that_comes_whole_may_be_the_last) {
  diverge(0);
  EXPECT_TRUE(block_.advance(1, {path(10, 0b1111)}, 30).any());
  EXPECT_EQ(judged(), "1: 2 -> 2");
}

TEST_F(Bypassing, a_warp_that_exits_may_be_the_last) {
  diverge(0);
  block_.exit(1);
  EXPECT_EQ(judged(), "1: 2 -> 2");
}

TEST_F(Bypassing, a_warp_that_waits_at_a_barrier_is_not_expected) {
  diverge(0);
  block_.wait(1);
  EXPECT_EQ(judged(), "1: 2 -> 2");
}

// Warp 0 is a turn ahead.
TEST_F(Bypassing, a_warp_that_diverges_again_ends_the_barrier_that_counts_it) {
  diverge(0);
  return_to_branch(0);
  EXPECT_EQ(judged(), "");
  diverge(0);
  EXPECT_EQ(judged(), "1: 2 -> 2");
  diverge(1, true);  // is counted in the second
  EXPECT_EQ(judged(), "2: 4 -> 2");
}

TEST_F(Bypassing, a_warp_that_comes_again_whole_does_not) {
  diverge(0);
  return_to_branch(0);
  block_.advance(0, {path(0, 0b1111)}, 30);
  EXPECT_EQ(judged(), "");
  diverge(1, true);
  EXPECT_EQ(judged(), "2: 4 -> 2");
}

// All are in the loop, the region around the branch, from the start.
TEST_F(Bypassing, a_warp_that_came_whole_may_diverge_the_next_time) {
  OneBlock block(kCapri, 3, 4, "never");
  for (WarpId place : {0, 1, 2}) block.advance(place, {path(0, 0b1111)}, 30);
  diverge(block, 0, false);
  block.advance(2, {path(0, 0b1111)}, 30);
  diverge(block, 2, true);
  EXPECT_EQ(judged(block), "");
  block.advance(1, {path(10, 0b1111)}, 30);
  EXPECT_EQ(judged(block), "2: 4 -> 2");
}

// Warp 2 comes to the branch in its first turn, when the others have been there in their second.
TEST_F(Bypassing, a_warp_that_is_behind_is_expected_once) {
  OneBlock block(kCapri, 3, 4, "never");
  for (WarpId place : {0, 1}) block.jump(place, 0);
  for (WarpId place : {0, 1}) diverge(block, place, false);
  EXPECT_EQ(judged(block), "");
  block.advance(2, {path(10, 0b1111)}, 30);
  EXPECT_EQ(judged(block), "2: 4 -> 4");
}

/// Two blocks of a core: what the warps of one show is advice for those of the other.
class TwoBlocks : public ::testing::Test {
 protected:
  TwoBlocks() {
    const ActiveMask lanes[] = {ActiveMask(0b1111), ActiveMask(0b1111), ActiveMask(0b1111)};
    for (BlockCompaction* block : {&one_, &other_}) block->launch(0, lanes, 0);
  }
  static const DomainEffects& diverge(BlockCompaction& block, WarpId place, bool opposite = false) {
    const std::uint32_t taking = opposite ? 0b1100 : 0b0011;
    const std::array paths{path(10, taking), path(20, 0b1111 - taking)};
    return block.advance(place * kMaxWarpSize, paths, 30);
  }
  static const DomainEffects& pass(BlockCompaction& block, WarpId place) {
    return block.advance(place * kMaxWarpSize, std::array{path(10, 0b1111)}, 30);
  }
  bool adequate() const { return predictor_->adequate(0); }

  std::shared_ptr<CompactionPredictor> predictor_ = std::make_shared<CompactionPredictor>("latest", 0);
  BlockCompaction one_{kCapri, predictor_}, other_{kCapri, predictor_};
};

TEST_F(TwoBlocks, bit_that_became_0_returns_to_1_where_waiting_would_have_paid) {
  predictor_->update(0, false);
  diverge(one_, 0);
  diverge(one_, 1, true);
  EXPECT_FALSE(adequate());
  pass(one_, 2);
  EXPECT_TRUE(adequate());
  diverge(other_, 0);
  EXPECT_TRUE(other_.runnable(0).empty());  // waits
}

TEST_F(TwoBlocks, bit_becomes_0_where_waiting_would_not_have_paid) {
  predictor_->update(0, false);
  diverge(one_, 0);
  diverge(one_, 1);
  predictor_->update(0, true);  // as if another block had shown it
  pass(one_, 2);
  EXPECT_FALSE(adequate());
}

// Warp 0 waits alone, in vain; with warp 1 it would have been worth it. The latter is what is learnt.
TEST_F(TwoBlocks, a_warp_that_waits_counts_with_those_who_come_later_and_do_not) {
  diverge(one_, 0);
  predictor_->update(0, false);
  diverge(one_, 1, true);
  const std::vector<Compaction>& done = pass(one_, 2).compactions;
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].waited, WarpSet::single(0));
  EXPECT_FALSE(done[0].paid());
  EXPECT_EQ(done[1].bypassed, 1u);
  EXPECT_EQ(done[1].before, 4u);
  EXPECT_EQ(done[1].after, 2u);
  EXPECT_TRUE(adequate());
}

TEST_F(TwoBlocks, a_warp_that_waits_counts_with_those_who_did_not_before) {
  predictor_->update(0, false);
  diverge(one_, 0);
  predictor_->update(0, true);
  diverge(one_, 1, true);
  EXPECT_TRUE(one_.runnable(1).empty());
  const std::vector<Compaction>& done = pass(one_, 2).compactions;
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].waited, WarpSet::single(1));
  EXPECT_EQ(done[1].bypassed, 1u);
  EXPECT_TRUE(done[1].paid());
}

// Three warps meet at 0. Two are formed for the side at 10, and only the first diverges there.
TEST_F(TwoBlocks, a_warp_of_a_side_that_arrives_where_the_sides_meet_may_be_the_last) {
  for (WarpId place : {0, 1, 2}) diverge(one_, place, place == 1);
  ASSERT_EQ(one_.split(kMaxWarpSize).lanes, ActiveMask(0b0011));
  predictor_->update(10, false);
  // goes on without waiting
  ASSERT_EQ(one_.advance(0, std::array{path(12, 0b0011), path(14, 0b1100)}, 16).compactions.size(), 1u);
  const std::vector<Compaction>& done = one_.advance(kMaxWarpSize, std::array{path(30, 0b0011)}, 30).compactions;
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].bypassed, 1u);
  EXPECT_EQ(done[0].branch, 10u);
}

// The same, but the threads that go to 30 are where all sides meet: only those that go to 14 need a warp.
TEST_F(TwoBlocks, a_side_at_the_reconvergence_point_of_the_sides_around_needs_no_warp) {
  for (WarpId place : {0, 1, 2}) diverge(one_, place, place == 1);
  predictor_->update(10, false);
  one_.advance(0, std::array{path(30, 0b0011), path(14, 0b1100)}, kNoPc);
  const std::vector<Compaction>& done = one_.advance(kMaxWarpSize, std::array{path(30, 0b0011)}, 30).compactions;
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].bypassed, 1u);
  EXPECT_EQ(done[0].before, 1u);
}

}  // namespace shadow_barriers_test
}  // namespace warpfork

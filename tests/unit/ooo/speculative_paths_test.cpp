// The paths of a warp: what happens to one happens to its masks, its place and its history.
#include "ooo/speculative_paths.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace speculative_paths_test {

x86::StaticInstruction branch_at_1000(x86::BranchKind kind) {
  x86::StaticInstruction branch;
  branch.pc = 0x1000;
  branch.length = 4;
  branch.branch = kind;
  return branch;
}

constexpr std::uint32_t kFirst = 100;  // calls

/// Lanes 0 to 3 are one path at 1000.
struct FourLanes {
  FourLanes() {
    paths.start(0b1111, 0x1000, kFirst);
    first = paths.pick(0);
  }
  SpeculativePaths paths{4, 8, 2};
  PathId first = kNoPath;

  /// Parts it, lanes `stay` going on at 2000.
  BranchRecord diverge(LaneMask stay) {
    BranchRecord record;
    record.divergence = {first, paths.table().predict_divergence(first), kNoPath};
    record.stays = stay;
    paths.table().reference(first);
    paths.record(first, record);
    paths.diverge(record.divergence, stay);
    paths.follow(record.divergence.created, branch_at_1000(x86::BranchKind::Conditional), 0x2000);
    return record;
  }
};

TEST(SpeculativePaths, begins_where_its_threads_do) {
  FourLanes four;
  EXPECT_EQ(four.paths.state(four.first).lanes, 0b1111u);
  EXPECT_EQ(four.paths.at(four.first).pc, 0x1000u);
  EXPECT_TRUE(four.paths.alone());
}

TEST(SpeculativePaths, counts_calls_and_returns) {
  FourLanes four;
  const std::uint32_t depth = four.paths.at(four.first).depth;
  four.paths.follow(four.first, branch_at_1000(x86::BranchKind::Call), 0x3000);
  EXPECT_EQ(four.paths.at(four.first).depth, depth + 1);
  EXPECT_EQ(four.paths.state(four.first).returns.top(), 0x1004u);
  four.paths.follow(four.first, branch_at_1000(x86::BranchKind::Return), 0x1004);
  EXPECT_EQ(four.paths.at(four.first).depth, depth);
  EXPECT_EQ(four.paths.state(four.first).returns.top(), 0u);
}

// As behind a longjmp; where threads do not go it is counted.
TEST(SpeculativePaths, are_as_deep_in_calls_as_the_threads_that_went_there) {
  FourLanes four;
  const x86::StaticInstruction jump = branch_at_1000(x86::BranchKind::IndirectJump);
  x86::DynamicInstruction executed;
  executed.instruction = &jump;
  executed.next_pc = 0x2000;
  executed.next_depth = kFirst - 3;
  four.paths.follow(four.first, executed, 0x3000);
  EXPECT_EQ(four.paths.at(four.first).depth, kFirst);
  four.paths.follow(four.first, executed, 0x2000);
  EXPECT_EQ(four.paths.at(four.first).depth, kFirst - 3);
}

// Its callers are not known.
TEST(SpeculativePaths, have_no_return_addresses_behind_a_gap) {
  FourLanes four;
  four.paths.follow(four.first, branch_at_1000(x86::BranchKind::Call), 0x3000);
  four.paths.follow(four.first, branch_at_1000(x86::BranchKind::Call), 0x4000);
  const x86::StaticInstruction leaves = branch_at_1000(x86::BranchKind::Return);
  x86::DynamicInstruction executed;
  executed.instruction = &leaves;
  executed.before_gap = true;
  executed.next_depth = kFirst;
  four.paths.follow(four.first, executed, 0x2000);
  EXPECT_EQ(four.paths.at(four.first).depth, kFirst);
  EXPECT_EQ(four.paths.at(four.first).pc, 0x2000u);
  EXPECT_EQ(four.paths.state(four.first).returns.top(), 0u);
}

TEST(SpeculativePaths, does_not_fetch_from_a_path_whose_target_is_not_known) {
  FourLanes four;
  four.paths.follow(four.first, branch_at_1000(x86::BranchKind::IndirectJump), 0);
  EXPECT_EQ(four.paths.pick(1), kNoPath);
  EXPECT_FALSE(four.paths.all_wait());  // for a branch, not for another thread
}

TEST(SpeculativePaths, gives_lanes_that_do_not_stay_a_path_at_the_branch) {
  FourLanes four;
  BranchRecord record = four.diverge(0b0011);
  const PathId alternate = four.paths.resolve(record, 0b1100);
  EXPECT_EQ(four.paths.state(alternate).lanes, 0b1100u);
  EXPECT_EQ(four.paths.at(alternate).pc, 0x1000u);
  EXPECT_EQ(four.paths.state(record.divergence.created).lanes, 0b0011u);
  EXPECT_FALSE(four.paths.alone());
}

TEST(SpeculativePaths, undoes_a_divergence_with_all_that_it_made) {
  FourLanes four;
  const std::string before = four.paths.describe();
  BranchRecord record = four.diverge(0b0011);
  four.paths.resolve(record, 0b1100);
  four.paths.table().dereference(four.first);
  four.paths.undo(record, Role::DivergentBranch);
  EXPECT_EQ(four.paths.describe(), before);
  EXPECT_EQ(four.paths.state(four.first).lanes, 0b1111u);
}

TEST(SpeculativePaths, converges_paths_at_the_same_place) {
  FourLanes four;
  BranchRecord record = four.diverge(0b0011);
  const PathId alternate = four.paths.resolve(record, 0b1100);
  EXPECT_EQ(four.paths.converge(alternate).created, kNoPath);
  four.paths.at(alternate).pc = 0x2000;
  const Convergence met = four.paths.converge(alternate);
  EXPECT_EQ(met.second, record.divergence.created);
  EXPECT_EQ(four.paths.state(met.created).lanes, 0b1111u);
  EXPECT_TRUE(four.paths.alone());
}

TEST(SpeculativePaths, asks_paths_that_wait_at_events_whether_they_may_go_on) {
  FourLanes four;
  four.paths.wait(four.first);
  EXPECT_TRUE(four.paths.all_wait());
  four.paths.wake([](LaneMask) { return false; });
  EXPECT_EQ(four.paths.pick(1), kNoPath);
  four.paths.wake([](LaneMask lanes) { return lanes == 0b1111; });
  EXPECT_EQ(four.paths.pick(1), four.first);
}

}  // namespace speculative_paths_test
}  // namespace warpfork::ooo

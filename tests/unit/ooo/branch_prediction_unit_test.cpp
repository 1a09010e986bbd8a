// The branch prediction unit: what it asks the predictors, what the recording decides, and what it learns.
#include "ooo/branch_prediction_unit.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace branch_prediction_unit_test {

/// At 1000, to 2000.
x86::StaticInstruction instruction(x86::BranchKind kind) {
  x86::StaticInstruction made;
  made.pc = 0x1000;
  made.length = 4;
  made.branch = kind;
  made.target = 0x2000;
  return made;
}

/// Lanes 0 and 1 are on the path, and go to these places.
struct TwoLanes {
  TwoLanes(std::uint64_t first, std::uint64_t second) {
    path.lanes = 0b11;
    kept[0].next_pc = first;
    kept[1].next_pc = second;
  }
  PathState path;
  std::array<x86::DynamicInstruction, 2> kept;
  ExecutedByLane executed{&kept[0], &kept[1]};
};

TEST(BranchPredictionUnit, goes_where_the_recording_goes_on_behind_a_gap) {
  Predictors predictors;
  const BranchPredictionUnit unit(FrontSpec::Divergence::Predicted, predictors);
  const TwoLanes lanes(0, 0x7000);  // the first ends
  for (const x86::BranchKind kind : {x86::BranchKind::None, x86::BranchKind::Jump, x86::BranchKind::Call})
    EXPECT_EQ(unit.predict(instruction(kind), lanes.path, lanes.executed).target, 0x7000u);
}

TEST(BranchPredictionUnit, believes_the_predictors_of_a_branch_that_may_go_two_ways) {
  Predictors predictors;
  predictors.targets.update(0x1000, 0x5000);
  const BranchPredictionUnit unit(FrontSpec::Divergence::Predicted, predictors);
  const TwoLanes lanes(0x7000, 0x7000);
  EXPECT_EQ(unit.predict(instruction(x86::BranchKind::IndirectJump), lanes.path, lanes.executed).target, 0x5000u);
}

x86::DynamicInstruction executed(const x86::StaticInstruction& instruction, std::uint64_t next_pc = 0) {
  x86::DynamicInstruction made;
  made.instruction = &instruction;
  made.next_pc = next_pc;
  return made;
}

// A region is left by its function's return, and entered again where nobody can foretell.
TEST(BranchPredictionUnit, does_not_predict_a_return_from_what_was_recorded) {
  Predictors predictors;
  BranchPredictionUnit unit(FrontSpec::Divergence::Always, predictors);
  TwoLanes lanes(0x7000, 0x7000);
  lanes.path.returns.push(0x3000);
  for (x86::DynamicInstruction& kept : lanes.kept) kept.before_gap = true;
  const x86::StaticInstruction leaves = instruction(x86::BranchKind::Return);
  EXPECT_EQ(unit.predict(leaves, lanes.path, lanes.executed).target, 0x7000u);
  x86::DynamicInstruction last = executed(leaves, 0x7000);
  last.before_gap = true;
  EXPECT_FALSE(unit.diverges(last, lanes.path, true));
  EXPECT_TRUE(unit.diverges(last, lanes.path, false));
  unit.learn({.instruction = &leaves, .role = Role::Branch}, BranchRecord{}, last);
  EXPECT_EQ(unit.counts().branches, 0u);
}

TEST(BranchPredictionUnit, makes_buops_as_the_core_wants_them) {
  Predictors predictors;
  for (int i = 0; i < 3; ++i) predictors.divergence.update(0x1000, false);
  const x86::StaticInstruction branch = instruction(x86::BranchKind::Conditional);
  const auto diverges = [&](FrontSpec::Divergence divergence) {
    return BranchPredictionUnit(divergence, predictors).diverges(executed(branch), PathState{}, true);
  };
  EXPECT_FALSE(diverges(FrontSpec::Divergence::Never));
  EXPECT_FALSE(diverges(FrontSpec::Divergence::Predicted));
  EXPECT_TRUE(diverges(FrontSpec::Divergence::Always));
}

TEST(BranchPredictionUnit, parts_lanes_at_what_is_no_branch_only_where_they_do_part) {
  Predictors predictors;
  const BranchPredictionUnit unit(FrontSpec::Divergence::Always, predictors);
  const x86::StaticInstruction no_branch = instruction(x86::BranchKind::None);
  EXPECT_FALSE(unit.diverges(executed(no_branch), PathState{}, true));
  EXPECT_TRUE(unit.diverges(executed(no_branch), PathState{}, false));
}

TEST(BranchPredictionUnit, counts_and_learns_what_became_of_a_branch) {
  Predictors predictors;
  BranchPredictionUnit unit(FrontSpec::Divergence::Predicted, predictors);
  const x86::StaticInstruction branch = instruction(x86::BranchKind::IndirectJump);
  BranchRecord record;
  record.before.lanes = 0b11;
  for (const LaneMask stays : {0b11, 0b01, 0b00}) {
    record.stays = stays;
    unit.learn({.instruction = &branch, .role = Role::Branch}, record, executed(branch, 0x6000));
  }
  EXPECT_EQ(unit.counts().branches, 3u);
  EXPECT_EQ(unit.counts().divergent_branches, 1u);
  EXPECT_EQ(unit.counts().branch_mispredictions, 1u);
  EXPECT_EQ(predictors.targets.target(0x1000), 0x6000u);
}

}  // namespace branch_prediction_unit_test
}  // namespace warpfork::ooo

// Which predictor foretells what of a branch.
#include "ooo/predict/predictors.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace predictors_test {

x86::StaticInstruction branch_at_1000(x86::BranchKind kind) {
  x86::StaticInstruction branch;
  branch.pc = 0x1000;
  branch.length = 4;
  branch.branch = kind;
  branch.target = 0x2000;
  return branch;
}

TEST(Predictors, a_conditional_branch_goes_in_the_direction_that_it_learnt) {
  const x86::StaticInstruction branch = branch_at_1000(x86::BranchKind::Conditional);
  Predictors predictors;
  for (const std::uint64_t target : {0x2000, 0x1004}) {
    for (int times = 0; times < 4; ++times) predictors.update(branch, predictors.predict(branch, {}).direction, target);
    EXPECT_EQ(predictors.predict(branch, {}).target, target);
  }
}

TEST(Predictors, a_direct_jump_goes_to_its_target) {
  for (const x86::BranchKind kind : {x86::BranchKind::Jump, x86::BranchKind::Call})
    EXPECT_EQ(Predictors{}.predict(branch_at_1000(kind), {}).target, 0x2000u);
}

TEST(Predictors, an_indirect_jump_goes_where_it_went_last) {
  for (const x86::BranchKind kind : {x86::BranchKind::IndirectJump, x86::BranchKind::IndirectCall}) {
    Predictors predictors;
    EXPECT_EQ(predictors.predict(branch_at_1000(kind), {}).target, 0u);
    predictors.update(branch_at_1000(kind), {}, 0x3000);
    EXPECT_EQ(predictors.predict(branch_at_1000(kind), {}).target, 0x3000u);
  }
}

TEST(Predictors, a_return_goes_behind_the_path_s_latest_call) {
  PathState path;
  EXPECT_EQ(Predictors{}.predict(branch_at_1000(x86::BranchKind::Return), path).target, 0u);
  path.returns.push(0x4000);
  EXPECT_EQ(Predictors{}.predict(branch_at_1000(x86::BranchKind::Return), path).target, 0x4000u);
}

// Fetched again after its divergence was missed, a branch has executed: where lanes went is known.
TEST(Predictors, a_branch_that_has_executed_goes_to_the_target_that_is_known) {
  PathState path;
  path.target = 0x5000;
  path.returns.push(0x4000);
  for (const x86::BranchKind kind : {x86::BranchKind::Conditional, x86::BranchKind::IndirectJump,
                                     x86::BranchKind::IndirectCall, x86::BranchKind::Return})
    EXPECT_EQ(Predictors{}.predict(branch_at_1000(kind), path).target, 0x5000u);
}

}  // namespace predictors_test
}  // namespace warpfork::ooo

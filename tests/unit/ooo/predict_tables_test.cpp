// The target buffer, the return stack, and the divergence predictor.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ooo/predict/branch_target_buffer.h"
#include "ooo/predict/divergence_predictor.h"
#include "ooo/predict/return_stack.h"

namespace warpfork::ooo {
namespace predict_tables_test {

TEST(BranchTargetBuffer, knows_the_last_target) {
  BranchTargetBuffer buffer({16, 2});
  EXPECT_EQ(buffer.target(0x1000), 0u);
  buffer.update(0x1000, 0x2000);
  buffer.update(0x1000, 0x3000);
  EXPECT_EQ(buffer.target(0x1000), 0x3000u);
}

TEST(BranchTargetBuffer, replaces_the_one_updated_longest_ago) {
  BranchTargetBuffer buffer({1, 2});
  buffer.update(0x1000, 1);
  buffer.update(0x2000, 2);
  buffer.update(0x1000, 1);
  buffer.update(0x3000, 3);
  EXPECT_EQ(buffer.target(0x2000), 0u);
  EXPECT_EQ(buffer.target(0x1000), 1u);
  EXPECT_EQ(buffer.target(0x3000), 3u);
}

TEST(BranchTargetBuffer, sets_do_not_disturb_each_other) {
  BranchTargetBuffer buffer({2, 1});
  buffer.update(0x1000, 1);
  buffer.update(0x1001, 2);
  EXPECT_EQ(buffer.target(0x1000), 1u);
}

TEST(BranchTargetBuffer, refuses_sets_that_are_no_power_of_two) {
  EXPECT_THROW(BranchTargetBuffer({3, 4}), Error);
  EXPECT_THROW(BranchTargetBuffer({4, 0}), Error);
}

TEST(ReturnStack, returns_in_reverse) {
  ReturnStack stack;
  stack.push(1);
  stack.push(2);
  EXPECT_EQ(stack.pop(), 2u);
  EXPECT_EQ(stack.pop(), 1u);
  EXPECT_EQ(stack.pop(), 0u);
}

TEST(ReturnStack, keeps_the_latest_sixteen) {
  ReturnStack stack;
  for (std::uint64_t i = 1; i <= 17; ++i) stack.push(i);
  for (std::uint64_t i = 17; i >= 2; --i) EXPECT_EQ(stack.pop(), i);
  EXPECT_EQ(stack.pop(), 0u);
}

TEST(ReturnStack, is_put_back_by_copying) {
  ReturnStack stack;
  stack.push(1);
  const ReturnStack before = stack;
  stack.pop();
  stack.push(7);
  stack = before;
  EXPECT_EQ(stack.pop(), 1u);
}

TEST(DivergencePredictor, begins_with_divergence) {
  const DivergencePredictor predictor;
  for (std::uint64_t pc = 0; pc < 1000; ++pc) EXPECT_TRUE(predictor.divergent(pc));
}

TEST(DivergencePredictor, needs_three_uniform_outcomes) {
  DivergencePredictor predictor;
  predictor.update(0x1000, false);
  predictor.update(0x1000, false);
  EXPECT_TRUE(predictor.divergent(0x1000));
  predictor.update(0x1000, false);
  EXPECT_FALSE(predictor.divergent(0x1000));
  EXPECT_TRUE(predictor.divergent(0x1001));
}

TEST(DivergencePredictor, one_divergence_is_enough) {
  DivergencePredictor predictor;
  for (unsigned i = 0; i < 10; ++i) predictor.update(0x1000, false);
  predictor.update(0x1000, true);
  EXPECT_TRUE(predictor.divergent(0x1000));
  predictor.update(0x1000, false);
  EXPECT_FALSE(predictor.divergent(0x1000));
}

TEST(DivergencePredictor, saturates) {
  DivergencePredictor predictor;
  for (unsigned i = 0; i < 10; ++i) predictor.update(0x1000, true);
  for (unsigned i = 0; i < 3; ++i) predictor.update(0x1000, false);
  EXPECT_FALSE(predictor.divergent(0x1000));
}

TEST(DivergencePredictor, branches_32_counters_apart_may_share_one) {
  DivergencePredictor predictor;
  for (unsigned i = 0; i < 3; ++i) predictor.update(0x00, false);
  unsigned uniform = 0;
  for (std::uint64_t pc = 0; pc < 32 * 32; ++pc) uniform += !predictor.divergent(pc);
  EXPECT_EQ(uniform, 32u);  // one counter of 32
}

}  // namespace predict_tables_test
}  // namespace warpfork::ooo

#include "gpu/sample_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpfork::gpu {
namespace sample_plan_test {

std::uint64_t detailed(const std::vector<SampleBatch>& plan) {
  std::uint64_t blocks = 0;
  for (const SampleBatch& batch : plan) blocks += batch.end - batch.begin;
  return blocks;
}

// Three waves, an eighth of 271 blocks, at the beginning, as many at the end and one before it, ten batches of two.
TEST(SamplePlan, has_the_fewest_batches_where_there_is_room_for_them) {
  EXPECT_TRUE(plan_sample(1000, 10, {0.269}).empty());
  const std::vector<SampleBatch> plan = plan_sample(1000, 10, {0.271});
  ASSERT_EQ(plan.size(), 12u);
  EXPECT_EQ(plan.front(), (SampleBatch{0, 0, 30}));
  EXPECT_EQ(plan.back(), (SampleBatch{960, 970, 1000}));
}

TEST(SamplePlan, lets_no_batch_begin_before_the_one_before_it_has_ended) {
  for (const double share : {0.05, 0.1, 0.3, 0.6, 0.9})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<SampleBatch> plan = plan_sample(20000, 12, {share, seed});
      ASSERT_FALSE(plan.empty());
      for (std::size_t i = 1; i < plan.size(); ++i) {
        EXPECT_LE(plan[i - 1].end, plan[i].begin);
        EXPECT_EQ(plan[i].counted, plan[i].begin + 12) << "a wave to warm up";
        EXPECT_LT(plan[i].counted, plan[i].end);
      }
    }
}

TEST(SamplePlan, counts_whole_waves_in_at_most_thirty_batches_of_the_share_that_was_asked_for) {
  const std::vector<SampleBatch> plan = plan_sample(100000, 10, {0.2});
  ASSERT_EQ(plan.size(), 32u);
  for (std::size_t i = 1; i < 31; ++i) EXPECT_EQ((plan[i].end - plan[i].counted) % 10, 0u);
  EXPECT_LE(detailed(plan), 20000u);
  EXPECT_GT(detailed(plan), 20000u - 30 * 10 - 10);  // but for less than a wave a batch
}

// 2,400 blocks, 37 waves at either end and one before the last: 225 waves are eleven batches of twenty.
TEST(SamplePlan, has_more_batches_where_each_has_twenty_waves) {
  const std::vector<SampleBatch> plan = plan_sample(8000, 8, {0.3});
  EXPECT_EQ(plan.size(), 13u);
  for (const SampleBatch& batch : plan) EXPECT_EQ(batch.begin % 8, 0u) << "whole waves from the beginning";
}

TEST(SamplePlan, begins_elsewhere_with_another_seed_and_nowhere_else_with_the_same) {
  EXPECT_EQ(plan_sample(100000, 10, {0.2, 3}), plan_sample(100000, 10, {0.2, 3}));
  EXPECT_NE(plan_sample(100000, 10, {0.2, 3}), plan_sample(100000, 10, {0.2, 4}));
}

}  // namespace sample_plan_test
}  // namespace warpfork::gpu

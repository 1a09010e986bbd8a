// Who is asked whether to wait, and who learns. Expected values: by hand from CAPRI section II-C (a branch without an
// entry is adequate; the latest outcome counts).
#include "divergence/adequacy_prediction.h"

#include <gtest/gtest.h>

#include <array>

#include "one_warp.h"

namespace warpfork {
namespace adequacy_prediction_test {

constexpr Pc kBranch = 4;
const std::array kThreads{HomeLanes{0, ActiveMask(0b1111)}};

/// Warps at kBranch that need so many warps now, and needed two before.
Compaction compaction(unsigned after) {
  Compaction done;
  done.branch = kBranch;
  done.waited = WarpSet::single(0);
  done.before = 2;
  done.after = after;
  return done;
}

TEST(AdequacyPrediction, a_branch_is_adequate_as_the_latest_compaction_was) {
  AdequacyPrediction prediction(std::make_shared<CompactionPredictor>("latest", 0), nullptr);
  EXPECT_TRUE(prediction.advises_to_wait(0, kBranch, kThreads));
  prediction.learn(compaction(2));
  EXPECT_FALSE(prediction.advises_to_wait(0, kBranch, kThreads));
  prediction.learn(compaction(1));
  EXPECT_TRUE(prediction.advises_to_wait(0, kBranch, kThreads));
}

TEST(AdequacyPrediction, blocks_of_a_core_share_what_was_learnt) {
  const auto table = std::make_shared<CompactionPredictor>("latest", 0);
  AdequacyPrediction one(table, nullptr), other(table, nullptr);
  one.learn(compaction(2));
  EXPECT_FALSE(other.advises_to_wait(0, kBranch, kThreads));
}

TEST(AdequacyPrediction, what_warps_would_have_gained_is_learnt_too) {
  AdequacyPrediction prediction(std::make_shared<CompactionPredictor>("latest", 0), nullptr);
  prediction.learn(compaction(2));
  ShadowBarriers shadows;
  prediction.learn(compaction(1), shadows);
  EXPECT_TRUE(prediction.advises_to_wait(0, kBranch, kThreads));
}

TEST(AdequacyPrediction, an_oracle_is_asked_in_place_of_the_table_and_hears_what_came_of_it) {
  const auto table = std::make_shared<CompactionPredictor>("never", 0);
  CompactionProfile learnt(8);
  AdequacyPrediction prediction(table, std::make_unique<CompactionOracle>(Foresight{nullptr, &learnt}));
  prediction.launch(7, 1);
  prediction.execute(kBranch, kThreads);
  EXPECT_TRUE(prediction.advises_to_wait(0, kBranch, kThreads));  // nothing is known of the warp
  prediction.learn(compaction(2));
  ASSERT_EQ(learnt.of_block(7).size(), 1u);
  EXPECT_TRUE(learnt.of_block(7)[0].waited && learnt.of_block(7)[0].in_vain);
}

}  // namespace adequacy_prediction_test
}  // namespace warpfork

#include "experiment/band.h"

#include <gtest/gtest.h>

#include "unit/experiment/sample.h"

namespace warpfork::experiment {
namespace band_test {

/// The mean over two benchmarks (A 1.5, B 0.5: 0.75), told as a band over two choices.
class BandTest : public testing::Test {
 protected:
  BandTest() {
    claim_.configuration = "new";
    claim_.of = "mean";
    claim_.band = true;
    plan_.choices = {{"slow", {"a=1"}}, {"fast", {"a=2"}}};
    totals_[{"A", "new", "slow"}] = {{"cycles", 300}};
    totals_[{"A", "new", "fast"}] = {{"cycles", 100}};
    totals_[{"B", "new", "fast"}] = {{"cycles", 100}};
  }

  config::ExperimentPlan plan_ = sample_plan();
  Totals totals_ = sample_totals();
  config::Figure figure_ = speed_up_figure();
  config::Claim claim_;
};

// slow: A 300 / 300 and B as it is, 100 / 200: 2 / (1 + 2). fast: 300 / 100 and 100 / 100: 2 / (1 / 3 + 1).
TEST_F(BandTest, tells_which_choice_gives_the_lowest_and_the_highest_number) {
  const std::optional<Band> band = band_of(plan_, totals_, figure_, claim_);
  ASSERT_TRUE(band);
  EXPECT_DOUBLE_EQ(band->own.value, 0.75);
  EXPECT_DOUBLE_EQ(band->lowest().value, 2.0 / 3);
  EXPECT_EQ(band->lowest().choice, "slow");
  EXPECT_DOUBLE_EQ(band->highest().value, 1.5);
  EXPECT_EQ(band->highest().choice, "fast");
}

TEST_F(BandTest, ends_at_the_configurations_own_number_if_no_choice_goes_beyond) {
  plan_.choices.pop_back();
  EXPECT_EQ(band_of(plan_, totals_, figure_, claim_)->highest().choice, "");
}

TEST_F(BandTest, is_told_of_marked_claims_where_choices_are_open) {
  claim_.band = false;
  EXPECT_FALSE(band_of(plan_, totals_, figure_, claim_));
  claim_.band = true;
  plan_.choices.clear();
  EXPECT_FALSE(band_of(plan_, totals_, figure_, claim_));
}

}  // namespace band_test
}  // namespace warpfork::experiment

#include "experiment/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/experiment/sample.h"

namespace warpfork::experiment {
namespace evaluation_test {

using config::Claim;
using config::Quantity;
using testing::DoubleEq;
using testing::Eq;
using testing::Optional;

class EvaluationTest : public testing::Test {
 protected:
  static Quantity misses(Quantity::Relation relation = Quantity::Relation::None) {
    Quantity quantity;
    quantity.value = {"cache/misses"};
    quantity.relation = relation;
    return quantity;
  }
  static Claim claim(const std::string& of, std::optional<double> at_least, std::optional<double> at_most) {
    Claim claim;
    claim.configuration = "new";
    claim.of = of;
    claim.at_least = at_least;
    claim.at_most = at_most;
    return claim;
  }

  const config::ExperimentPlan plan_ = sample_plan();
  const Totals totals_ = sample_totals();
  const Evaluation evaluation_{plan_, totals_};
  const config::Figure figure_ = speed_up_figure();
  const Quantity speed_up_ = figure_.quantities[0];
};

TEST_F(EvaluationTest, reads_a_number_and_divides_it) {
  EXPECT_THAT(evaluation_.value(misses(), "A", "new"), Optional(DoubleEq(2)));
  Quantity all = misses();
  all.value = {"cache/misses", "cache/hits"};
  EXPECT_THAT(evaluation_.value(all, "B", "new"), Optional(DoubleEq(4)));
  Quantity share = misses();
  share.per = {"cache"};  // the sum of its numbers: 4
  share.times = 100;
  EXPECT_THAT(evaluation_.value(share, "A", "new"), Optional(DoubleEq(50)));
  share.per = {"cache/misses", "cache/hits", "cycles"};  // 2 + 2 + 200
  EXPECT_THAT(evaluation_.value(share, "A", "new"), Optional(DoubleEq(100 * 2.0 / 204)));
  share.per = {"cache/misses", "cache/evictions"};
  EXPECT_THAT(evaluation_.value(share, "A", "new"), Eq(std::nullopt));
}

TEST_F(EvaluationTest, is_refused_of_a_number_that_no_run_has) {
  config::ExperimentPlan plan = plan_;
  plan.figures = {figure_};
  require_numbers(plan, totals_);
  plan.figures[0].quantities[0].per = {"cache/mises"};
  EXPECT_THAT([&] { require_numbers(plan, totals_); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(
                  "Figure 1, 'speed-up': no run has a number 'cache/mises'\n  nearest: cache/misses")));
  plan.figures[0].quantities[0].per = {"cache"};  // the sum of its numbers
  Totals totals = totals_;
  for (auto& [name, counted] : totals)
    if (name.configuration == "old") counted.erase("cache");
  require_numbers(plan, totals);  // one run has it
}

TEST_F(EvaluationTest, adds_up_a_list) {
  const Totals totals = {{{"A", "new"}, {{"histogram", {1, 2, 4}}, {"name", "f"}}}};
  Quantity sum = misses();
  sum.value = {"histogram"};
  EXPECT_THAT(Evaluation(plan_, totals).value(sum, "A", "new"), Optional(DoubleEq(7)));
  sum.value = {"name"};
  EXPECT_THAT(Evaluation(plan_, totals).value(sum, "A", "new"), Eq(std::nullopt));
}

TEST_F(EvaluationTest, relates_it_to_the_baseline) {
  EXPECT_THAT(evaluation_.value(speed_up_, "A", "new"), Optional(DoubleEq(1.5)));
  EXPECT_THAT(evaluation_.value(speed_up_, "A", "old"), Optional(DoubleEq(1)));
  EXPECT_THAT(evaluation_.value(misses(Quantity::Relation::OfBaseline), "A", "new"), Optional(DoubleEq(2)));
}

TEST_F(EvaluationTest, has_no_value_where_a_number_is_missing_or_divided_by_zero) {
  EXPECT_THAT(evaluation_.value(misses(Quantity::Relation::OfBaseline), "B", "new"), Eq(std::nullopt));
  EXPECT_THAT(evaluation_.value(speed_up_, "C", "new"), Eq(std::nullopt));
  Quantity unknown;
  unknown.value = {"cache/evictions"};
  EXPECT_THAT(evaluation_.value(unknown, "A", "new"), Eq(std::nullopt));
}

TEST_F(EvaluationTest, forms_means) {
  EXPECT_THAT(evaluation_.mean(figure_, speed_up_, "new"), Optional(DoubleEq(2 / (1 / 1.5 + 1 / 0.5))));
  config::Figure arithmetic = figure_;
  arithmetic.mean = config::Mean::Arithmetic;
  EXPECT_THAT(evaluation_.mean(arithmetic, speed_up_, "new"), Optional(DoubleEq(1)));
  arithmetic.mean = config::Mean::None;
  EXPECT_THAT(evaluation_.mean(arithmetic, speed_up_, "new"), Eq(std::nullopt));
}

TEST_F(EvaluationTest, holds_claims_against_their_bounds) {
  EXPECT_THAT(evaluation_.holds(figure_, claim("A", 1.5, std::nullopt)), Optional(true));
  EXPECT_THAT(evaluation_.holds(figure_, claim("A", 1.6, std::nullopt)), Optional(false));
  EXPECT_THAT(evaluation_.holds(figure_, claim("largest", std::nullopt, 1.4)), Optional(false));
  EXPECT_THAT(evaluation_.holds(figure_, claim("smallest", 0.5, 0.5)), Optional(true));
  EXPECT_THAT(evaluation_.holds(figure_, claim("mean", 0.7, 0.8)), Optional(true));
  EXPECT_THAT(evaluation_.holds(figure_, claim("C", 0, std::nullopt)), Eq(std::nullopt));
}

TEST_F(EvaluationTest, orders_benchmarks_by_what_they_gain_over_another_configuration) {
  config::Figure cycles = figure_;
  cycles.quantities[0].relation = Quantity::Relation::None;
  Claim order;
  order.configuration = "new";  // 200 cycles each
  order.greater = {"B"};        // 200 / 100
  order.lesser = {"A"};         // 200 / 300
  EXPECT_THAT(evaluation_.holds(cycles, order), Optional(false));
  order.over = "old";
  EXPECT_THAT(evaluation_.holds(cycles, order), Optional(true));
}

TEST_F(EvaluationTest, does_not_judge_all_benchmarks_by_some) {
  config::ExperimentPlan part = plan_;
  part.benchmarks.resize(1);
  part.is_partial = true;
  const Evaluation of_part(part, totals_);
  for (const char* of : {"mean", "largest", "smallest"}) {
    EXPECT_THAT(of_part.subject(figure_, claim(of, 1, std::nullopt)), Optional(DoubleEq(1.5)));
    EXPECT_THAT(of_part.holds(figure_, claim(of, 1, std::nullopt)), Eq(std::nullopt)) << of;
  }
  EXPECT_THAT(of_part.holds(figure_, claim("A", 1, std::nullopt)), Optional(true));
  Claim among = claim("mean", 1, std::nullopt);
  among.among = {"A"};
  EXPECT_THAT(of_part.holds(figure_, among), Optional(true));
  among.among = {"A", "B"};
  EXPECT_THAT(of_part.holds(figure_, among), Eq(std::nullopt));
}

TEST_F(EvaluationTest, takes_means_over_the_benchmarks_of_the_figure) {
  config::Figure only_b = figure_;
  only_b.benchmarks = {"B"};
  EXPECT_THAT(evaluation_.mean(only_b, speed_up_, "new"), Optional(DoubleEq(0.5)));
  EXPECT_THAT(evaluation_.subject(only_b, claim("largest", 1, std::nullopt)), Optional(DoubleEq(0.5)));
  config::ExperimentPlan part = plan_;
  part.is_partial = true;
  part.benchmarks.erase(part.benchmarks.begin());  // --only B
  EXPECT_THAT(Evaluation(part, totals_).holds(only_b, claim("mean", 1, std::nullopt)), Optional(false));
  only_b.benchmarks = {"B", "A"};
  EXPECT_THAT(Evaluation(part, totals_).holds(only_b, claim("mean", 1, std::nullopt)), Eq(std::nullopt));
}

TEST_F(EvaluationTest, compares_configurations_in_a_claim) {
  Claim over = claim("A", std::nullopt, std::nullopt);
  over.over = "old";
  EXPECT_THAT(evaluation_.subject(figure_, over), Optional(DoubleEq(1.5)));
}

// Of A 1.5 / 1, of B 0.5 / 1: the quotients are formed before their extreme is looked for.
TEST_F(EvaluationTest, divides_benchmark_by_benchmark_before_it_takes_a_mean_or_an_extreme) {
  Claim over = claim("largest", std::nullopt, std::nullopt);
  over.over = "old";
  over.quantity = 1;
  config::Figure cycles = figure_;
  cycles.quantities.emplace_back();
  cycles.quantities[1].value = {"cycles"};                                // A 200 / 300, B 200 / 100
  EXPECT_THAT(evaluation_.subject(cycles, over), Optional(DoubleEq(2)));  // not 200 / 300
  over.of = "mean";
  EXPECT_THAT(evaluation_.subject(cycles, over), Optional(DoubleEq(2 / (1.5 + 0.5))));  // harmonic
}

TEST_F(EvaluationTest, takes_a_mean_or_an_extreme_of_the_benchmarks_that_a_claim_names) {
  Claim among = claim("largest", std::nullopt, std::nullopt);
  among.among = {"B"};
  EXPECT_THAT(evaluation_.subject(figure_, among), Optional(DoubleEq(0.5)));
}

TEST_F(EvaluationTest, orders_benchmarks_in_a_claim) {
  Claim order = claim("", std::nullopt, std::nullopt);
  order.greater = {"A"};
  order.lesser = {"B"};
  EXPECT_THAT(evaluation_.holds(figure_, order), Optional(true));
  std::swap(order.greater, order.lesser);
  EXPECT_THAT(evaluation_.holds(figure_, order), Optional(false));
  order.lesser = {"C"};
  EXPECT_THAT(evaluation_.holds(figure_, order), Eq(std::nullopt));
}

}  // namespace evaluation_test
}  // namespace warpfork::experiment

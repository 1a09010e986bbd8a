#include "experiment/report.h"

#include <gtest/gtest.h>

#include "unit/experiment/sample.h"

namespace warpfork::experiment {
namespace report_test {

config::ExperimentPlan plan_with_claims() {
  config::ExperimentPlan plan = sample_plan();
  config::Figure figure = speed_up_figure();
  config::Claim faster, order, absent;
  faster.text = "new is faster, mean";
  faster.paper = "1.2";
  faster.configuration = order.configuration = absent.configuration = "new";
  faster.of = "mean";
  faster.at_least = 1;
  order.text = "A gains most";
  order.greater = {"A"};
  order.lesser = {"B"};
  absent.text = "C gains";
  absent.of = "C";
  absent.at_least = 1;
  figure.claims = {faster, order, absent};
  plan.figures = {figure};
  return plan;
}

TEST(ExperimentReport, sets_the_paper_beside_ours) {
  // 2 / (1 / 1.5 + 1 / 0.5) = 0.75
  EXPECT_EQ(figures_text(plan_with_claims(), sample_totals()), R"(
Figure 1: speed-up
  speed-up        old    new
  A              1.00   1.50
  B              1.00  0.500
  harmonic mean  1.00  0.750
  - new is faster, mean: paper 1.2, here 0.750 (does not hold here)
  + A gains most
  ? C gains: here – (not measured)
)");
}

TEST(ExperimentReport, sets_the_papers_numbers_into_a_column) {
  config::ExperimentPlan plan = plan_with_claims();
  plan.figures[0].claims.clear();
  plan.figures[0].quantities[0].paper = {{"B", 0.4}};
  EXPECT_EQ(figures_text(plan, sample_totals()), R"(
Figure 1: speed-up
  speed-up        old    new  paper
  A              1.00   1.50      –
  B              1.00  0.500  0.400
  harmonic mean  1.00  0.750
)");
  EXPECT_EQ(figures_json(plan, "small", sample_totals())["figures"][0]["quantities"][0]["paper"],
            report::Json({{"B", 0.4}}));
}

TEST(ExperimentReport, says_that_a_mean_of_some_benchmarks_is_not_judged) {
  config::ExperimentPlan plan = plan_with_claims();
  plan.benchmarks.resize(1);
  plan.is_partial = true;
  EXPECT_NE(figures_text(plan, sample_totals())
                .find("\n  ? new is faster, mean: paper 1.2, here 1.50 (of these benchmarks alone: not judged)\n"),
            std::string::npos);
}

TEST(ExperimentReport, shows_the_configurations_that_the_figure_names) {
  config::ExperimentPlan plan = plan_with_claims();
  plan.figures[0].configurations = {"new"};
  plan.figures[0].claims.clear();
  plan.figures[0].mean = config::Mean::None;
  EXPECT_EQ(figures_text(plan, sample_totals()), R"(
Figure 1: speed-up
  speed-up    new
  A          1.50
  B         0.500
)");
}

TEST(ExperimentReport, sets_the_quantities_of_one_configuration_side_by_side) {
  config::ExperimentPlan plan = plan_with_claims();
  config::Figure& figure = plan.figures[0];
  figure.configurations = {"new"};
  figure.claims.clear();
  config::Quantity misses;
  misses.title = "misses";
  misses.value = {"cache/misses"};
  misses.paper = {{"B", 4}};
  figure.quantities.push_back(misses);
  EXPECT_EQ(figures_text(plan, sample_totals()), R"(
Figure 1: speed-up
  new            speed-up  misses  paper
  A                  1.50    2.00      –
  B                 0.500    3.00   4.00
  harmonic mean     0.750    2.40
)");
}

// Misses of a cache are 1 and 0, 2 and 3.
TEST(ExperimentReport, sets_the_means_of_quantities_side_by_side) {
  config::ExperimentPlan plan = plan_with_claims();
  config::Figure& figure = plan.figures[0];
  figure.mean = config::Mean::Arithmetic;
  figure.by_configuration = true;
  config::Quantity misses;
  misses.title = "misses";
  misses.value = {"cache/misses"};
  figure.quantities.push_back(misses);
  figure.claims.resize(1);
  EXPECT_EQ(figures_text(plan, sample_totals()), R"(
Figure 1: speed-up
  mean  speed-up  misses
  old       1.00   0.500
  new       1.00    2.50
  + new is faster, mean: paper 1.2, here 1.00
)");
}

/// B is recorded twice: 200 and 250 cycles under "new", 100 under "old" each time, so that it is 0.5 and 0.4 as fast.
Totals totals_of_two_recordings() {
  Totals totals = sample_totals();
  totals[{"B", "new", "", 1}] = {{"cycles", 250}};
  return totals;
}

// A: 1.5 each time. Means: 0.75 and 2 / (1 / 1.5 + 1 / 0.4) = 0.6316. A claim must hold every time.
TEST(ExperimentReport, tells_how_far_recordings_differ) {
  config::ExperimentPlan plan = plan_with_claims();
  plan.figures[0].claims.resize(1);
  plan.figures[0].claims[0].at_least = 0.7;
  EXPECT_EQ(figures_text(plan, totals_of_two_recordings()), R"(
Figure 1: speed-up
  speed-up        old           new
  A              1.00          1.50
  B              1.00  0.450 ±0.050
  harmonic mean  1.00  0.691 ±0.059
  - new is faster, mean: paper 1.2, here 0.691 ±0.059 (does not hold here)
)");
  const report::Json figure = figures_json(plan, "small", totals_of_two_recordings())["figures"][0];
  EXPECT_EQ(figure["quantities"][0]["ranges"]["B"]["new"], report::Json({0.4, 0.5}));
  EXPECT_EQ(figure["quantities"][0]["ranges"]["A"]["new"], report::Json({1.5, 1.5}));
}

TEST(ExperimentReport, shows_bands_below_the_claims) {
  config::ExperimentPlan plan = plan_with_claims();
  plan.figures[0].configurations = {"new"};
  plan.figures[0].claims.resize(1);
  plan.figures[0].claims[0].band = true;
  plan.choices = {{"late", {"a=1"}}, {"early", {"a=2"}}};
  Totals totals = sample_totals();
  totals[{"A", "new", "late"}] = {{"cycles", 300}};
  EXPECT_EQ(figures_text(plan, totals), R"(
Figure 1: speed-up
  speed-up         new
  A               1.50
  B              0.500
  harmonic mean  0.750
  - new is faster, mean: paper 1.2, here 0.750 (does not hold here)
  over what the paper leaves open  paper  as it is        lowest           highest
  new is faster, mean                1.2     0.750  0.667 (late)  0.750 (as it is)
)");
  EXPECT_EQ(figures_json(plan, "small", totals)["figures"][0]["claims"][0]["band"]["early"], 0.75);
}

TEST(ExperimentReport, is_whole_as_json) {
  const report::Json document = figures_json(plan_with_claims(), "small", sample_totals());
  EXPECT_EQ(document["scale"], "small");
  const report::Json& figure = document["figures"][0];
  EXPECT_EQ(figure["quantities"][0]["values"]["A"]["new"], 1.5);
  EXPECT_EQ(figure["quantities"][0]["means"]["new"], 0.75);
  EXPECT_EQ(figure["claims"][0]["holds"], false);
  EXPECT_EQ(figure["claims"][2]["holds"], nullptr);
  ASSERT_EQ(document["runs"].size(), 4u);
  EXPECT_EQ(document["runs"][1]["benchmark"], "A");
  EXPECT_EQ(document["runs"][1]["configuration"], "new");
  EXPECT_EQ(document["runs"][1]["arguments"][0], "8");
  EXPECT_EQ(document["runs"][1]["totals"]["cycles"], 200);
}

}  // namespace report_test
}  // namespace warpfork::experiment

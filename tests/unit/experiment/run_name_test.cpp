#include "experiment/run_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/experiment/sample.h"

namespace warpfork::experiment {
namespace run_name_test {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// The sample's claim compares "new" with "old", the baseline; "third" is in no band.
config::ExperimentPlan plan_with_band() {
  config::ExperimentPlan plan = sample_plan();
  plan.configurations[0].core = "smt";
  plan.configurations[1].core = "simt-x";
  plan.configurations.push_back({"third", "", {}, "simt-x"});
  plan.benchmarks = {{"A", "a", {}}};
  plan.figures = {speed_up_figure()};
  config::Claim claim;
  claim.configuration = "new";
  claim.of = "mean";
  claim.band = true;
  plan.figures[0].claims = {claim};
  plan.choices = {{"for all", {"a=1"}}, {"for one", {"b=2"}, {"simt-x"}}};
  return plan;
}

TEST(Runs, are_every_benchmark_on_every_configuration_and_bands_where_a_choice_matters) {
  EXPECT_THAT(runs_of(plan_with_band(), 1),
              UnorderedElementsAre(RunName{"A", "old"}, RunName{"A", "new"}, RunName{"A", "third"},
                                   RunName{"A", "old", "for all"}, RunName{"A", "new", "for all"},
                                   RunName{"A", "new", "for one"}));
}

TEST(Runs, leave_the_baseline_out_of_a_band_that_is_not_relative_to_it) {
  config::ExperimentPlan plan = plan_with_band();
  plan.figures[0].quantities[0].relation = config::Quantity::Relation::None;
  plan.configurations.pop_back();
  EXPECT_THAT(runs_of(plan, 1), UnorderedElementsAre(RunName{"A", "old"}, RunName{"A", "new"},
                                                     RunName{"A", "new", "for all"}, RunName{"A", "new", "for one"}));
}

// "A" is in a figure of all configurations, "B" in one of "new" alone; the baseline is what numbers are relative to.
TEST(Runs, are_those_that_a_figure_asks_for) {
  config::ExperimentPlan plan = plan_with_band();
  plan.choices.clear();
  plan.benchmarks.push_back({"B", "b", {}});
  plan.figures[0].benchmarks = {"A"};
  plan.figures.push_back(speed_up_figure());
  plan.figures[1].benchmarks = {"B"};
  plan.figures[1].configurations = {"new"};
  EXPECT_THAT(runs_of(plan, 1), UnorderedElementsAre(RunName{"A", "old"}, RunName{"A", "new"}, RunName{"A", "third"},
                                                     RunName{"B", "old"}, RunName{"B", "new"}));
}

TEST(Runs, are_as_many_as_recordings_of_programs_whose_recordings_differ) {
  config::ExperimentPlan plan = sample_plan();
  plan.configurations.pop_back();
  plan.benchmarks[1].varies = true;
  EXPECT_THAT(runs_of(plan, 2),
              UnorderedElementsAre(RunName{"A", "old"}, RunName{"B", "old"}, RunName{"B", "old", "", 1}));
}

TEST(Runs, share_a_run_of_the_program_where_only_kernels_differ) {
  config::ExperimentPlan plan = sample_plan();
  plan.configurations.pop_back();
  plan.benchmarks = {{"A_0", "a", {"8"}}, {"B", "b", {"8"}}, {"A_1", "a", {"8"}}, {"A small", "a", {"4"}}};
  const std::vector<RunName> runs = runs_of(plan, 1);
  EXPECT_THAT(shared_runs(plan, runs),
              ElementsAre(ElementsAre(RunName{"A_0", "old"}, RunName{"A_1", "old"}), ElementsAre(RunName{"B", "old"}),
                          ElementsAre(RunName{"A small", "old"})));
}

TEST(Runs, are_not_shared_between_configurations_choices_or_recordings) {
  const config::ExperimentPlan plan = plan_with_band();
  for (const auto& together : shared_runs(plan, runs_of(plan, 1))) EXPECT_EQ(together.size(), 1u);
  EXPECT_EQ(shared_runs(sample_plan(), {{"A", "old"}, {"A", "old", "", 1}}).size(), 2u);
}

TEST(Runs, make_a_choice_behind_what_the_configuration_sets) {
  config::ExperimentPlan plan = plan_with_band();
  plan.configurations[1].overrides = {"b=1"};
  EXPECT_THAT(configuration_of(plan, {"A", "new", "for one"}).overrides, ElementsAre("b=1", "b=2"));
  EXPECT_THAT(configuration_of(plan, {"A", "new"}).overrides, ElementsAre("b=1"));
}

}  // namespace run_name_test
}  // namespace warpfork::experiment

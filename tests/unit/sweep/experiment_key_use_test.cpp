// What an experiment sets without effect is refused, by the name of what says so.
#include "sweep/experiment_key_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/text_file.h"

namespace warpfork::sweep {
namespace experiment_key_use_test {

using config::Configuration;
using config::ExperimentPlan;
using testing::ThrowsMessage;

ExperimentPlan of_mechanisms() {
  ExperimentPlan plan;
  plan.machine = "gtx480";
  plan.configurations = {{.name = "stack", .divergence = "pdom", .overrides = {}},
                         {.name = "blocks", .divergence = "capri", .overrides = {}}};
  return plan;
}

ExperimentPlan of_cores() {
  ExperimentPlan plan;
  plan.configurations = {{.name = "smt", .divergence = "", .overrides = {}, .core = "smt", .warps = 2, .threads = 4},
                         {.name = "x", .divergence = "", .overrides = {}, .core = "simt-x", .warps = 2, .threads = 4}};
  return plan;
}

TEST(ExperimentKeyUse, of_all_configurations_needs_one_that_uses_the_key) {
  ExperimentPlan plan = of_mechanisms();
  plan.overrides = {"divergence.predictor=never", "core.warps=24"};
  EXPECT_NO_THROW(require_key_use(plan));
  plan.overrides = {"divergence.max_splits=2"};
  EXPECT_THAT([&] { require_key_use(plan); },
              ThrowsMessage<Error>(testing::StartsWith("all configurations: --set divergence.max_splits=2: "
                                                       "pdom and capri do not use divergence.max_splits")));
}

TEST(ExperimentKeyUse, of_a_configuration_is_its_own) {
  ExperimentPlan plan = of_mechanisms();
  plan.configurations[1].overrides = {"divergence.predictor=never"};
  EXPECT_NO_THROW(require_key_use(plan));
  plan.configurations[0].overrides = {"divergence.predictor=never"};
  EXPECT_THAT([&] { require_key_use(plan); },
              ThrowsMessage<Error>("configuration 'stack': --set divergence.predictor=never: pdom does not use "
                                   "divergence.predictor\n  used by capri"));
}

TEST(ExperimentKeyUse, of_lanes_is_of_those_that_the_configuration_names) {
  ExperimentPlan plan = of_mechanisms();
  plan.configurations[0].overrides = {"core.lanes.width=8"};
  EXPECT_THROW(require_key_use(plan), Error);
  plan.configurations[0].lanes = "stsimt";
  EXPECT_NO_THROW(require_key_use(plan));
}

TEST(ExperimentKeyUse, of_a_choice_is_of_the_cores_that_it_is_for) {
  ExperimentPlan plan = of_cores();
  plan.choices = {{.name = "renaming", .overrides = {"rename=rat"}, .cores = {"simt-x"}}};
  EXPECT_NO_THROW(require_key_use(plan));
  plan.choices[0].cores = {"smt"};
  EXPECT_THAT([&] { require_key_use(plan); },
              ThrowsMessage<Error>("choice 'renaming': --set rename=rat: smt does not use rename\n  used by simt-x"));
}

TEST(ExperimentKeyUse, of_the_papers_experiments_is_given) {
  for (const char* const name : {"capri", "mechanisms-and-lanes", "multipath", "simt-x", "stsimt"}) {
    const std::string file = "experiments/" + std::string(name) + "/experiment.toml";
    EXPECT_NO_THROW(require_key_use(config::parse_experiment(config::read_text(file), file, "small"))) << name;
  }
}

}  // namespace experiment_key_use_test
}  // namespace warpfork::sweep

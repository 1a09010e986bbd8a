#include "sweep/experiment_key_use.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "simulation/cpu_work.h"
#include "simulation/key_use.h"
#include "simulation/simulation.h"

namespace warpfork::sweep {

namespace {

using config::Configuration;
using config::ExperimentPlan;

simulation::KeyUsers key_users_of(const ExperimentPlan& plan, const Configuration& configuration) {
  simulation::WorkOptions options;
  options.machine = plan.machine;
  options.overrides = plan.overrides;
  std::ranges::copy(configuration.overrides, std::back_inserter(options.overrides));
  return simulation::key_users(options, {configuration.divergence, configuration.lanes});
}

/// One of the configurations at least must use each key; `part` of the plan says so.
void require_use(const std::string& part, const std::vector<std::string>& overrides, const ExperimentPlan& plan,
                 std::span<const Configuration> configurations) try {
  if (overrides.empty()) return;
  if (plan.machine.empty()) {
    std::vector<std::string> cores;
    for (const Configuration& each : configurations) cores.push_back(each.core);
    return simulation::require_use(overrides, cores);
  }
  std::vector<simulation::KeyUsers> gpus;
  for (const Configuration& each : configurations) gpus.push_back(key_users_of(plan, each));
  for (const std::string& assignment : overrides) simulation::require_key_use(assignment, gpus);
} catch (const Error& error) {
  throw Error("{}: {}", part, error.what());
}

std::vector<Configuration> with_choice(const ExperimentPlan& plan, const config::OpenChoice& choice) {
  std::vector<Configuration> concerned;
  for (const Configuration& each : plan.configurations)
    if (choice.cores.empty() || std::ranges::find(choice.cores, each.core) != choice.cores.end())
      concerned.push_back(each);
  return concerned;
}

}  // namespace

void require_key_use(const ExperimentPlan& plan) {
  require_use("all configurations", plan.overrides, plan, plan.configurations);
  for (const Configuration& each : plan.configurations)
    require_use("configuration '" + each.name + "'", each.overrides, plan, {&each, 1});
  for (const config::OpenChoice& choice : plan.choices)
    require_use("choice '" + choice.name + "'", choice.overrides, plan, with_choice(plan, choice));
}

}  // namespace warpfork::sweep

#include "experiment/run_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/named.h"

namespace warpfork::experiment {

namespace {

using config::Configuration;
using config::ExperimentPlan;
using config::OpenChoice;
using config::Quantity;

/// Those that a number depends on which is told as a band.
std::set<std::string> banded(const ExperimentPlan& plan) {
  std::set<std::string> names;
  for (const config::Figure& figure : plan.figures)
    for (const config::Claim& claim : figure.claims) {
      if (!claim.band) continue;
      names.insert({claim.configuration, claim.over});
      if (figure.quantities[claim.quantity].relation != Quantity::Relation::None) names.insert(plan.baseline);
    }
  return names;
}

bool concerns(const OpenChoice& choice, const Configuration& configuration) {
  return choice.cores.empty() || std::ranges::find(choice.cores, configuration.core) != choice.cores.end();
}

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

/// Whether a number of the figure is of this configuration: of what it shows, what that is relative to, its claims.
bool asks(const ExperimentPlan& plan, const config::Figure& figure, const std::string& configuration) {
  return configuration == plan.baseline || names(figure.configurations, configuration) ||
         std::ranges::any_of(figure.claims, [&](const config::Claim& claim) {
           return claim.configuration == configuration || claim.over == configuration;
         });
}

/// Whether a figure has a number of the benchmark under this configuration.
bool is_asked(const ExperimentPlan& plan, const std::string& benchmark, const std::string& configuration) {
  return plan.figures.empty() || std::ranges::any_of(plan.figures, [&](const config::Figure& figure) {
           return names(figure.benchmarks, benchmark) && asks(plan, figure, configuration);
         });
}

}  // namespace

std::vector<RunName> runs_of(const ExperimentPlan& plan, unsigned recordings) {
  const std::set<std::string> with_band = banded(plan);
  std::vector<RunName> runs;
  for (const config::Benchmark& benchmark : plan.benchmarks)
    for (const Configuration& configuration : plan.configurations) {
      if (!is_asked(plan, benchmark.name, configuration.name)) continue;
      for (unsigned recording = 0; recording < (benchmark.varies ? recordings : 1); ++recording)
        runs.push_back({benchmark.name, configuration.name, "", recording});
      if (!with_band.contains(configuration.name)) continue;
      for (const OpenChoice& choice : plan.choices)
        if (concerns(choice, configuration)) runs.push_back({benchmark.name, configuration.name, choice.name});
    }
  return runs;
}

std::vector<std::vector<RunName>> shared_runs(const ExperimentPlan& plan, const std::vector<RunName>& runs) {
  using Work = std::tuple<std::string, std::vector<std::string>, std::vector<std::string>, RunName>;
  std::vector<std::vector<RunName>> shared;
  std::map<Work, std::size_t> known;
  for (const RunName& run : runs) {
    const config::Benchmark& benchmark = find_named(plan.benchmarks, run.benchmark, "benchmark", "benchmarks");
    const Work work(benchmark.program, benchmark.arguments, benchmark.region,
                    {"", run.configuration, run.choice, run.recording});
    const auto [place, is_new] = known.try_emplace(work, shared.size());
    if (is_new) shared.emplace_back();
    shared[place->second].push_back(run);
  }
  return shared;
}

Configuration configuration_of(const ExperimentPlan& plan, const RunName& run) {
  Configuration configuration = find_named(plan.configurations, run.configuration, "configuration", "configurations");
  if (run.choice.empty()) return configuration;
  const OpenChoice& choice = find_named(plan.choices, run.choice, "choice", "choices");
  configuration.overrides.insert(configuration.overrides.end(), choice.overrides.begin(), choice.overrides.end());
  return configuration;
}

}  // namespace warpfork::experiment

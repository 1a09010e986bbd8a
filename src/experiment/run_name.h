// The runs of an experiment.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "config/experiment_plan.h"

namespace warpfork::experiment {

/// What tells a run from the others of its experiment.
struct RunName {
  std::string benchmark, configuration;
  std::string choice = {};  // of what the paper leaves open; empty: the configuration as it is
  unsigned recording = 0;   // of a program whose recordings differ

  auto operator<=>(const RunName&) const = default;
};

/// All runs that the plan's figures need, benchmark by benchmark: every configuration, for a program whose recordings
/// differ so many times; and under each open choice the configurations whose numbers are told as a band, if it makes a
/// difference to their core.
std::vector<RunName> runs_of(const config::ExperimentPlan& plan, unsigned recordings);

/// The same runs, those together that are answered by one run of a program: of benchmarks that differ in nothing but
/// the kernels that count.
std::vector<std::vector<RunName>> shared_runs(const config::ExperimentPlan& plan, const std::vector<RunName>& runs);

/// The run's configuration, with its choice made.
config::Configuration configuration_of(const config::ExperimentPlan& plan, const RunName& run);

}  // namespace warpfork::experiment

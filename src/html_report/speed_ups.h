// How much faster each mechanism (or lane organisation, core, configuration) does the same work.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "html_report/run.h"

namespace warpfork::html_report {

/// Runs that differ in nothing but what is compared are one group; each run's speed-up is the time of the group's run
/// of the baseline, divided by its own. Time is cycles by clock, where machines tell theirs.
struct SpeedUps {
  std::vector<std::string> contestants;  ///< in the order in which they come up
  std::vector<std::string> baselines;    ///< the first of them; where there are CPUs and GPUs the first of each
  std::vector<std::string> groups;       ///< likewise
  /// By contestant and group; nothing: no such run, or none of the baseline.
  std::vector<std::vector<std::optional<double>>> values;
  /// By contestant: the geometric mean over the groups that have a value of every contestant. Speed-ups are ratios: no
  /// other mean says the same when another contestant is the baseline (Fleming and Wallace, 1986).
  std::vector<std::optional<double>> means;
  std::size_t groups_of_means = 0;
  std::vector<std::optional<double>> of_run;  ///< as runs are numbered

  /// Whether a group has the baseline and another contestant.
  bool compares_any() const;
};

/// `varying`: as varying_settings() says. Without anything that can be compared there are no contestants.
SpeedUps speed_ups(std::span<const Run> runs, const std::vector<std::string>& varying);

}  // namespace warpfork::html_report

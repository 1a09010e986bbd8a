// The same work under several mechanisms, each in a process of its own, several at a time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulation/output_difference.h"
#include "simulation/work.h"

namespace warpfork::sweep {

/// What `compare` came to.
struct SideBySide {
  std::vector<std::pair<std::string, simulation::Work>> works;  // by the names of their mechanisms
  std::vector<std::string> cut_off;                             // what is to be said of each that a limit ended
  std::optional<simulation::OutputDifference>
      difference;  // of the outputs of those that ended: the first that there is

  /// The document of --json; launches that were cut off say so.
  report::Json document() const;
  /// Throws Error with the difference; but for one of numbers where these may differ.
  void require_same_output(bool numbers_may_differ) const;
  /// Throws Error if a limit ended some of them.
  void require_whole() const;
};

/// The work under each of the options' divergence mechanisms with each of their lane organisations; without any, under
/// all divergence mechanisms. The runs are jobs of the local engine. Throws Error if a name is unknown, if an option
/// would not be heeded, or what stopped the first of the runs that failed.
SideBySide compare_mechanisms(const simulation::WorkOptions& options);

/// What such a job does: `words` are those of its command. Returns its exit status.
int run_contestant(const std::vector<std::string>& words);

}  // namespace warpfork::sweep

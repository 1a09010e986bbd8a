// The same work under several mechanisms, several at a time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulation/work.h"

namespace warpfork::simulation {

/// The work under each choice, in their order, whatever the number of `jobs` that run at a time. A program's output is
/// captured. Throws what the first of the choices threw that failed.
std::vector<Work> do_side_by_side(const WorkOptions& options, const std::vector<MechanismChoice>& choices,
                                  unsigned jobs);

/// What `compare` came to.
struct SideBySide {
  std::vector<std::pair<std::string, Work>> works;  // by the names of their mechanisms

  /// The document of --json.
  report::Json document() const;
};

/// The work under each of the options' divergence mechanisms with each of their lane organisations; without any, under
/// all divergence mechanisms. Throws Error if a name is unknown, a run fails, or the outputs differ.
SideBySide compare_mechanisms(const WorkOptions& options);

}  // namespace warpfork::simulation

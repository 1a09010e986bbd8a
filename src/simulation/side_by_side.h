// The same work under several mechanisms, several at a time.
#pragma once

#include <vector>

#include "simulation/work.h"

namespace warpfork::simulation {

/// The work under each choice, in their order, whatever the number of `jobs` that run at a time. A program's output is
/// captured. Throws what the first of the choices threw that failed.
std::vector<Work> do_side_by_side(const WorkOptions& options, const std::vector<MechanismChoice>& choices,
                                  unsigned jobs);

}  // namespace warpfork::simulation

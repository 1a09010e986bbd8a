// How much of what kernels execute could be executed once for a warp.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulation/work_options.h"

namespace warpfork::simulation {

/// Of a kernel, over all its launches, as threads of a warp meet behind each branch (pdom).
struct ExecutedScalars {
  std::uint64_t warp_instructions = 0;
  std::uint64_t divergent = 0, convergent_only = 0;  // of these, those that are scalar under the rule
};

/// By kernel, as the PTX names it. Does the work without timing, once for each rule, with registers as the PTX has
/// them. What a program prints is not shown, what it was refused is told on standard error. Throws Error for whatever
/// stops the run.
std::map<std::string, ExecutedScalars> executed_scalars(WorkOptions work);

}  // namespace warpfork::simulation

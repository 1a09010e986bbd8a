// The warp that `explain` and `step` tell of: how a user names it, and what a run leaves of it.
#pragma once

#include <exception>

#include "cli/program_options.h"
#include "explain/explainer.h"
#include "simulation/work.h"

namespace warpfork::cli {

/// Of options.explain: --kernel, --launch-number, --warp.
void add_warp_options(Command& command, WorkOptions& options);

struct WatchedWarp {
  process::Outcome outcome;
  explain::Result result;
  std::exception_ptr failure;  // of the launch; what came before it is told all the same
};

/// Does the work. What the program complains of goes to standard error. Throws Error if the program has no such warp.
WatchedWarp watch_warp(WorkOptions& options, const MechanismChoice& mechanisms);

}  // namespace warpfork::cli

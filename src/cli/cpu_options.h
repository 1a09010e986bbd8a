// The options of `warpfork cpu run` and `warpfork cpu compare`.
#pragma once

#include "cli/command_line.h"
#include "simulation/cpu_work.h"

namespace warpfork::cli {

using simulation::CpuOptions;

/// RECORDING, --warps, --threads, --machine, --set and --json.
void add_cpu_options(Command& command, CpuOptions& options);

}  // namespace warpfork::cli

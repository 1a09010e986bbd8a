// The options of `warpfork cpu run` and `warpfork cpu compare`.
#pragma once

#include "simulation/cpu_work.h"

namespace CLI {
class App;
}

namespace warpfork::cli {

using simulation::CpuOptions;

/// RECORDING, --warps, --threads, --machine, --set and --json.
void add_cpu_options(CLI::App& command, CpuOptions& options);

}  // namespace warpfork::cli

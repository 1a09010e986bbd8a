// What `warpfork cpu run` and `warpfork cpu compare` print.
#pragma once

#include <string>
#include <vector>

#include "simulation/cpu_result.h"

namespace warpfork::cli {

/// A row for each result, and where the cycles of its warps went: what docs/cpu.md explains.
///
///   core     cycles  speed-up   IPC  occupancy  mispredicted  divergent  merges    energy
///   smt     174 339     1.00×  2.37       1.00        3.87 %     0.00 %  0.0 /k  391.2 µJ
///
///   cycles of a warp    busy  memory  latency  width  rename  front_end  waiting  ended
///   smt               41.0 %  30.0 %   10.0 %  5.0 %   9.0 %      3.0 %    1.0 %  1.0 %
std::string cpu_table(const std::vector<simulation::CpuResult>& results);

}  // namespace warpfork::cli

// What makes up one point, and why a sweep runs it or does not.
#pragma once

#include <string>

#include "sweep/point_list.h"
#include "sweep/result_folder.h"

namespace warpfork::sweep {

/// `list`: the plan's points; null = without a plan. `point`: its id, the first digits of it that no other has, or its
/// file. Throws Error if neither the plan nor the folder has it.
///
/// Printed sample:
///   point 0f3a5c11e0d2b479: bfs on gtx480: nodes 1000
///     program    ./bfs  sha256 6b1c…
///     arguments  --nodes 1000
///     machine    gtx480 with core.warps=24  sha256 11f0…
///     options    {"functional_only":false,"energy":false,"kernels":"","max_cycles":0}
///     simulator  {"version":"0.1.0","commit":"0123456789ab"}
///   It is not there: a sweep runs it.
///   77b01c9a64e2f035 in points/ was the same but for: program, simulator
std::string why(const PointList* list, const ResultFolder& results, const std::string& point);

}  // namespace warpfork::sweep

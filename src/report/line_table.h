// A kernel's source lines, the costliest first, as text of 80 columns.
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// Of the launches of one kernel; empty where nobody asked for lines.
///
/// Printed sample:
///   t.cu
///   line    PTX    time  issues  stalled by, %   lost  trans.  rounds  miss
///   9     45…52  61.3 %   24.6k  pipeline 48.1  0.0 %    16.5       –  8192
std::string line_table(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report

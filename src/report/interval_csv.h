// Statistics over time as comma-separated values, for a spreadsheet or gnuplot.
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// A row for each interval of each launch (docs/result-schema.md, `samples`), the names first; values of several lanes
/// stand in one column, parted by spaces.
///
/// Printed sample:
///   launch,kernel,begin,cycles,warp_instructions,…,stall_cycles.pipeline,…,lane_threads
///   1,bfs,0,1000,1234,…,17,…,
std::string interval_csv(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report

// A run over time: what `run --interval` counted, thinned to what a chart can show.
#pragma once

#include "html_report/run.h"
#include "report/json.h"

namespace warpfork::html_report {

inline constexpr std::size_t kMostSamples = 600;  ///< of a run's timeline, about as many as a chart has pixels

/// Launches one behind the other, as none overlaps with another. Neighbouring intervals are joined where a launch has
/// more than its part of kMostSamples; means are then those of the joined time. null where nothing was counted over
/// time.
///
/// Keys: `launches` (name, begin), and lists with a value for each sample: `begin` (core cycles), `ipc`,
/// `active_lanes`, `warps`, `splits` (where counted), `l1d_misses` and `l2_misses` (share), `dram` (bursts a cycle),
/// `waits` (by cause: shares of all scheduler cycles, lists too). A launch ends with an empty sample (null), so that
/// lines break.
report::Json timeline_of(const Run& run);

}  // namespace warpfork::html_report

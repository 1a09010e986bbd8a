// What a report draws of one run, and no more: of hundreds of runs a page may hold all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "html_report/run.h"
#include "report/json.h"

namespace warpfork::html_report {

/// A column of the table of runs, and what heat maps can show.
struct Metric {
  std::string key, title, unit, about;
  int digits = 0;  ///< behind the point
};

/// In the order of the columns.
const std::vector<Metric>& metrics();

/// By metric, null where the run has no such number.
report::Json metric_values(const Run& run, std::optional<double> speed_up);

/// Keys, each left out where the run has nothing of it:
///   waits   share of scheduler cycles (of a CPU: warp-cycles), by what they were spent on: issued, or a cause of stall
///   lanes   share of warp instructions, by active lanes from 0 on
///   splits  share of warp-cycles, by splits from 0 on
///   energy  nJ by part
///   caches  accesses and misses, by cache
///   dram    bursts read and written
report::Json figures_of(const Run& run);

}  // namespace warpfork::html_report

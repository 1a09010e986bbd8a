// Roofline of a GPU (Williams, Waterman and Patterson, CACM 2009), in thread instructions instead of floating-point
// operations, as Ding and Williams do ("An Instruction Roofline Model for GPUs", 2019).
#pragma once

#include <optional>

#include "html_report/run.h"

namespace warpfork::html_report {

/// What a machine can do at most.
struct Roof {
  /// Thread instructions a core cycle, of all cores. Lanes side by side take a warp from each scheduler; others do as
  /// many as there are ALUs.
  double peak = 0;
  double bytes = 0;  ///< of DRAM a core cycle, of all channels
  bool operator==(const Roof&) const = default;
};

/// Where a run lies.
struct RooflinePoint {
  double intensity = 0;    ///< thread instructions a byte read from or written to DRAM
  double performance = 0;  ///< thread instructions a core cycle
};

/// Of a GPU's run; nothing of others.
std::optional<Roof> roof_of(const Run& run);
/// Nothing without a roof, and of a run that did not ask DRAM for anything.
std::optional<RooflinePoint> roofline_point(const Run& run);

}  // namespace warpfork::html_report

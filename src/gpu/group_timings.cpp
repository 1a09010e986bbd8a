#include "gpu/group_timings.h"

#include <algorithm>
#include <cmath>

namespace warpfork::gpu {

namespace {

/// Cycles that a group keeps units of which so many work on it side by side.
unsigned group_interval(unsigned interval, unsigned side_by_side, unsigned of_threads) {
  return std::max(1u, static_cast<unsigned>(std::lround(double(interval) * side_by_side / of_threads)));
}

}  // namespace

GroupTimings::GroupTimings(const CoreSpec& spec) {
  const ExecutionSpec& execution = spec.execution;
  for (unsigned i = 0; i < timings_.size(); ++i) {
    const UnitTimingSpec of_class = execution.of(static_cast<simt::TimingClass>(i));
    Timing& timing = timings_[i];
    const bool is_special = of_class.unit == "sfu";
    const unsigned units = is_special ? execution.sfu_units : execution.sp_units;
    timing.interval =
        group_interval(of_class.interval, is_special ? 1 : spec.lanes.alus, execution.warp_threads * units);
    timing.depth = of_class.latency > of_class.interval ? of_class.latency - of_class.interval : 0;
    if (is_special) timing.special = of_class.interval;
  }
}

unsigned GroupTimings::longest() const {
  unsigned longest = 0;
  for (unsigned i = 0; i < timings_.size(); ++i)
    longest = std::max(
        longest, timings_[i].interval * simt::most_steps_of(static_cast<simt::TimingClass>(i)) + timings_[i].depth);
  return longest;
}

}  // namespace warpfork::gpu

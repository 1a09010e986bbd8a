#include "gpu/execution_units.h"

#include <algorithm>

namespace warpfork::gpu {

ExecutionUnits::ExecutionUnits(const ExecutionSpec& spec, InFlightPool& pool)
    : pool_(pool),
      bus_count_(spec.result_buses),
      entry_free_{std::vector<Cycle>(spec.sp_units), std::vector<Cycle>(spec.sfu_units)} {}

void ExecutionUnits::end_kernel() {
  for (std::vector<Cycle>& units : entry_free_) std::fill(units.begin(), units.end(), 0);
  arrivals_.fill({});
}

}  // namespace warpfork::gpu

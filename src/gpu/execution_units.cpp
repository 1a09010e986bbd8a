#include "gpu/execution_units.h"

#include <algorithm>

namespace warpfork::gpu {

ExecutionUnits::ExecutionUnits(const ExecutionSpec& spec, InFlightPool& pool)
    : pool_(pool),
      first_{0, spec.sp_units, spec.sp_units + spec.sfu_units},
      entry_free_(first_[kKinds]),
      results_(first_[kKinds], spec.result_buses) {}

void ExecutionUnits::end_kernel() {
  std::fill(entry_free_.begin(), entry_free_.end(), 0);
  results_.end_kernel();
}

}  // namespace warpfork::gpu

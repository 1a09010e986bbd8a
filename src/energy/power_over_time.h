// The power of a GPU while a launch went on.
#pragma once

#include <vector>

#include "energy/price_list.h"
#include "gpu/machine_spec.h"
#include "report/launch_record.h"

namespace warpfork::energy {

/// Watts in each window of a launch, and in what is left behind the last whole one.
struct PowerOverTime {
  std::vector<std::vector<double>> parts;  ///< by GpuPart, then by window

  /// The sum of all parts but the DRAM.
  std::vector<double> processor() const;
};

/// By the windows of `launch.activity`. What is not counted by window, schedulers and the clock of lanes that are not
/// gated, is spread evenly: the whole is energy_of().
PowerOverTime power_over_time(const gpu::MachineSpec& machine, const report::LaunchRecord& launch,
                              const GpuPriceList& prices);

}  // namespace warpfork::energy

// The power of a GPU while a launch went on.
#pragma once

#include <vector>

#include "energy/price_list.h"
#include "gpu/machine_spec.h"
#include "report/launch_record.h"

namespace warpfork::energy {

/// Watts of the processor in each window of `launch.activity`, and in what is left behind the last whole one. What is
/// not counted by window, schedulers and the clock of lanes that are not gated, is spread evenly: the whole is
/// energy_of().
std::vector<double> power_over_time(const gpu::MachineSpec& machine, const report::LaunchRecord& launch,
                                    const GpuPriceList& prices);

}  // namespace warpfork::energy

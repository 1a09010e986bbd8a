// The energy of a run on a GPU and the area of its chip.
#pragma once

#include "energy/area_report.h"
#include "energy/energy_report.h"
#include "energy/gpu_structures.h"
#include "report/launch_record.h"

namespace warpfork::energy {

/// `counts`: of a launch, or sums of several, with their activity (LaunchOptions::counts_activity). What is formed from
/// which count: docs/energy.md.
EnergyReport energy_of(const gpu::MachineSpec& machine, const report::LaunchRecord& counts, const GpuPriceList& prices);

/// Of one core cycle in which every scheduler issues, all arithmetic units multiply and add, and caches, shared memory,
/// interconnect and DRAM do all that they can: its watts() are the peak power.
EnergyReport peak_of(const gpu::MachineSpec& machine, const GpuPriceList& prices);

AreaReport area_of(const gpu::MachineSpec& machine, const GpuPriceList& prices);

/// The leakage of the whole chip, in mW.
double leakage_mw_of(const gpu::MachineSpec& machine, const GpuPriceList& prices);

}  // namespace warpfork::energy

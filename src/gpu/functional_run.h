// A launch without timing: every block executed to its end, one after the other.
#pragma once

#include "gpu/launch_options.h"
#include "gpu/machine_spec.h"
#include "report/launch_record.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Throws Error for what the kernel does wrong, for a deadlock at a barrier, and when options.max_cycles are over.
report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options);

}  // namespace warpfork::gpu

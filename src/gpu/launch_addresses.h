// Where a launch lies in the address map for caches and channels.
#pragma once

#include <cstdint>

#include "gpu/machine_spec.h"
#include "simt/launch.h"

namespace warpfork::gpu {

struct LaunchAddresses {
  std::uint64_t code = 0;         // of the kernel's first instruction: no other kernel lies there
  std::uint64_t local_bytes = 0;  // that local memory takes of each core: core n's begins n times that many further on
};

/// Throws Error if code, parameters or local memory do not fit into their ranges (simt/address_map.h).
LaunchAddresses launch_addresses(const MachineSpec& spec, const simt::Launch& launch);

}  // namespace warpfork::gpu

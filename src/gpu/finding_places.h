// How the findings of a launch name accesses and memory.
#pragma once

#include <cstdint>

#include "report/finding.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// `access`: "read", "write" or "atomic".
report::AccessPlace access_place(const simt::Program& program, const char* access, Dim3 block, Dim3 thread, Pc pc);

/// Of a device address.
report::AllocationPlace allocation_place(const simt::DeviceMemory& memory, std::uint64_t address);

}  // namespace warpfork::gpu

// What an access to memory that takes no time leaves in the caches.
#pragma once

#include "memory/cache.h"
#include "memory/memory_system.h"
#include "simt/memory_access.h"

namespace warpfork::gpu {

/// An access to device memory goes through a core's cache, unless it is atomic, and from there to the L2 with what the
/// cache does not hold. Nothing is counted in the core; other spaces' accesses do nothing.
void pass_through(const simt::MemoryAccess& access, memory::Cache& cache, memory::MemorySystem& memory);

}  // namespace warpfork::gpu

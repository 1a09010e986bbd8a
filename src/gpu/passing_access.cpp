#include "gpu/passing_access.h"

#include <array>
#include <span>

#include "memory/coalescer.h"

namespace warpfork::gpu {

void pass_through(const simt::MemoryAccess& access, memory::Cache& cache, memory::MemorySystem& memory) {
  if (access.space != simt::MemorySpace::Global) return;
  const bool is_write = access.is_write || access.is_atomic;
  std::array<memory::Segment, kMaxWarpSize> segments;
  const unsigned line_bytes = cache.spec().line_bytes;
  const unsigned count = is_write ? memory::coalesce(access.address, access.lanes, access.bytes, line_bytes, segments)
                                  : memory::coalesce_lines(access.address, access.lanes, line_bytes, segments);
  for (const memory::Segment& segment : std::span(segments.data(), count)) {
    const bool is_done = !access.is_atomic && cache.pass(segment.address, is_write);
    if (!is_done) memory.pass(segment.address, segment.bytes, is_write);
  }
}

}  // namespace warpfork::gpu

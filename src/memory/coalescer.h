// From the addresses of a warp's lanes to memory requests: coalescing after compute capability 2.0, and shared-memory
// bank conflicts (gtx480.md, "Coalescing", "Shared memory").
#pragma once

#include <cstdint>
#include <span>

#include "base/active_mask.h"

namespace warpfork::memory {

/// A request that serves several lanes.
struct Segment {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// Lanes grouped by 128-byte segment (64 for 2-byte, 32 for 1-byte elements), or by the line of the cache that is
/// asked, if that is shorter; a segment of which only one half is touched shrinks to 64 bytes, then to 32 if only one
/// quarter is. Segments come in the order of their lowest lanes. `address` has an element per lane of the mask's width.
/// Returns the number of segments written to `segments`, which has room for one per lane.
unsigned coalesce(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes, unsigned line_bytes,
                  std::span<Segment> segments);

/// The same for atomics, which go to the L2's lines: lanes that touch the same bytes go in separate segments.
unsigned coalesce_atomic(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                         std::span<Segment> segments);

/// Lines of `line_bytes` touched, each asked for whole: constant and parameter reads.
unsigned coalesce_lines(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned line_bytes,
                        std::span<Segment> segments);

/// Rounds a shared-memory access takes: the largest number of different 4-byte words in one bank, at least 1.
unsigned bank_conflict_rounds(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned banks);

}  // namespace warpfork::memory

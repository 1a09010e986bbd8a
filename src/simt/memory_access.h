// What one warp's memory instruction touched: functional execution hands it to the timing model.
#pragma once

#include <array>
#include <cstdint>

#include "base/active_mask.h"
#include "simt/program.h"

namespace warpfork::simt {

struct MemoryAccess {
  using Addresses = std::array<std::uint64_t, kMaxWarpSize>;

  MemorySpace space = MemorySpace::None;  // generic accesses are resolved; lanes of one access share a space
  ActiveMask lanes;                       // active and guard true
  std::uint8_t bytes = 0;                 // per lane
  bool is_write = false;
  bool is_atomic = false;
  bool has_changed = false;  // of an atomic: some word holds another value than before
  /// Per lane: device address (global, const), offset in the block's shared memory, in the thread's local memory, or
  /// in the parameter buffer. Undefined for lanes that are not in `lanes`.
  Addresses address;
};

}  // namespace warpfork::simt

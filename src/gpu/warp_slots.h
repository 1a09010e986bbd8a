// Sets of a core's warp slots.
#pragma once

#include <cstdint>

namespace warpfork::gpu {

/// A set of a core's warp slots, bit w = slot w.
using WarpSlots = std::uint64_t;

}  // namespace warpfork::gpu

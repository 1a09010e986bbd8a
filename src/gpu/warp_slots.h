// Sets of a core's warp slots.
#pragma once

#include "base/bit_set.h"

namespace warpfork::gpu {

/// Warp slots of a core, bit w = slot w.
using WarpSlots = BitSet<struct WarpSlotsTag, 64>;

}  // namespace warpfork::gpu

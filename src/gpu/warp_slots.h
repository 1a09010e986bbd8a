// Sets of a core's warp slots.
#pragma once

#include "base/bit_set.h"

namespace warpfork::gpu {

/// Warp slots of a core, bit w = slot w: at most as many as there are bits.
using WarpSlots = BitSet<struct WarpSlotsTag, 128>;

}  // namespace warpfork::gpu

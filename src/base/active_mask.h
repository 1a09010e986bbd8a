// The set of lanes of one warp: the active mask of SIMT execution.
#pragma once

#include "base/bit_set.h"

namespace warpfork {

/// Bit i = lane i.
using ActiveMask = BitSet<struct LanesTag, 64>;

/// Largest warp any machine may describe; an ActiveMask has one bit per lane.
inline constexpr unsigned kMaxWarpSize = ActiveMask::kCapacity;

}  // namespace warpfork

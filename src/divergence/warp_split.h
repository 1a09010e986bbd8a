// A warp split: lanes of one warp that share a program counter (MULTIPATH section 2.2).
#pragma once

#include <span>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork {

/// Warps of one thread block, bit w = warp w.
using WarpSet = BitSet<struct WarpsTag, 64>;
/// Most warps of a block on any machine.
inline constexpr unsigned kMaxWarpsPerBlock = WarpSet::kCapacity;

/// Places for the splits of one warp, bit s = slot s: at most one split per lane.
using SlotSet = BitSet<struct SlotsTag, 64>;
inline constexpr unsigned kSplitsPerWarp = SlotSet::kCapacity;
static_assert(kSplitsPerWarp == kMaxWarpSize);

/// Lanes of a split whose threads belong to one warp of the block. Threads may be regrouped across warps, but a thread
/// keeps its lane, and its registers stay in its home warp (CAPRI section II).
struct HomeLanes {
  WarpId warp = 0;
  ActiveMask lanes;
};

struct WarpSplit {
  SplitId id = 0;
  WarpId warp = 0;
  Pc pc = 0;
  ActiveMask lanes;
  /// When the split comes to this PC the domain must be told (advance): its lanes have arrived at their reconvergence
  /// point.
  Pc reconvergence_pc = kNoPc;
  /// If it holds lanes of other warps than `warp`, in whose place it runs: its lanes by home warp, ascending, none
  /// empty, masks disjoint. As long as the split stays as it is.
  std::span<const HomeLanes> homes;

  bool compacted() const { return !homes.empty(); }
};

/// Where some of the active lanes of an instruction go next.
struct Path {
  Pc pc = 0;
  ActiveMask lanes;
};

}  // namespace warpfork

// The order in which the warps of a core are served in a cycle.
#pragma once

#include <utility>

#include "base/bit_set.h"
#include "base/types.h"
#include "ooo/paths/lane_mask.h"
#include "ooo/remainder.h"

namespace warpfork::ooo {

/// Warps of a core, which has at most as many as lanes.
using WarpSet = BitSet<struct WarpsTag, kMaxLanes>;

/// The warps take turns in being served first: every cycle it is the next one.
class Turns {
 public:
  explicit Turns(unsigned warps) : warps_(warps) {}

  void begin_cycle(Cycle now) { before_first_ = WarpSet::first(static_cast<unsigned>(remainder(now, warps_))); }

  /// Calls visit(warp) for each of these, in their order in this cycle, until it returns false.
  template <class Visit>
  void visit(WarpSet these, Visit&& visit) const {
    for (WarpSet left = these - before_first_, later = these & before_first_;; left = std::exchange(later, {}))
      if (left.any_of([&](unsigned warp) { return !visit(warp); }) || later.none()) return;
  }

 private:
  unsigned warps_;
  WarpSet before_first_;  // those numbered below the one that is first
};

}  // namespace warpfork::ooo

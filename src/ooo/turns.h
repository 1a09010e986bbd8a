// The order in which the warps of a core are served in a cycle.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "base/types.h"
#include "ooo/remainder.h"

namespace warpfork::ooo {

/// A set of warps, bit i = warp i: a core has at most as many as lanes, 64.
using WarpSet = std::uint64_t;

constexpr WarpSet only(unsigned warp) { return WarpSet{1} << warp; }

/// The warps take turns in being served first: every cycle it is the next one.
class Turns {
 public:
  explicit Turns(unsigned warps) : warps_(warps) {}

  void begin_cycle(Cycle now) { from_first_ = ~WarpSet{0} << remainder(now, warps_); }

  /// Calls visit(warp) for each of these, in their order in this cycle, until it returns false.
  template <class Visit>
  void visit(WarpSet these, Visit&& visit) const {
    for (WarpSet left = these & from_first_, before = these & ~from_first_;; left = std::exchange(before, 0)) {
      for (; left != 0; left &= left - 1)
        if (!visit(static_cast<unsigned>(std::countr_zero(left)))) return;
      if (before == 0) return;
    }
  }

 private:
  unsigned warps_;
  WarpSet from_first_ = ~WarpSet{0};  // the one that is first, and those numbered above it
};

}  // namespace warpfork::ooo

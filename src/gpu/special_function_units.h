// The special-function units of a core as its temporal lanes find them in one cycle.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace warpfork::gpu {

/// All lanes share them: STSIMT Table III has two for eight lanes, and section 3.1 counts integer, floating-point and
/// memory resources alone to what a lane has of its own. They are pipelined: an instruction whose warp keeps them for
/// `interval` cycles takes interval / warp of their cycle for each thread, so that where a sine takes 16 cycles, two
/// threads enter in each.
class SpecialFunctionUnits {
 public:
  /// `warp_threads`: what intervals are for, times the units that there are.
  explicit SpecialFunctionUnits(unsigned warp_threads) : threads_(warp_threads) {}

  /// Whether a thread of an instruction with this interval enters in this cycle.
  bool serve(unsigned interval, Cycle now) {
    if (!has_room(now)) return false;
    free_ = std::max(free_, now * threads_) + interval;
    return true;
  }
  /// Whether any thread would.
  bool has_room(Cycle now) const { return free_ < (now + 1) * threads_; }
  void forget() { free_ = 0; }

 private:
  unsigned threads_;
  Cycle free_ = 0;  // in cycles / threads_
};

}  // namespace warpfork::gpu

// When each core of a device next has something to do.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/wake_wheel.h"

namespace warpfork::gpu {

/// Cores that sleep cost nothing. The cycles that are asked for come in order.
class CoreCalendar {
 public:
  /// Of at most memory::WakeWheel::kComponents cores, which have nothing to do.
  explicit CoreCalendar(unsigned cores) : wake_(cores, kNever) {}

  /// Back to cycle 0 with nothing to do for anybody.
  void reset() {
    std::fill(wake_.begin(), wake_.end(), kNever);
    wheel_.reset();
  }
  /// The core has something to do in this cycle, and no longer in the one that was said before; kNever = in none.
  void wake(unsigned core, Cycle at) {
    wake_[core] = at;
    if (at != kNever) wheel_.wake(core, at);
  }
  Cycle of(unsigned core) const { return wake_[core]; }

  /// Moves to cycle `now` and returns who has something to do in it, a bit each.
  std::uint64_t due(Cycle now) {
    std::uint64_t due = 0;
    for (std::uint64_t cores = wheel_.advance(now); cores != 0; cores &= cores - 1) {
      const auto core = static_cast<unsigned>(std::countr_zero(cores));
      if (wake_[core] <= now)
        due |= cores & -cores;
      else
        wake(core, wake_[core]);  // it was beyond the wheel's horizon, or is late by now
    }
    return due;
  }
  /// The first cycle in which anybody has. Of who was due it has been said when that is next.
  Cycle next() const {
    const Cycle soonest = wheel_.next();
    for (std::uint64_t cores = wheel_.in(soonest); cores != 0; cores &= cores - 1)
      if (wake_[static_cast<unsigned>(std::countr_zero(cores))] == soonest) return soonest;
    return *std::min_element(wake_.begin(), wake_.end());
  }

 private:
  std::vector<Cycle> wake_;  // by core
  memory::WakeWheel wheel_;  // holds every core that is to be woken, never later than it is due
};

}  // namespace warpfork::gpu

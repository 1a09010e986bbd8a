// When each core of a device next has something to do.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "memory/wake_wheel.h"

namespace warpfork::gpu {

/// Cores that sleep cost nothing. The cycles that are asked for come in order. Most cores that do something have
/// something to do in the next cycle, too: these have a set of their own.
class CoreCalendar {
 public:
  /// Of at most memory::WakeWheel::kComponents cores, which have nothing to do.
  explicit CoreCalendar(unsigned cores) : wake_(cores, kNever) {}

  /// Back to cycle 0 with nothing to do for anybody.
  void reset() {
    std::fill(wake_.begin(), wake_.end(), kNever);
    wheel_.reset();
    next_ = 0;
  }
  /// The core has something to do in this cycle, and no longer in the one that was said before; kNever = in none.
  void wake(unsigned core, Cycle at) {
    wake_[core] = at;
    const std::uint64_t bit = std::uint64_t{1} << core;
    next_ &= ~bit;
    if (at == wheel_.now() + 1)
      next_ |= bit;
    else if (at != kNever)
      wheel_.wake(core, at);
  }
  Cycle of(unsigned core) const { return wake_[core]; }

  /// Moves to cycle `now` and returns who has something to do in it, a bit each.
  std::uint64_t due(Cycle now) {
    std::uint64_t due = 0;
    if (now > wheel_.now()) due = std::exchange(next_, 0);
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
    if (next_ != 0) return wheel_.now() + 1;
    const Cycle soonest = wheel_.next();
    for (std::uint64_t cores = wheel_.in(soonest); cores != 0; cores &= cores - 1)
      if (wake_[static_cast<unsigned>(std::countr_zero(cores))] == soonest) return soonest;
    return *std::min_element(wake_.begin(), wake_.end());
  }

 private:
  std::vector<Cycle> wake_;  // by core
  std::uint64_t next_ = 0;   // cores that are to be woken in the cycle behind the present one, a bit each
  memory::WakeWheel wheel_;  // holds every other one that is to be woken, never later than it is due
};

}  // namespace warpfork::gpu

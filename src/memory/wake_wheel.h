// The calendar of the memory side: which sleeping component must be looked at in which core cycle.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"

namespace warpfork::memory {

/// One slot for each of the next 63 cycles, each a set of component numbers (0 to 63). A component that is wanted later
/// than that is woken at the horizon and asks again, so a call may come early, never late.
class WakeWheel {
 public:
  /// Components with a number below this fit in a set.
  static constexpr unsigned kComponents = 64;

  /// A time that has come already means the next cycle.
  void wake(unsigned component, Cycle at) {
    const unsigned slot = static_cast<unsigned>(std::clamp(at, now_ + 1, now_ + kSlots - 1) % kSlots);
    slots_[slot] |= std::uint64_t{1} << component;
    occupied_ |= std::uint64_t{1} << slot;
  }
  /// The first cycle after now() with somebody to wake; kNever when there is none.
  Cycle next() const {
    if (occupied_ == 0) return kNever;
    const std::uint64_t ahead = std::rotr(occupied_, static_cast<int>((now_ + 1) % kSlots));
    return now_ + 1 + static_cast<unsigned>(std::countr_zero(ahead));
  }
  /// Who is woken in this cycle, one of those that next() may return.
  std::uint64_t in(Cycle at) const { return slots_[at % kSlots]; }
  /// Moves to `now` and returns everybody whose time has come.
  std::uint64_t advance(Cycle now) {
    std::uint64_t due = 0;
    for (Cycle at = next(); at <= now && at != kNever; at = next()) {
      const unsigned slot = static_cast<unsigned>(at) % kSlots;
      due |= slots_[slot];
      slots_[slot] = 0;
      occupied_ &= ~(std::uint64_t{1} << slot);
    }
    now_ = now;
    return due;
  }
  Cycle now() const { return now_; }
  /// Back to cycle 0 with nobody to wake.
  void reset() { *this = WakeWheel(); }

 private:
  static constexpr Cycle kSlots = 64;

  std::array<std::uint64_t, kSlots> slots_{};
  std::uint64_t occupied_ = 0;
  Cycle now_ = 0;
};

}  // namespace warpfork::memory

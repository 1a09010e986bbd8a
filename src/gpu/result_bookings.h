// Which pipelines' ends and result buses are taken in the cycles to come.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "gpu/completion_wheel.h"

namespace warpfork::gpu {

/// What lies behind is cleared 64 cycles at a time, so that only a few lines of the host's cache are looked at, however
/// far ahead units may book.
class ResultBookings {
 public:
  ResultBookings(unsigned units, unsigned buses)
      : units_(units), buses_(buses), booked_(std::size_t{kTurn} * units), results_(kTurn * kCycles) {}

  /// The end of the unit's pipeline and a result bus in that cycle, if both are free. `now` never goes back; the
  /// arrival is less than CompletionWheel::kSlots cycles ahead of it.
  bool book(unsigned unit, Cycle now, Cycle arrival) {
    if (now / kCycles != present_) clear_behind(now / kCycles);
    std::uint8_t& results = results_[arrival % (kTurn * kCycles)];
    std::uint64_t& booked = booked_[arrival / kCycles % kTurn * units_ + unit];
    const std::uint64_t bit = std::uint64_t{1} << arrival % kCycles;
    if (results == buses_ || (booked & bit) != 0) return false;
    ++results;
    booked |= bit;
    return true;
  }
  /// A launch ends, with nothing under way: the next one counts its cycles from 0.
  void end_kernel() {
    std::fill(booked_.begin(), booked_.end(), 0);
    std::fill(results_.begin(), results_.end(), 0);
    present_ = 0;
  }

 private:
  static constexpr unsigned kCycles = 64;
  static constexpr unsigned kTurn = std::bit_ceil(CompletionWheel::kSlots / kCycles + 1);

  [[gnu::noinline]] void clear_behind(Cycle present) {
    for (Cycle past = std::max(present_, present - std::min<Cycle>(present, kTurn)); past != present; ++past) {
      std::fill_n(&booked_[past % kTurn * units_], units_, 0);
      std::fill_n(&results_[past % kTurn * kCycles], kCycles, 0);
    }
    present_ = present;
  }

  unsigned units_, buses_;
  Cycle present_ = 0;                  // by kCycles
  std::vector<std::uint64_t> booked_;  // by cycle / kCycles mod kTurn and unit, a bit for each cycle
  std::vector<std::uint8_t> results_;  // by cycle mod (kTurn * kCycles): at most one of each unit
};

}  // namespace warpfork::gpu

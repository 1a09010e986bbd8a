// A clock domain beside the core clock (interconnect and L2, or DRAM commands): which ticks fall into which core cycle.
#pragma once

#include <cstdint>
#include <numeric>

#include "base/types.h"

namespace warpfork::memory {

/// Index of a tick of a clock that is not the core's.
using Tick = std::uint64_t;

/// Tick t happens at time t × core/own, measured in core cycles, and is handled in the first core cycle that does not
/// come before that time. Whole-number arithmetic: the same on every host.
class ClockRatio {
 public:
  /// Both in MHz (or any other common unit), neither zero.
  ClockRatio(std::uint64_t own, std::uint64_t core) {
    const std::uint64_t common = std::gcd(own, core);
    own_ = own / common;
    core_ = core / common;
  }
  /// The last tick that has happened by `cycle`; tick 0 happens at cycle 0.
  Tick tick_at(Cycle cycle) const { return same() ? cycle : cycle * own_ / core_; }
  /// The core cycle that handles `tick`.
  Cycle cycle_of(Tick tick) const { return same() ? tick : (tick * core_ + own_ - 1) / own_; }

 private:
  bool same() const { return own_ == core_; }

  std::uint64_t own_, core_;
};

}  // namespace warpfork::memory

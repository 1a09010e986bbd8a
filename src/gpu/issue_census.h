// What a core's schedulers did in each cycle, counted for those who need not hear of each.
#pragma once

#include <utility>

#include "report/launch_listener.h"

namespace warpfork::gpu {

class IssueCensus {
 public:
  /// The listener hears of the core with this number.
  void begin_kernel(unsigned core, report::LaunchListener& listener) {
    core_ = core;
    listener_ = &listener;
    observed_ = listener.observes_stalls();
    sum_ = {};
  }

  /// The scheduler issued nothing for so many cycles from this one on.
  void stalled(unsigned scheduler, report::StallCause cause, Cycle from, Cycle cycles) {
    sum_.stalls[static_cast<unsigned>(cause)] += cycles;
    if (observed_) listener_->stalled({from, core_, scheduler}, cause, cycles);
  }
  /// The core held this many live warps, at least one; `idle`: it issued nothing.
  void occupied(unsigned live_warps, Cycle from, Cycle cycles, bool idle) {
    sum_.warps += live_warps * cycles;
    sum_.cycles += cycles;
    sum_.idle += idle ? cycles : 0;
    if (observed_) listener_->occupied({from, core_, 0}, live_warps, cycles);
  }
  /// Tells of what has been counted since the last time.
  void report() { listener_->scheduled(std::exchange(sum_, {})); }

 private:
  report::SchedulerCycles sum_;
  bool observed_ = false;  // the listener hears of every one, too
  unsigned core_ = 0;
  report::LaunchListener* listener_ = nullptr;
};

}  // namespace warpfork::gpu

// The time that the warp compaction unit of a core takes (docs/mechanisms/tbc.md).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "divergence/compaction.h"
#include "gpu/warp_slots.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// It forms one warp after the other; a warp may issue when it is formed.
class CompactionTiming {
 public:
  /// Takes so many core cycles for each warp that it forms.
  CompactionTiming(unsigned warps, unsigned cycles) : cycles_(cycles), warps_(warps) {}

  void begin_kernel(unsigned core, report::LaunchListener& listener) {
    core_ = core;
    listener_ = &listener;
    free_ = 0;
  }
  void issued(unsigned warp, Cycle now) { warps_[warp].last_issue = now; }
  /// What compaction has done in a block whose warps are in the slots from `first_warp` on, and the places whose warps
  /// it has formed.
  void take(unsigned first_warp, std::span<const Compaction> done, WarpSet formed, Cycle now);

  bool forms(unsigned warp) const { return forming_.contains(warp); }
  bool idle() const { return forming_.none(); }
  /// Warps that have been formed by now and may issue.
  WarpSlots take_formed(Cycle now);
  /// When the next one will be; kNever if there is none.
  Cycle next_event() const {
    Cycle next = kNever;
    forming_.for_each([&](unsigned warp) { next = std::min(next, warps_[warp].formed); });
    return next;
  }

 private:
  struct Warp {
    Cycle last_issue = 0, formed = 0;
  };

  unsigned cycles_;
  unsigned core_ = 0;
  report::LaunchListener* listener_ = nullptr;
  std::vector<Warp> warps_;
  WarpSlots forming_;
  Cycle free_ = 0;  // all that it was given is formed
};

}  // namespace warpfork::gpu

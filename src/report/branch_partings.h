// What the divergent branches of one warp cost it in lanes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork::report {

/// Lanes that wait for others are charged to the innermost branch that parted them from these. Issues with the same
/// lanes cost the same: they are counted, and charged together when the lanes change. `lost` is by PC.
class BranchPartings {
 public:
  using LaneSlots = std::span<std::uint64_t>;

  /// An instruction of the warp is issued.
  void issued(ActiveMask active, ActiveMask live, LaneSlots lost) {
    if (active != active_ || live != live_) change(active, live, lost);
    ++issues_;
  }
  /// What was issued is a branch, and its lanes part.
  void part(Pc branch, LaneSlots lost);
  /// Charges what has been counted.
  void settle(LaneSlots lost);
  /// Another warp comes in place of this one.
  void restart(LaneSlots lost);

 private:
  struct Parting {
    Pc branch = 0;
    ActiveMask lanes;  // before it
  };

  void change(ActiveMask active, ActiveMask live, LaneSlots lost);

  std::vector<Parting> partings_;  // whose lanes have not met again, the innermost last
  ActiveMask active_, live_;
  std::uint64_t issues_ = 0;  // with these lanes, not charged yet
};

}  // namespace warpfork::report

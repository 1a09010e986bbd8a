// What the divergent branches of one warp cost it in lanes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork::report {

/// Lanes that wait for others are charged to the innermost branch that parted them from these. `lost` is by PC.
class BranchPartings {
 public:
  using LaneSlots = std::span<std::uint64_t>;

  /// So many instructions of the warp have been issued with the same lanes.
  void issued(ActiveMask active, ActiveMask live, std::uint64_t times, LaneSlots lost);
  /// The last one is a branch, and its lanes part.
  void part(Pc branch) { partings_.push_back({branch, active_}); }
  /// Another warp comes in place of this one.
  void restart() { partings_.clear(); }

 private:
  struct Parting {
    Pc branch = 0;
    ActiveMask lanes;  // before it
  };

  std::vector<Parting> partings_;  // whose lanes have not met again, the innermost last
  ActiveMask active_;              // of the last instruction
};

}  // namespace warpfork::report

// The warp compaction unit: regroups the threads of waiting warps into as few warps as their lanes allow (CAPRI
// Figure 4).
#pragma once

#include <array>
#include <span>

#include "divergence/compacted_warp.h"

namespace warpfork {

/// Takes the threads of one side of a branch, warp by warp, and deals them lane by lane: the first thread in a lane
/// goes to the first compacted warp, the second to the second. Threads never leave their home lane, so that the number
/// of compacted warps is the largest number of threads in one lane.
class CompactionUnit {
 public:
  void clear() { before_ = after_ = 0; }

  /// The threads in these lanes (at least one) of one waiting warp. At most kMaxWarpsPerBlock calls after clear().
  void take(const CompactedWarp& warp, ActiveMask lanes) {
    ++before_;
    for (unsigned k = 0; lanes.any(); ++k) {
      if (k == after_) warps_[after_++].lanes = ActiveMask();
      const ActiveMask dealt = lanes - warps_[k].lanes;
      warps_[k].take(warp, dealt);
      lanes -= dealt;
    }
  }

  std::span<const CompactedWarp> warps() const { return {warps_.data(), after_}; }
  /// Warps that brought threads, and warps that they now fill.
  unsigned before() const { return before_; }
  unsigned after() const { return after_; }

 private:
  std::array<CompactedWarp, kMaxWarpsPerBlock> warps_;
  unsigned before_ = 0, after_ = 0;
};

}  // namespace warpfork

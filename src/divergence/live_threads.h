// The threads of a block that have not exited, by the warp in which they were launched.
#pragma once

#include <span>
#include <vector>

#include "divergence/compacted_warp.h"

namespace warpfork {

class LiveThreads {
 public:
  /// Warp w begins with lanes[w].
  void launch(std::span<const ActiveMask> lanes) {
    by_home_.assign(lanes.begin(), lanes.end());
    launched_ = ActiveMask();
    count_ = 0;
    for (const ActiveMask warp : lanes) {
      launched_ |= warp;
      count_ += warp.count();
    }
  }
  /// The threads in these lanes of the warp exit.
  void exit(const CompactedWarp& warp, ActiveMask exited) {
    exited.for_each([&](unsigned lane) { by_home_[warp.home[lane]] -= ActiveMask::single(lane); });
    count_ -= exited.count();
  }

  ActiveMask of(WarpId home) const { return by_home_[home]; }
  /// The lanes of the warp whose threads have not exited.
  ActiveMask of(const CompactedWarp& warp) const {
    ActiveMask live = warp.lanes;
    warp.lanes.for_each([&](unsigned lane) {
      if (!by_home_[warp.home[lane]].contains(lane)) live -= ActiveMask::single(lane);
    });
    return live;
  }
  bool none() const { return count_ == 0; }
  /// Lanes in which any warp was launched.
  ActiveMask launched() const { return launched_; }

 private:
  std::vector<ActiveMask> by_home_;
  ActiveMask launched_;
  unsigned count_ = 0;
};

}  // namespace warpfork

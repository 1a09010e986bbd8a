// The order in which a core's warps came to it.
#pragma once

#include <vector>

#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Warps come in groups, a block's, in which the lower slot is older.
class AgeOrder {
 public:
  /// The youngest from now on.
  void add(WarpSlots group) { groups_.push_back(group); }
  /// One that was added leaves.
  void remove(WarpSlots group) { std::erase(groups_, group); }
  void clear() { groups_.clear(); }

  /// Of some warps, at least one, which are all there. Few blocks are older than the one that is found, so that this
  /// costs less than to compare all warps.
  unsigned oldest(WarpSlots among) const {
    auto group = groups_.begin();
    while (!among.intersects(*group)) ++group;
    return (among & *group).lowest();
  }

 private:
  std::vector<WarpSlots> groups_;  // the oldest first
};

}  // namespace warpfork::gpu

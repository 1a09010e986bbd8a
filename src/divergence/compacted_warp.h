// A dynamic warp: threads of several warps of a block, each in its home lane (CAPRI section II-B).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "divergence/warp_split.h"

namespace warpfork {

/// Which thread is in which lane. A thread is known by its home warp and its lane.
struct CompactedWarp {
  ActiveMask lanes;
  std::array<std::uint8_t, kMaxWarpSize> home{};  // by lane; of `lanes` only

  static CompactedWarp of(WarpId warp, ActiveMask lanes) {
    CompactedWarp result{lanes, {}};
    result.home.fill(static_cast<std::uint8_t>(warp));
    return result;
  }

  /// Takes over the threads in these lanes of `from`; the lanes must be free here.
  void take(const CompactedWarp& from, ActiveMask taken) {
    lanes |= taken;
    taken.for_each([&](unsigned lane) { home[lane] = from.home[lane]; });
  }

  bool only_of(WarpId warp) const {
    bool all = true;
    lanes.for_each([&](unsigned lane) { all &= home[lane] == warp; });
    return all;
  }

  /// Replaces the list by the lanes by home warp, ascending.
  void list_homes(std::vector<HomeLanes>& list) const {
    std::array<ActiveMask, kMaxWarpsPerBlock> by_home;
    WarpSet homes;
    lanes.for_each([&](unsigned lane) {
      by_home[home[lane]] |= ActiveMask::single(lane);
      homes |= WarpSet::single(home[lane]);
    });
    list.clear();
    homes.for_each([&](unsigned warp) { list.push_back({warp, by_home[warp]}); });
  }
};

}  // namespace warpfork

// The parts of a block-wide mechanism without the mechanism: warps of four threads, one in each place.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "divergence/block_wide_stack.h"
#include "one_warp.h"

namespace warpfork {

struct BlockBench {
  explicit BlockBench(unsigned count, Pc entry = 0) : splits(count * kMaxWarpSize) {
    const std::vector<ActiveMask> lanes(count, ActiveMask::first(4));
    warps.resize(count);
    live.launch(lanes);
    stack.launch(entry, lanes);
    effects.clear();
  }

  /// The warp is at a branch and about to go there.
  void comes(WarpId place, std::vector<Path> paths) { warps[place].paths = std::move(paths); }
  /// "pc: lanes" or "pc: home:lanes home:lanes" of a warp that may issue.
  std::string at(WarpId place) const {
    if (!warps.runnable().contains(place)) return "nothing";
    std::string text = fmt::format("{}:", warps.split(place).pc);
    if (warps[place].homes.empty()) return text + " " + warps.split(place).lanes.to_string(4);
    for (const HomeLanes& home : warps[place].homes) text += fmt::format(" {}:{}", home.warp, home.lanes.to_string(4));
    return text;
  }

  std::vector<WarpSplit> splits;
  DomainEffects effects;
  LiveThreads live;
  BranchSides sides;
  DynamicWarps warps{splits, sides, effects};
  BlockWideStack stack{warps, sides, live, effects};
};

}  // namespace warpfork

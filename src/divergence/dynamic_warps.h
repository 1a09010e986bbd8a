// The warps that run in the places of a block's warps, as they are or regrouped (CAPRI section II-B).
#pragma once

#include <span>
#include <vector>

#include "divergence/branch_sides.h"
#include "divergence/compacted_warp.h"
#include "divergence/compaction_frame.h"
#include "divergence/domain_effects.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// What runs in a place; its pc and its lanes are those of the place's split.
struct DynamicWarp {
  FrameId frame = 0;
  SideId side = BranchSides::kRoot;
  unsigned turn = 0;  // see BranchVisits
  UMask u_mask = UMask::None;
  CompactedWarp threads;
  std::vector<HomeLanes> homes;  // if threads of other warps are among them
  std::vector<Path> paths;       // of the branch at which the warp waits or parts
};

/// One warp in each place; the split of place p has the id 64 p. A warp that has stopped keeps its place, a vacated
/// place holds none. Keeps BranchSides true, and tells of every place whose runnable() changes.
class DynamicWarps {
 public:
  DynamicWarps(std::vector<WarpSplit>& splits, BranchSides& sides, DomainEffects& effects)
      : splits_(splits), sides_(sides), effects_(effects) {}

  /// So many places, all vacant.
  void resize(std::size_t places) { warps_.assign(places, DynamicWarp{}); }
  std::size_t size() const { return warps_.size(); }

  DynamicWarp& operator[](WarpId place) { return warps_[place]; }
  const DynamicWarp& operator[](WarpId place) const { return warps_[place]; }
  WarpSplit& split(WarpId place) { return splits_[place * kMaxWarpSize]; }
  const WarpSplit& split(WarpId place) const { return splits_[place * kMaxWarpSize]; }
  /// Places whose warps may issue.
  WarpSet runnable() const { return runnable_; }

  void stop(WarpId place) {
    runnable_ -= WarpSet::single(place);
    effects_.changed |= WarpSet::single(place);
  }
  void go_on(WarpSet places) {
    runnable_ |= places;
    effects_.changed |= places;
  }
  /// The warp comes to its place and goes on there.
  void resume(const SuspendedWarp& suspended);
  /// The warps in these places are gone.
  void vacate(WarpSet places);
  /// Only the threads in these lanes are left of the warp.
  void keep(WarpId place, ActiveMask lanes);
  /// Gives all of them the turn of the one that is furthest ahead, and returns it.
  unsigned align_turns(WarpSet places);

  /// What is in the place now, to go on at `pc` in this turn.
  SuspendedWarp suspended(WarpId place, Pc pc, unsigned turn) const;
  /// The threads of the warp in this place by home warp; in `alone` if it has but one.
  std::span<const HomeLanes> threads_in(WarpId place, HomeLanes& alone) const;

 private:
  void list_homes(WarpId place);

  std::vector<WarpSplit>& splits_;
  BranchSides& sides_;
  DomainEffects& effects_;
  std::vector<DynamicWarp> warps_;
  WarpSet runnable_;
};

}  // namespace warpfork

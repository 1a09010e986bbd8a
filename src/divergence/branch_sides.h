// The sides of branches on which a block's warps are: the entries of the block-wide stack (CAPRI Figures 3 and 6).
#pragma once

#include <vector>

#include "divergence/branch_visits.h"
#include "divergence/shadow_barriers.h"
#include "divergence/warp_split.h"

namespace warpfork {

using SideId = unsigned;

/// What the branch's threads that go to `target` run until they come to `rpc`. Whoever goes there is on this side: a
/// warp as a whole, the part of one that diverges, a compacted warp.
struct BranchSide {
  static constexpr SideId kNone = ~0u;

  SideId parent = kNone, first_child = kNone, next_sibling = kNone;
  Pc branch = kNoPc, target = kNoPc;  // no target: the region up to rpc, around the sides of the branches in it
  Pc rpc = kNoPc;
  WarpSet inside;      // places whose warps are here or on a side within
  unsigned users = 0;  // whose warps come back here
  BranchVisits visits;
  ShadowBarriers shadows;  // of warps that went on from a branch here without waiting

  bool idle() const { return inside.none() && users == 0 && first_child == kNone && shadows.empty(); }
};

/// The sides that a block's warps are on, or will be. Branches that have the same rpc lie in one region, whose sides
/// nest; a jump back leads to the region itself, so that the turns of a loop do not deepen them. Numbers of sides are
/// used again, their memory too.
class BranchSides {
 public:
  static constexpr SideId kRoot = 0;

  BranchSides() : sides_(1) {}

  const BranchSide& operator[](SideId id) const { return sides_[id]; }
  ShadowBarriers& shadows(SideId id) { return sides_[id].shadows; }
  /// Forgets who has been where; all warps must have left.
  void launch() { sides_[kRoot].visits.clear(); }

  /// Where threads are that have gone from the branch on `from` to `target` and meet others at `rpc`.
  SideId beyond(SideId from, Pc branch, Pc target, Pc rpc);

  /// The region that the side lies in, or is: where a jump back leads.
  SideId region_of(SideId side) const;

  void enter(SideId side, WarpId place);
  void leave(SideId side, WarpId place);
  void move(SideId from, SideId to, WarpId place);
  void visit(SideId side, Pc branch, unsigned turn, WarpId place) { sides_[side].visits.add(branch, turn, place); }
  /// The side stays though nobody may be on it.
  void hold(SideId side) { ++sides_[side].users; }
  void release(SideId side) {
    --sides_[side].users;
    reap(side);
  }
  /// Frees the side, and those around it, if nobody needs it.
  void reap(SideId side);

  /// Places whose warps are on this side itself.
  WarpSet members(SideId side) const;
  /// Of the places given, those whose warps are on this side and have not been at the branch in this turn or later.
  WarpSet awaited(SideId side, Pc branch, unsigned turn, WarpSet places) const {
    return sides_[side].visits.missing(branch, turn, sides_[side].inside & places);
  }

 private:
  SideId child(SideId parent, Pc branch, Pc target, Pc rpc);

  std::vector<BranchSide> sides_;  // the first is the root
  std::vector<SideId> free_;
};

}  // namespace warpfork

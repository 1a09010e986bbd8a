// Where warps wait for the others of their side at branches: the implicit barriers of thread block compaction (CAPRI
// section II-B).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "divergence/branch_sides.h"

namespace warpfork {

/// Warps that have executed the same branch on the same side and wait there for the others.
struct CompactionBarrier {
  SideId side = 0;
  Pc branch = 0;
  Pc reconvergence = kNoPc;
  WarpSet waiting;    // places
  unsigned turn = 0;  // the latest of theirs
};

/// A barrier opens as soon as no other warp of its side could come there by itself: each of them waits, has been at the
/// branch in this turn, has left the side, has exited, or is kept by a barrier of the program, alone or with all warps
/// of the frames above it. Of several that could open the oldest does. So a wait never ends in a deadlock that barriers
/// of the program alone would not have caused.
class CompactionBarriers {
 public:
  explicit CompactionBarriers(BranchSides& sides) : sides_(sides) {}

  bool empty() const { return barriers_.empty(); }
  /// The oldest first.
  std::span<const CompactionBarrier> all() const { return barriers_; }
  /// The one at this branch, or null.
  const CompactionBarrier* at(SideId side, Pc branch) const;

  /// The warp in this place has come to the branch in this turn, and waits.
  void wait(SideId side, Pc branch, Pc reconvergence, WarpId place, unsigned turn);
  /// Takes away the oldest barrier to which none of the warps in these places can come any more. Its warps have been
  /// at the branch.
  std::optional<CompactionBarrier> open(WarpSet runnable);

 private:
  BranchSides& sides_;
  std::vector<CompactionBarrier> barriers_;
};

}  // namespace warpfork

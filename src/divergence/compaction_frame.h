// Threads that part at a branch and meet again: one reconvergence of the block-wide stack (CAPRI Figure 3).
#pragma once

#include <vector>

#include "divergence/branch_sides.h"
#include "divergence/compacted_warp.h"

namespace warpfork {

using FrameId = unsigned;

/// Whether the warp's threads are regrouped with those of others after their latest branch (CAPRI section II-C); None:
/// they have come from no branch.
enum class UMask : char { None = '-', Clear = '0', Set = '1' };

/// A warp that does not run now: where it will, and in whose place.
struct SuspendedWarp {
  Pc pc = 0;
  WarpId place = 0;
  unsigned turn = 0;  // see BranchVisits
  CompactedWarp warp;
  FrameId frame = 0;  // whose warp it then is
  SideId side = 0;
  UMask u_mask = UMask::None;
};

/// The divergence of warps that have met at a branch, or of one that has not waited, or a warp that goes on as a whole
/// and has to come back to where it was: sides that run one after the other, and the warps to go on behind them.
struct CompactionFrame {
  static constexpr FrameId kNone = ~0u;

  SideId side = 0;  // the side of the branch's own block, to which the warps come back
  Pc branch = 0;
  Pc rpc = kNoPc;                      // where its warps have arrived
  unsigned turn = 0;                   // in which its warps parted
  FrameId parent = kNone;              // whose warps those of the last side become, since none has to come back
  WarpSet places;                      // that the frame and those within may use
  WarpSet skipping;                    // of these: the warps with nothing to run before they go on at rpc
  unsigned running = 0;                // warps of the side that have not arrived
  UMask u_mask = UMask::Clear;         // set: its sides' warps come from the compaction unit
  std::vector<SuspendedWarp> sides;    // still to run; the next one at the back, warps of a side together
  std::vector<SuspendedWarp> restore;  // the warps that parted here, to go on at rpc
};

}  // namespace warpfork

// One entry of the block-wide reconvergence stack (CAPRI Figure 3) and the meetings that go on in it.
#pragma once

#include <vector>

#include "divergence/branch_visits.h"
#include "divergence/compacted_warp.h"
#include "divergence/shadow_meetings.h"

namespace warpfork {

/// A warp that does not run now: where it will, and in whose place.
struct ParkedWarp {
  Pc pc = 0;
  WarpId place = 0;
  unsigned turn = 0;  // see BranchVisits
  CompactedWarp warp;
};

/// Warps of one frame that have executed the same branch and wait there for the others.
struct Rendezvous {
  Pc branch = 0;
  Pc reconvergence = kNoPc;
  WarpSet waiting;  // places
};

/// The sides of one divergence. Since warps that do not wait run ahead, the entries of a block are a tree.
struct CompactionFrame {
  explicit CompactionFrame(BranchNumbers& numbers) : visits(numbers) {}

  static constexpr unsigned kNone = ~0u;

  unsigned parent = kNone;
  Pc rpc = kNoPc;   // where its warps have arrived
  WarpSet places;   // that the frame and its children may use
  WarpSet members;  // places whose warps are in this frame itself: they run, or wait at a branch or barrier
  unsigned children = 0;
  bool compacted = false;            // its sides' warps come from the compaction unit
  std::vector<ParkedWarp> sides;     // still to run; the next one at the back, warps of a side together
  std::vector<ParkedWarp> restore;   // the warps that parted here, to go on at rpc in the parent; none if that has the
                                     // same rpc
  std::vector<Rendezvous> meetings;  // oldest first
  ShadowMeetings shadows;            // of warps that went on without waiting
  BranchVisits visits;

  /// The meeting at this branch, or null.
  Rendezvous* meeting_at(Pc branch) {
    for (Rendezvous& meeting : meetings)
      if (meeting.branch == branch) return &meeting;
    return nullptr;
  }
  bool done() const { return members.none() && children == 0; }
};

}  // namespace warpfork

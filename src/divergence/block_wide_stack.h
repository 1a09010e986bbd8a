// The block-wide reconvergence stack: where threads that part come back to (CAPRI Figure 3).
#pragma once

#include <span>
#include <vector>

#include "divergence/branch_sides.h"
#include "divergence/compaction.h"
#include "divergence/compaction_frame.h"
#include "divergence/dynamic_warps.h"
#include "divergence/live_threads.h"
#include "divergence/warp_formation.h"

namespace warpfork {

/// Where warps part a frame is pushed: its sides run one after the other, taken side first, each in warps that the
/// compaction unit has formed, in the lowest of their places. A side that starts at the reconvergence point has
/// arrived. When all sides have arrived, the warps that parted go on there as they were. At a branch whose
/// reconvergence point is that of the frame itself (a loop's back edge), or the exit, the compacted warps stay in the
/// frame if all were its own; only if more than one side remains is a frame pushed, which the last side leaves.
class BlockWideStack {
 public:
  static constexpr FrameId kRoot = 0;

  BlockWideStack(DynamicWarps& warps, BranchSides& sides, const LiveThreads& live, DomainEffects& effects)
      : warps_(warps), sides_(sides), live_(live), effects_(effects), formation_(warps), frames_(1) {}

  /// Warp w begins at `entry` with lanes[w].
  void launch(Pc entry, std::span<const ActiveMask> lanes);
  /// All threads of the warp go to `target`. It comes back to the side that it is on now, unless that ends where the
  /// branch's sides meet.
  void follow(WarpId place, Pc target, Pc reconvergence);
  /// The threads of warps that are at the same branch on the same side go where their paths say. `regroup`: their new
  /// warps come from the compaction unit.
  Compaction part(WarpSet group, Pc reconvergence, bool regroup);
  /// The warp in this place is where its sides meet, or has no threads left.
  void arrive_from(WarpId place);
  /// Warps that wait at the reconvergence point with nothing to run before go on. False if there are none.
  bool resume_skipping();

  /// The first is the root; those in use have places.
  std::span<const CompactionFrame> frames() const { return frames_; }

 private:
  void go_on_together(WarpSet group, Pc target, Pc reconvergence);
  FrameId push(SideId side, Pc branch, Pc rpc, unsigned turn, WarpSet places);
  void free(FrameId frame);
  void to_come_back(FrameId frame, WarpId place);
  FrameId common_frame(WarpSet group) const;
  void next_side(FrameId frame);
  void restore(FrameId frame);
  void come_back(SuspendedWarp& suspended);
  void arrive(FrameId frame);

  DynamicWarps& warps_;
  BranchSides& sides_;
  const LiveThreads& live_;
  DomainEffects& effects_;
  WarpFormation formation_;
  std::vector<CompactionFrame> frames_;
  std::vector<FrameId> free_;
};

}  // namespace warpfork

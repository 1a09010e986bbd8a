// Warps that part at a branch, side by side through the warp compaction unit (CAPRI Figure 4).
#pragma once

#include <span>
#include <vector>

#include "divergence/compaction.h"
#include "divergence/compaction_frame.h"
#include "divergence/compaction_unit.h"
#include "divergence/dynamic_warps.h"

namespace warpfork {

/// For warps at one branch, which go where their `paths` say.
class WarpFormation {
 public:
  explicit WarpFormation(const DynamicWarps& warps) : warps_(warps) {}

  /// Where the warps in these places go, each target once: in the order in which each of them would try its own, a
  /// fall-through last. Until the next call.
  std::span<const Pc> list_targets(WarpSet group, Pc branch);

  /// What the group's threads have to run before the frame's rpc, by the targets last listed: adds the warps that the
  /// compaction unit forms to the frame's sides, in the lowest places of those who have something to run.
  Compaction form_sides(CompactionFrame& frame, WarpSet group);

 private:
  void take_side(WarpSet group, Pc target);

  const DynamicWarps& warps_;
  CompactionUnit unit_;
  std::vector<Pc> targets_;
};

}  // namespace warpfork

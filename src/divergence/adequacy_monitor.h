// What compaction would have done for warps that do not wait (CAPRI sections II-C and III).
#pragma once

#include <vector>

#include "divergence/adequacy_prediction.h"
#include "divergence/branch_sides.h"
#include "divergence/compaction_barriers.h"
#include "divergence/domain_effects.h"
#include "divergence/dynamic_warps.h"

namespace warpfork {

/// Warps that diverge without waiting are counted in a shadow barrier, as if they and those that wait there had all
/// met. It ends by the same rule as a barrier opens, and the latest when a warp that it counts diverges there again;
/// whether fewer warps would have been needed is then what the prediction learns. Nobody waits for it.
class AdequacyMonitor {
 public:
  AdequacyMonitor(BranchSides& sides, const DynamicWarps& warps, const CompactionBarriers& barriers,
                  AdequacyPrediction& prediction, DomainEffects& effects)
      : sides_(sides), warps_(warps), barriers_(barriers), prediction_(prediction), effects_(effects) {}

  /// Nothing is counted at the moment.
  bool idle() const { return sides_with_shadows_.empty(); }

  /// The warp in this place is about to diverge: if it is counted already (in a loop) the shadow barrier ends as it
  /// is, for a warp that waited could not have come twice.
  void comes_again(WarpId place);
  /// It goes on without waiting: where it is counted nobody expects it any more.
  void passes(WarpId place) {
    if (!idle()) come(place);
  }
  /// It waits; where others have not, it counts as they do.
  void waits(WarpId place) {
    if (!idle()) come_and_part(place);
  }
  /// It parts, as its `paths` say, without waiting.
  void bypasses(WarpId place, Pc reconvergence);
  /// Ends the shadow barriers to which nobody can come any more, after those who waited at their branch.
  void end_complete();

 private:
  void come(WarpId place);
  void come_and_part(WarpId place);
  ShadowBarrier* shadow_of(WarpId place);
  void count(ShadowBarrier& shadow, WarpId place);
  void judge(SideId side, const ShadowBarrier& shadow);

  BranchSides& sides_;
  const DynamicWarps& warps_;
  const CompactionBarriers& barriers_;
  AdequacyPrediction& prediction_;
  DomainEffects& effects_;
  std::vector<SideId> sides_with_shadows_;
};

}  // namespace warpfork

// The branch prediction unit of one warp's front end (SIMT-X 3.7): where a path goes, and whether its threads part.
#pragma once

#include "ooo/address_queue.h"
#include "ooo/branch_record.h"
#include "ooo/fetched.h"
#include "ooo/front_counts.h"
#include "ooo/front_spec.h"
#include "ooo/path_state.h"
#include "ooo/predict/predictors.h"

namespace warpfork::ooo {

/// Asks the predictors that the warps share, and teaches them as branches commit. What the recording leaves out cannot
/// be predicted: there a path goes where the recording goes on.
class BranchPredictionUnit {
 public:
  BranchPredictionUnit(FrontSpec::Divergence divergence, Predictors& predictors)
      : divergence_(divergence), predictors_(predictors) {}

  /// Where to fetch next; `executed`: what the path's lanes really do, if there are any.
  Predictors::Outcome predict(const x86::StaticInstruction& instruction, const PathState& path,
                              const ExecutedByLane& executed) const;
  /// On a path without lanes.
  std::uint64_t wrong_path_target(const x86::StaticInstruction& branch, const PathState& path) const {
    return predictors_.predict(branch, path).target;
  }
  /// Whether it becomes a buop; `executed`: by the first of its lanes. `uniform`: all lanes do go to one place.
  bool diverges(const x86::DynamicInstruction& executed, const PathState& path, bool uniform) const;
  /// The branch commits; `executed`: by the first of its lanes.
  void learn(const Fetched& branch, const BranchRecord& record, const x86::DynamicInstruction& executed);
  /// Of committed branches: only what their prediction has to do with.
  const FrontCounts& counts() const { return counts_; }

 private:
  FrontSpec::Divergence divergence_;
  Predictors& predictors_;
  FrontCounts counts_;
};

/// Those of the lanes that go there.
LaneMask lanes_going_to(std::uint64_t target, LaneMask lanes, const ExecutedByLane& executed);

}  // namespace warpfork::ooo

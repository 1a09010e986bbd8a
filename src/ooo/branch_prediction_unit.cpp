#include "ooo/branch_prediction_unit.h"

namespace warpfork::ooo {

namespace {

/// Of a lane that does not end.
std::uint64_t any_target(LaneMask lanes, const ExecutedByLane& executed) {
  std::uint64_t target = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (target == 0) target = executed[lane]->next_pc;
  });
  return target;
}

/// Wherever the recording goes on, it may be there: a region is left by its function's return.
bool may_go_two_ways(const x86::DynamicInstruction& executed) {
  return !executed.before_gap && x86::may_go_two_ways(executed.instruction->branch);
}

}  // namespace

LaneMask lanes_going_to(std::uint64_t target, LaneMask lanes, const ExecutedByLane& executed) {
  LaneMask going = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (executed[lane]->next_pc == target) going |= LaneMask{1} << lane;
  });
  return going;
}

Predictors::Outcome BranchPredictionUnit::predict(const x86::StaticInstruction& instruction, const PathState& path,
                                                  const ExecutedByLane& executed) const {
  const bool before_gap = executed[static_cast<unsigned>(std::countr_zero(path.lanes))]->before_gap;
  const bool leads_elsewhere =
      !x86::may_go_two_ways(instruction.branch) &&
      (instruction.branch == x86::BranchKind::None || lanes_going_to(instruction.target, path.lanes, executed) == 0);
  if (before_gap || leads_elsewhere) return {any_target(path.lanes, executed), {}};
  return predictors_.predict(instruction, path);
}

bool BranchPredictionUnit::diverges(const x86::DynamicInstruction& executed, const PathState& path,
                                    bool uniform) const {
  if (path.diverge_next) return true;
  if (!may_go_two_ways(executed)) return !uniform;  // a gap in the recording, or some threads end
  switch (divergence_) {
    case FrontSpec::Divergence::Never:
      return false;
    case FrontSpec::Divergence::Always:
      return true;
    case FrontSpec::Divergence::Predicted:
      return predictors_.divergence.divergent(executed.instruction->pc);
  }
  return false;
}

/// In the order in which branches commit.
void BranchPredictionUnit::learn(const Fetched& branch, const BranchRecord& record,
                                 const x86::DynamicInstruction& executed) {
  if (!may_go_two_ways(executed)) return;
  const x86::StaticInstruction& instruction = *branch.instruction;
  const bool diverged = record.stays != 0 && record.stays != record.before.lanes;
  ++counts_.branches;
  counts_.divergent_branches += diverged;
  counts_.predicted_divergent += branch.role == Role::DivergentBranch;
  counts_.branch_mispredictions += record.stays == 0;
  predictors_.update(instruction, record.direction, executed.next_pc);
  if (divergence_ == FrontSpec::Divergence::Predicted) predictors_.divergence.update(instruction.pc, diverged);
}

}  // namespace warpfork::ooo

#include "ooo/predict/predictors.h"

namespace warpfork::ooo {

Predictors::Outcome Predictors::predict(const x86::StaticInstruction& branch, const PathState& path) const {
  switch (branch.branch) {
    case x86::BranchKind::Conditional: {
      const Tage::Prediction predicted = direction.predict(branch.pc, path.history);
      const std::uint64_t way = predicted.taken ? branch.target : branch.fall_through();
      return {path.target != 0 ? path.target : way, predicted};
    }
    case x86::BranchKind::Jump:
    case x86::BranchKind::Call:
      return {branch.target, {}};
    case x86::BranchKind::IndirectJump:
    case x86::BranchKind::IndirectCall:
      return {path.target != 0 ? path.target : targets.target(branch.pc), {}};
    case x86::BranchKind::Return:
      return {path.target != 0 ? path.target : path.returns.top(), {}};
    case x86::BranchKind::None:
      break;
  }
  return {branch.fall_through(), {}};
}

void Predictors::update(const x86::StaticInstruction& branch, const Tage::Prediction& predicted, std::uint64_t target) {
  if (branch.branch == x86::BranchKind::Conditional)
    direction.update(predicted, target != branch.fall_through());
  else
    targets.update(branch.pc, target);
}

}  // namespace warpfork::ooo

// The predictors that the warps of a core share (SIMT-X Table I), and which of them foretells what.
#pragma once

#include <cstdint>

#include "ooo/path_state.h"
#include "ooo/predict/branch_target_buffer.h"
#include "ooo/predict/divergence_predictor.h"
#include "ooo/predict/tage.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

/// Directions and targets are those of a path as a whole; whether its threads part is `divergence`'s to say.
struct Predictors {
  struct Outcome {
    std::uint64_t target = 0;    ///< where to fetch next; 0: not known
    Tage::Prediction direction;  ///< of a conditional branch, whose update wants it back
  };
  /// Where the path goes from its branch.
  Outcome predict(const x86::StaticInstruction& branch, const PathState& path) const;
  /// The branch, which may go two ways, went to `target`. `direction`: as it was predicted.
  void update(const x86::StaticInstruction& branch, const Tage::Prediction& direction, std::uint64_t target);

  Tage direction;
  BranchTargetBuffer targets{BranchTargetBufferSpec{}};
  DivergencePredictor divergence;
};

}  // namespace warpfork::ooo

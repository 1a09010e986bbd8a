// The predictors that the warps of a core share (SIMT-X Table I).
#pragma once

#include "ooo/predict/branch_target_buffer.h"
#include "ooo/predict/divergence_predictor.h"
#include "ooo/predict/tage.h"

namespace warpfork::ooo {

struct Predictors {
  Tage direction;
  BranchTargetBuffer targets{BranchTargetBufferSpec{}};
  DivergencePredictor divergence;
};

}  // namespace warpfork::ooo

// What a branch in flight needs to be resolved, taken back, or learnt from.
#pragma once

#include <cstdint>

#include "ooo/path_state.h"
#include "ooo/paths/path_id.h"
#include "ooo/predict/tage.h"

namespace warpfork::ooo {

/// Of a branch, a buop or a cuop.
struct BranchRecord {
  std::uint64_t pc = 0;         ///< of the instruction; of a cuop: where the paths meet
  std::uint64_t predicted = 0;  ///< where fetch went on; 0: nowhere, the target is not known
  LaneMask stays = 0;           ///< lanes that do go there
  PathState before;             ///< of the path; of a cuop nothing
  std::uint32_t depth = 0;      ///< of calls, before it
  Divergence divergence;        ///< of a buop
  Convergence convergence;      ///< of a cuop
  Tage::Prediction direction;   ///< of a conditional branch
};

}  // namespace warpfork::ooo

// What the front end keeps of a path beside its masks and its place in the Path Scheduling Table.
#pragma once

#include "ooo/paths/lane_mask.h"
#include "ooo/predict/branch_history.h"
#include "ooo/predict/return_stack.h"

namespace warpfork::ooo {

struct PathState {
  LaneMask lanes = 0;         ///< that really take this path; none: it is a wrong one
  bool diverge_next = false;  ///< the next instruction is known to diverge, whatever is predicted
  bool lost = false;          ///< nothing to fetch until a branch is resolved
  std::uint64_t target = 0;   ///< of the branch that diverges next, which has executed before: one of its targets
  BranchHistory history;
  ReturnStack returns;
};

}  // namespace warpfork::ooo

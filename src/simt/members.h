// The member mask of .sync instructions: which lanes must execute one together
// (PTX ISA, "bar.warp.sync", "vote.sync", "match.sync", "redux.sync",
// "elect.sync", "shfl.sync"; docs/adr/0017).
#pragma once

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// The lanes of the threads that are named by the member mask that the lane gives.
RowLanes members_of(const Instruction& instruction, const WarpContext& warp, unsigned lane);

/// Those of the lanes that give the same mask as the lowest one. They must be
/// the ones that it names, but for lanes that have exited: throws Error, naming
/// thread and place, if it names a live lane that is not among them, or not all
/// of them.
RowLanes together_with_lowest(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

/// Throws Error if the lane is not in its own mask.
void check_own_mask(const Instruction& instruction, const WarpContext& warp, unsigned lane);

/// Throws Error for a lane that reads from `source`, a member that lives and
/// runs elsewhere.
[[noreturn]] void fail_absent_source(const Instruction& instruction, const WarpContext& warp, unsigned lane,
                                     unsigned source);

}  // namespace warpfork::simt

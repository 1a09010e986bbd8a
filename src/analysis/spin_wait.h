// Loops in which a thread may wait for one of another block.
#pragma once

#include "analysis/cfg.h"
#include "ptx/module.h"

namespace warpfork::analysis {

/// Whether some loop of the function is left, or gone on with, by what was read in it of others (reads_of_others()) in
/// device memory.
bool may_wait_for_others(const ptx::Function& function, const ControlFlowGraph& graph);

}  // namespace warpfork::analysis

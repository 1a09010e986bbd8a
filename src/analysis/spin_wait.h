// Loops in which a thread may wait for one of another block.
#pragma once

#include "analysis/cfg.h"
#include "ptx/module.h"

namespace warpfork::analysis {

/// Whether some loop of the function is left, or gone on with, by what an atomic operation or a strong load (PTX ISA,
/// "Memory Consistency Model": volatile, relaxed, acquire) in it read of device memory. Loads that are neither may be
/// taken out of a loop by a compiler: nobody can wait by them.
bool may_wait_for_others(const ptx::Function& function, const ControlFlowGraph& graph);

}  // namespace warpfork::analysis

// Bulk asynchronous copies, as a machine executes them that has none (PTX ISA, "cp.async.bulk").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each cp.async.bulk between global and this block's shared memory a loop of the thread that executes it, and
/// of its mbarrier's part a complete_tx behind the loop. A size must be a multiple of 16: the first access is
/// misaligned if one in a register is none. Commits and waits, of what is there already, go, and so do prefetches.
/// Tensors, reductions, masks and what goes to several blocks are left, to be refused.
void spell_out_bulk_copies(ptx::Function& function);

}  // namespace warpfork::lower

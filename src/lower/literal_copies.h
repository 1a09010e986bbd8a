// Copies of literals: where branches join, compilers fill one register from another that holds a constant just then.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// A `mov` from a register that the same block has filled with a literal moves the literal. The copied register may
/// hold something of each thread elsewhere; the copy has nothing to do with that any more (a counter that begins with
/// the zero that is also a thread's first result is one for a warp).
void copy_literals(ptx::Function& function);

}  // namespace warpfork::lower

// Atomics of several numbers, as a machine executes them that takes one (PTX ISA, "atom" and "red": vector types).
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each atom and red of a vector in global memory one for each element: more is not promised to be atomic.
void part_vector_atomics(ptx::Function& function);

}  // namespace warpfork::lower

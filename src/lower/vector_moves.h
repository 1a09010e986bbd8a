// Moves of whole vectors (PTX ISA, "Vectors as Operands"), as a machine executes them that moves registers.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each mov.v2 and mov.v4 one mov for each element.
void part_vector_moves(ptx::Function& function);

}  // namespace warpfork::lower

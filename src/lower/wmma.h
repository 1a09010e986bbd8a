// Matrices by the warp, as a machine executes them that knows mma only (PTX ISA, "wmma.load", "wmma.store",
// "wmma.mma").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each wmma.load and wmma.store what a lane loads and stores of the matrix, in ordinary instructions, and of
/// each wmma.mma one or two mma. A fragment of .f16 has 8 registers in PTX, of which m16n16k16 needs 4, and m8n32k16
/// and m32n8k16 need 2 or 8: the others are zero where the program looks at them, and left out otherwise. What we do
/// not know is left, to be refused.
void spell_out_wmma(ptx::Function& function);

}  // namespace warpfork::lower

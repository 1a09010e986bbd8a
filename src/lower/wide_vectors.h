// Loads and stores of eight elements, as a machine executes them that takes four (PTX ISA, "ld" and "st": .v8).
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each ld and st of eight elements of at most 32 bits two of four.
void part_wide_vectors(ptx::Function& function);

}  // namespace warpfork::lower

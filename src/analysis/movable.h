// Which instructions give the same result wherever they stand.
#pragma once

#include "ptx/instruction.h"

namespace warpfork::analysis {

/// Needs no register and gives a thread the same value always: mov of a literal, of a special register that does not
/// change or of an address, and ld.param from an address by name.
bool is_constant(const ptx::Instruction& instruction);

/// Writes one register with what depends on its operands alone: arithmetic, conversions and moves; constants, too.
bool is_pure(const ptx::Instruction& instruction);

}  // namespace warpfork::analysis

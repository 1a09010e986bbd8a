// Which type each operand of an arithmetic instruction has, where that is not the instruction's own (PTX ISA,
// signatures of the instructions).
#pragma once

#include <cstddef>

#include "ptx/instruction.h"

namespace warpfork::simt {

/// Type of operand 0.
ptx::ScalarType result_type(const ptx::Instruction& instruction);
/// Type of operand `index` ≥ 1.
ptx::ScalarType source_type(const ptx::Instruction& instruction, std::size_t index);

}  // namespace warpfork::simt

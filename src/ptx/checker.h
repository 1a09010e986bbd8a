// What an instruction's operands must look like: how many, and registers of a fitting width (PTX ISA, "Operand Type
// Checking").
#pragma once

#include <vector>

#include "ptx/instruction.h"
#include "ptx/module.h"
#include "ptx/source.h"

namespace warpfork::ptx {

/// Throws Error for a wrong number of operands, a register whose type the instruction cannot work on, or a float
/// literal for an integer. `at` is the opcode's place, `operands` those of the operands.
void check_instruction(const Instruction& instruction, const Function& function, const Source& source,
                       const Position& at, const std::vector<Position>& operands);

}  // namespace warpfork::ptx

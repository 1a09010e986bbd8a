// What one PTX instruction reads and writes (PTX ISA, "Instruction Operands").
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::analysis {

/// In operand order, duplicates kept. The guard is read; so is an address's base, wherever the address stands.
struct RegisterUse {
  std::vector<ptx::RegisterId> reads, writes;
};

RegisterUse registers_of(const ptx::Instruction& instruction);

/// Size of a register in 32-bit units: 0 for a predicate, 1 up to 32 bits, 2 for 64, 4 for 128.
unsigned register_units(ptx::ScalarType type);

}  // namespace warpfork::analysis

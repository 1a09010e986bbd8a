// What the passes that part accesses to vectors ask of an instruction, and how they reach its elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "ptx/module.h"

namespace warpfork::lower {

/// The address of ld and atom stands behind the result, that of st and red in front.
inline std::size_t address_place(const ptx::Instruction& access) {
  return access.opcode == ptx::Opcode::Ld || access.opcode == ptx::Opcode::Atom ? 1 : 0;
}

/// Whether the operand is a vector of as many elements as the instruction says; the parser leaves open what those
/// forms have that nothing executes.
inline bool has_elements(const ptx::Instruction& instruction, std::size_t operand) {
  const auto* const vector = instruction.operands[operand].as<ptx::VectorOperand>();
  return vector != nullptr && vector->elements.size() == instruction.vector_width;
}

/// Moves the address of an access by so many elements of its type.
inline void skip_elements(ptx::Instruction& access, std::size_t elements) {
  std::get<ptx::AddressOperand>(access.operands[address_place(access)]).offset +=
      static_cast<std::int64_t>(elements * ptx::bytes_of(access.types[0]));
}

}  // namespace warpfork::lower

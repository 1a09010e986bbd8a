// Operands that may be one register or several in braces (PTX ISA, "Vectors").
#pragma once

#include <span>

#include "ptx/instruction.h"

namespace warpfork::ptx {

/// Those of a vector, or the operand by itself.
inline std::span<const Operand> elements_of(const Operand& operand) {
  if (const auto* vector = operand.as<VectorOperand>()) return vector->elements;
  return {&operand, 1};
}

}  // namespace warpfork::ptx

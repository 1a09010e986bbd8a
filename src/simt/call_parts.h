// The parts of `call (results), function, (arguments)` (PTX ISA, "call").
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::simt {

struct CallParts {
  std::vector<ptx::Operand> results, arguments;
  const ptx::SymbolOperand* function = nullptr;  // null if it is no name; points into the instruction
};

inline CallParts parts_of(const ptx::Instruction& instruction) {
  CallParts call;
  for (const ptx::Operand& operand : instruction.operands) {
    if (const auto* list = operand.as<ptx::VectorOperand>())
      (call.function ? call.arguments : call.results) = list->elements;
    else if (const auto* name = operand.as<ptx::SymbolOperand>(); name && !call.function)
      call.function = name;
  }
  return call;
}

}  // namespace warpfork::simt

// The parts of `call (results), function, (arguments)` (PTX ISA, "call").
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::ptx {

struct CallParts {
  std::vector<Operand> results, arguments;
  const SymbolOperand* function = nullptr;  // null if it is no name; points into the instruction
};

inline CallParts parts_of(const Instruction& instruction) {
  CallParts call;
  for (const Operand& operand : instruction.operands) {
    if (const auto* list = operand.as<VectorOperand>())
      (call.function ? call.arguments : call.results) = list->elements;
    else if (const auto* name = operand.as<SymbolOperand>(); name && !call.function)
      call.function = name;
  }
  return call;
}

}  // namespace warpfork::ptx

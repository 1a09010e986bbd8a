// The parts of `call (results), function, (arguments)` (PTX ISA, "call").
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::ptx {

struct CallParts {
  std::vector<Operand> results, arguments;
  const Operand* callee = nullptr;          // points into the instruction
  const SymbolOperand* function = nullptr;  // likewise; null in an indirect call
};

inline CallParts parts_of(const Instruction& instruction) {
  CallParts call;
  bool has_callee = false;  // what follows is the arguments and, of an indirect call, the prototype
  for (const Operand& operand : instruction.operands) {
    if (const auto* list = operand.as<VectorOperand>()) {
      (has_callee ? call.arguments : call.results) = list->elements;
    } else if (!has_callee) {
      call.callee = &operand;
      call.function = operand.as<SymbolOperand>();
      has_callee = true;
    }
  }
  return call;
}

}  // namespace warpfork::ptx

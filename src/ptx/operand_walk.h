// Walks over the parts of a PTX operand.
#pragma once

#include "ptx/instruction.h"

namespace warpfork::ptx {

/// visit(operand) for the operand itself and, within vectors and pairs, for each element.
template <typename Operand, typename Visit>
void walk(Operand& operand, Visit&& visit) {
  visit(operand);
  const auto elements = [&](auto& group) {
    for (auto& element : group.elements) walk(element, visit);
  };
  if (auto* vector = std::get_if<VectorOperand>(&operand)) elements(*vector);
  if (auto* pair = std::get_if<PairOperand>(&operand)) elements(*pair);
}

/// The name in `symbol` or `[symbol + offset]`; null in any other operand. Of the operand itself, not of its elements.
inline const std::string* symbol_name(const Operand& operand) {
  const auto* address = operand.as<AddressOperand>();
  const auto* symbol = address ? std::get_if<SymbolOperand>(&address->base) : operand.as<SymbolOperand>();
  return symbol ? &symbol->name : nullptr;
}

}  // namespace warpfork::ptx

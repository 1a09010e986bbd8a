// Walks over the parts of PTX operands, for the passes that rewrite PTX before it is decoded.
#pragma once

#include "ptx/instruction.h"

namespace warpfork::lower {

/// visit(operand) for the operand itself and, within vectors and pairs, for each element.
template <typename Operand, typename Visit>
void walk(Operand& operand, Visit&& visit) {
  visit(operand);
  const auto elements = [&](auto& group) {
    for (auto& element : group.elements) walk(element, visit);
  };
  if (auto* vector = std::get_if<ptx::VectorOperand>(&operand)) elements(*vector);
  if (auto* pair = std::get_if<ptx::PairOperand>(&operand)) elements(*pair);
}

/// Gives every label operand of the body its new place: place[old target].
inline void move_labels(std::vector<ptx::Instruction>& body, const std::vector<Pc>& place) {
  for (ptx::Instruction& instruction : body)
    for (ptx::Operand& operand : instruction.operands)
      if (auto* label = std::get_if<ptx::LabelOperand>(&operand)) label->target = place[label->target];
}

}  // namespace warpfork::lower

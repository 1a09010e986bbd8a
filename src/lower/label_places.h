// Labels of PTX whose instructions have moved.
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::lower {

/// visit(label) for the label operands of the body, in the order of the text.
template <typename Visit>
void for_each_label(std::vector<ptx::Instruction>& body, Visit&& visit) {
  for (ptx::Instruction& instruction : body)
    for (ptx::Operand& operand : instruction.operands)
      if (auto* label = std::get_if<ptx::LabelOperand>(&operand)) visit(*label);
}

/// Gives every label operand of the body its new place: place[old target].
inline void move_labels(std::vector<ptx::Instruction>& body, const std::vector<Pc>& place) {
  for_each_label(body, [&](ptx::LabelOperand& label) { label.target = place[label.target]; });
}

}  // namespace warpfork::lower

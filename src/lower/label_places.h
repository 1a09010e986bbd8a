// Labels of PTX whose instructions have moved.
#pragma once

#include <vector>

#include "ptx/instruction.h"

namespace warpfork::lower {

/// Gives every label operand of the body its new place: place[old target].
inline void move_labels(std::vector<ptx::Instruction>& body, const std::vector<Pc>& place) {
  for (ptx::Instruction& instruction : body)
    for (ptx::Operand& operand : instruction.operands)
      if (auto* label = std::get_if<ptx::LabelOperand>(&operand)) label->target = place[label->target];
}

}  // namespace warpfork::lower

#include "ptx/legacy_instructions.h"

#include <algorithm>

namespace warpfork::ptx {

namespace {

bool says_rounding(const Instruction& instruction) {
  return std::ranges::any_of(instruction.modifiers, [](Modifier word) {
    return word == Modifier::Rn || word == Modifier::Rz || word == Modifier::Rm || word == Modifier::Rp;
  });
}

}  // namespace

void modernise(Function& function) {
  for (Instruction& instruction : function.body) {
    if (instruction.opcode != Opcode::Mad || instruction.types != std::vector{ScalarType::F32}) continue;
    if (says_rounding(instruction)) continue;
    instruction.opcode = Opcode::Fma;
    std::erase(instruction.modifiers, Modifier::Ftz);
    instruction.modifiers.insert(instruction.modifiers.begin(), {Modifier::Rn, Modifier::Ftz});
  }
}

}  // namespace warpfork::ptx

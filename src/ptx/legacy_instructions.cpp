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
    if (instruction.opcode != Opcode::Mad || instruction.types != TypeList{ScalarType::F32}) continue;
    if (says_rounding(instruction)) continue;
    instruction.opcode = Opcode::Fma;
    ModifierList words{Modifier::Rn, Modifier::Ftz};
    for (const Modifier word : instruction.modifiers)
      if (word != Modifier::Ftz) words.push_back(word);
    instruction.modifiers = words;
  }
}

}  // namespace warpfork::ptx

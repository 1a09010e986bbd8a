// One instruction spelled out in several: how the passes that do so write them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lower/body_edit.h"

namespace warpfork::lower {

/// Writes instructions before the one at `pc`, which have its place in the text. The instruction itself stays.
class Expansion {
 public:
  Expansion(ptx::Function& function, BodyEdit& edit, Pc pc)
      : source(function.body[pc]), function_(function), edit_(edit), pc_(pc) {}

  const ptx::Instruction source;

  ptx::RegisterId fresh(const std::string& name, ptx::ScalarType type) {
    function_.registers.push_back({name + std::to_string(function_.registers.size()), type});
    return static_cast<ptx::RegisterId>(function_.registers.size() - 1);
  }
  static ptx::Operand number(std::uint64_t value) {
    return ptx::ImmediateOperand{ptx::ImmediateOperand::Kind::Integer, value};
  }

  ptx::Instruction made(ptx::Opcode opcode, const ptx::ModifierList& modifiers, const ptx::TypeList& types,
                        std::vector<ptx::Operand> operands) const {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.modifiers = modifiers;
    instruction.types = types;
    instruction.operands = std::move(operands);
    instruction.location = source.location;
    return instruction;
  }
  void add(ptx::Instruction instruction) { edit_.insert_before(pc_, std::move(instruction)); }
  /// Under the guard of the instruction that is spelled out.
  void add_guarded(ptx::Instruction instruction) {
    instruction.guard = source.guard;
    add(std::move(instruction));
  }

  /// The result of an operation of one type in a register of its own.
  ptx::RegisterId computed(ptx::Opcode opcode, const ptx::ModifierList& modifiers, ptx::ScalarType type, ptx::Operand a,
                           ptx::Operand b) {
    const ptx::RegisterId result = fresh("%part", type);
    add(made(opcode, modifiers, {type}, {ptx::RegisterOperand{result}, std::move(a), std::move(b)}));
    return result;
  }
  /// Whether the value is so, in threads for which the guard holds.
  ptx::RegisterId compared(ptx::Modifier relation, ptx::ScalarType type, ptx::Operand value, ptx::Operand with,
                           const std::optional<ptx::Guard>& guard) {
    const ptx::RegisterId result = fresh("%part", ptx::ScalarType::Pred);
    ptx::Instruction instruction =
        made(ptx::Opcode::Setp, {relation}, {type}, {ptx::RegisterOperand{result}, std::move(value), std::move(with)});
    if (guard) {
      instruction.modifiers.push_back(ptx::Modifier::And);
      instruction.operands.push_back(ptx::RegisterOperand{guard->predicate, guard->negated});
    }
    add(std::move(instruction));
    return result;
  }

 private:
  ptx::Function& function_;
  BodyEdit& edit_;
  Pc pc_;
};

/// Puts in the place of each instruction for which is_one() holds what write(expansion) writes.
template <typename IsOne, typename Write>
void expand_each(ptx::Function& function, IsOne&& is_one, Write&& write) {
  if (std::ranges::none_of(function.body, is_one)) return;
  BodyEdit edit(function);
  const auto size = static_cast<Pc>(function.body.size());
  for (Pc pc = 0; pc < size; ++pc) {
    if (!is_one(function.body[pc])) continue;
    Expansion out(function, edit, pc);
    write(out);
    edit.remove(pc);
  }
  edit.apply();
}

}  // namespace warpfork::lower

#include "ptx/discards.h"

#include <fmt/format.h>

#include "ptx/operand_walk.h"
#include "ptx/signature.h"

namespace warpfork::ptx {

namespace {

bool is_sink(const Operand& operand) { return operand.as<SinkOperand>() != nullptr; }

bool has_sink(const Operand& operand) {
  bool found = false;
  walk(operand, [&](const Operand& part) { found |= is_sink(part); });
  return found;
}

/// Of an instruction with one result.
bool may_discard(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Atom:
    case Opcode::Lop3:
    case Opcode::Setp:
      return true;
    case Opcode::Mbarrier:
      return instruction.has(Modifier::Arrive) || instruction.has(Modifier::ArriveDrop);
    default:
      return false;
  }
}

/// Of one with two, `first|second`.
bool may_discard_first(Opcode opcode) { return opcode != Opcode::Shfl; }
bool may_discard_second(Opcode opcode) { return opcode != Opcode::Elect && opcode != Opcode::Lop3; }

/// Whether `_` is nowhere in the result where it may not be.
bool may_stand(const Instruction& instruction, const Operand& result) {
  if (is_sink(result)) return may_discard(instruction);
  const auto* pair = result.as<PairOperand>();
  if (pair == nullptr) return true;
  return (!is_sink(pair->elements[0]) || may_discard_first(instruction.opcode)) &&
         (!is_sink(pair->elements[1]) || may_discard_second(instruction.opcode));
}

}  // namespace

void check_discards(const Instruction& instruction, const Source& source, const std::vector<Position>& places) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    const bool is_result = i == 0 && has_destination(instruction);
    if (is_result ? may_stand(instruction, operand) : !has_sink(operand)) continue;
    if (is_result)
      source.fail(places[i], fmt::format("'_' for a result that '{}' must give", to_string(instruction.opcode)),
                  "name a register, even if nothing reads it");
    source.fail(places[i], "'_' where a value is read", "it stands for results that nobody needs");
  }
}

}  // namespace warpfork::ptx

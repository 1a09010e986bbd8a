#include "lower/direct_passing.h"

#include <algorithm>
#include <map>
#include <span>

#include "analysis/register_use.h"
#include "lower/body_edit.h"

namespace warpfork::lower {

namespace {

using ptx::RegisterId;
using ptx::RegisterOperand;

/// From one register to another.
bool is_plain_move(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::Mov && !instruction.guard &&
         std::ranges::all_of(instruction.operands,
                             [](const ptx::Operand& operand) { return operand.as<RegisterOperand>() != nullptr; });
}

bool mentions(const ptx::Instruction& instruction, RegisterId id) {
  const analysis::RegisterUse use = analysis::registers_of(instruction);
  return std::ranges::find(use.reads, id) != use.reads.end() || std::ranges::find(use.writes, id) != use.writes.end();
}

/// The two instructions that mention a register that waits.
struct Stop {
  Pc in = kNoPc, out = kNoPc;
};

}  // namespace

void pass_directly(ptx::Function& function, Recursion& recursion) {
  std::map<RegisterId, Stop> stops;
  for (const RegisterId id : recursion.waiting) stops[id];
  const analysis::RegisterUses uses(function);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    for (const RegisterId id : uses[pc].writes)
      if (const auto found = stops.find(id); found != stops.end()) found->second.in = pc;
    for (const RegisterId id : uses[pc].reads)
      if (const auto found = stops.find(id); found != stops.end()) found->second.out = pc;
  }
  BodyEdit edit(function);
  for (const auto& [id, stop] : stops) {
    if (!is_plain_move(function.body[stop.in]) || !is_plain_move(function.body[stop.out])) continue;
    const RegisterId to = function.body[stop.out].operands[0].as<RegisterOperand>()->id;
    const auto between = std::span(function.body).subspan(stop.in + 1, stop.out - stop.in - 1);
    if (std::ranges::any_of(between, [to](const ptx::Instruction& other) { return mentions(other, to); })) continue;
    ptx::Instruction& only = function.body[stop.in];
    only.operands[0] = RegisterOperand{to};
    if (only.operands[0] == only.operands[1]) edit.remove(stop.in);
    edit.remove(stop.out);
    for (Recursion::Call& call : recursion.calls) std::ranges::replace(call.results, id, to);
  }
  edit.apply();
}

}  // namespace warpfork::lower

#include "lower/literal_copies.h"

#include <optional>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/register_use.h"

namespace warpfork::lower {

namespace {

/// A literal, and the type with which it was moved.
struct Literal {
  ptx::ImmediateOperand value;
  ptx::ScalarType type{};
};

void copy_in_block(ptx::Function& function, const analysis::Block& block) {
  std::vector<std::optional<Literal>> holds(function.registers.size());
  for (Pc pc = block.first; pc < block.last; ++pc) {
    ptx::Instruction& instruction = function.body[pc];
    const bool moves = instruction.opcode == ptx::Opcode::Mov && instruction.operands.size() == 2;
    if (const auto* from = moves ? instruction.operands[1].as<ptx::RegisterOperand>() : nullptr; from && !from->negated)
      if (const auto& literal = holds[from->id]; literal && literal->type == instruction.types[0])
        instruction.operands[1] = literal->value;
    for (const ptx::RegisterId written : analysis::registers_of(instruction).writes) holds[written].reset();
    if (!moves || instruction.guard) continue;
    const auto* to = instruction.operands[0].as<ptx::RegisterOperand>();
    const auto* literal = instruction.operands[1].as<ptx::ImmediateOperand>();
    if (to && literal) holds[to->id] = {*literal, instruction.types[0]};
  }
}

}  // namespace

void copy_literals(ptx::Function& function) {
  const analysis::ControlFlowGraph graph(function);
  for (const analysis::Block& block : graph.blocks()) copy_in_block(function, block);
}

}  // namespace warpfork::lower

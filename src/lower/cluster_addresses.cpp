#include "lower/cluster_addresses.h"

#include "lower/expansion.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::ScalarType;

bool is_cluster_address(const ptx::Instruction& instruction) {
  if (instruction.types.size() != 1) return false;
  if (instruction.opcode == Opcode::Getctarank) return instruction.operands.size() == 2;
  if (instruction.opcode != Opcode::Mapa || instruction.operands.size() != 3) return false;
  const auto* const rank = instruction.operands[2].as<ptx::ImmediateOperand>();
  return rank == nullptr || rank->bits == 0;
}

void keep_in_block(Expansion& out) {
  const ptx::Instruction& source = out.source;
  if (source.opcode == Opcode::Getctarank)
    return out.add_guarded(out.made(Opcode::Mov, {}, {ScalarType::U32}, {source.operands[0], out.number(0)}));
  const Operand& rank = source.operands[2];
  if (rank.as<ptx::ImmediateOperand>() == nullptr) {
    ptx::Instruction trap = out.made(Opcode::Trap, {}, {}, {});
    trap.guard = ptx::Guard{out.compared(ptx::Modifier::Ne, ScalarType::U32, rank, out.number(0), source.guard)};
    out.add(std::move(trap));
  }
  out.add_guarded(out.made(Opcode::Mov, {}, source.types, {source.operands[0], source.operands[1]}));
}

}  // namespace

void stay_in_own_block(ptx::Function& function) { expand_each(function, is_cluster_address, keep_in_block); }

}  // namespace warpfork::lower

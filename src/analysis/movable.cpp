#include "analysis/movable.h"

#include <algorithm>

#include "analysis/register_use.h"

namespace warpfork::analysis {

using ptx::Opcode;

namespace {

bool is_fixed(ptx::SpecialRegister name) {
  using enum ptx::SpecialRegister;
  switch (name) {
    case Tid:
    case Ntid:
    case Laneid:
    case Ctaid:
    case Nctaid:
    case Gridid:
    case LanemaskEq:
    case LanemaskLe:
    case LanemaskLt:
    case LanemaskGe:
    case LanemaskGt:
      return true;
    default:
      return false;
  }
}

bool changes(const ptx::Operand& operand) {
  const auto* special = operand.as<ptx::SpecialRegisterOperand>();
  return special && !is_fixed(special->name);
}

bool is_arithmetic(Opcode opcode) {
  return (opcode >= Opcode::Add && opcode <= Opcode::Dp2a) || (opcode >= Opcode::Testp && opcode <= Opcode::Tanh) ||
         (opcode >= Opcode::Set && opcode <= Opcode::Mov) || opcode == Opcode::Prmt || opcode == Opcode::Cvta ||
         opcode == Opcode::Cvt;
}

bool reads_parameter(const ptx::Instruction& instruction) {
  if (instruction.opcode != Opcode::Ld || instruction.space != ptx::StateSpace::Param) return false;
  if (instruction.operands.size() != 2) return false;
  const auto* address = instruction.operands[1].as<ptx::AddressOperand>();
  return address && std::holds_alternative<ptx::SymbolOperand>(address->base);
}

}  // namespace

bool is_pure(const ptx::Instruction& instruction) {
  if (instruction.guard || instruction.operands.empty() || !instruction.operands[0].as<ptx::RegisterOperand>())
    return false;
  if (reads_parameter(instruction)) return true;
  if (!is_arithmetic(instruction.opcode) || instruction.has(ptx::Modifier::Cc)) return false;
  return std::ranges::none_of(instruction.operands, changes);
}

bool is_constant(const ptx::Instruction& instruction) {
  const bool copies = instruction.opcode == Opcode::Mov || reads_parameter(instruction);
  return copies && is_pure(instruction) && registers_of(instruction).reads.empty();
}

}  // namespace warpfork::analysis

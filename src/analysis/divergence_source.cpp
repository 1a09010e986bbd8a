#include "analysis/divergence_source.h"

#include <algorithm>

#include "ptx/operand_walk.h"

namespace warpfork::analysis {

using ptx::Modifier;
using ptx::Opcode;
using ptx::SpecialRegister;
using ptx::StateSpace;

namespace {

template <typename Kind, typename Predicate>
bool any_operand(const ptx::Instruction& instruction, Predicate&& is_meant) {
  bool found = false;
  for (const ptx::Operand& operand : instruction.operands)
    ptx::walk(operand, [&](const ptx::Operand& part) {
      if (const auto* kind = part.as<Kind>()) found |= is_meant(*kind);
    });
  return found;
}

bool reads_thread_index(const ptx::Instruction& instruction, const SourceAssumptions& given) {
  return any_operand<ptx::SpecialRegisterOperand>(instruction, [&](const ptx::SpecialRegisterOperand& special) {
    switch (special.name) {
      case SpecialRegister::Tid:
        return special.component == 0 || !given.rows_fill_warps;
      case SpecialRegister::Laneid:
      case SpecialRegister::LanemaskEq:
      case SpecialRegister::LanemaskLe:
      case SpecialRegister::LanemaskLt:
      case SpecialRegister::LanemaskGe:
      case SpecialRegister::LanemaskGt:
        return true;
      default:
        return false;
    }
  });
}

bool is_load_or_store(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::Ldu || instruction.opcode == Opcode::St;
}

bool names_local_variable(const ptx::Function& function, const ptx::Instruction& instruction) {
  return any_operand<ptx::AddressOperand>(instruction, [&](const ptx::AddressOperand& address) {
    const auto* symbol = std::get_if<ptx::SymbolOperand>(&address.base);
    return symbol && std::ranges::any_of(function.variables, [&](const ptx::Variable& variable) {
             return variable.space == StateSpace::Local && variable.name == symbol->name;
           });
  });
}

}  // namespace

bool makes_local_generic(const ptx::Function& function) {
  return std::ranges::any_of(function.body, [&](const ptx::Instruction& instruction) {
    if (instruction.opcode == Opcode::Cvta)
      return instruction.space == StateSpace::Local && !instruction.has(Modifier::To);
    return is_load_or_store(instruction) && instruction.space == StateSpace::Generic &&
           names_local_variable(function, instruction);
  });
}

std::optional<DivergenceSource> divergence_source(const ptx::Instruction& instruction, const SourceAssumptions& given) {
  if (reads_thread_index(instruction, given)) return DivergenceSource::ThreadIndex;
  if (instruction.has(Modifier::Cc)) return DivergenceSource::CarryFlag;
  const bool may_be_local = instruction.space == StateSpace::Local ||
                            (instruction.space == StateSpace::Generic && !given.generic_is_shared_by_all);
  switch (instruction.opcode) {
    case Opcode::Ld:
    case Opcode::Ldu:
    case Opcode::St:
      if (may_be_local) return DivergenceSource::LocalMemory;
      return std::nullopt;
    case Opcode::Atom:
    case Opcode::Red:
      return DivergenceSource::Atomic;
    case Opcode::Bar:
    case Opcode::Barrier:
      if (instruction.has(Modifier::Red)) return DivergenceSource::Collective;
      return std::nullopt;
    case Opcode::Shfl:
    case Opcode::Match:
    case Opcode::Elect:
    case Opcode::Mma:
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
    case Opcode::Movmatrix:
      return DivergenceSource::Collective;
    case Opcode::Addc:
    case Opcode::Subc:
    case Opcode::Madc:
      return DivergenceSource::CarryFlag;
    case Opcode::Call:
      return DivergenceSource::SystemCall;
    default:
      return std::nullopt;
  }
}

std::optional<std::size_t> data_of_warp_result(const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::Vote || instruction.opcode == Opcode::Redux) return 1;
  return std::nullopt;
}

}  // namespace warpfork::analysis

#include "lower/passing_moves.h"

#include <algorithm>
#include <utility>

namespace warpfork::lower {

const ptx::Variable* find_param_variable(const ptx::Function& out, const ptx::Operand& operand) {
  const auto* symbol = operand.as<ptx::SymbolOperand>();
  if (!symbol) return nullptr;
  const auto is_named = [&](const ptx::Variable& variable) {
    return variable.space == ptx::StateSpace::Param && variable.name == symbol->name;
  };
  const auto found = std::find_if(out.variables.rbegin(), out.variables.rend(), is_named);
  return found == out.variables.rend() ? nullptr : &*found;
}

std::optional<ptx::RegisterOperand> register_of(const ptx::Function& callee, ptx::RegisterId first_register,
                                                const ptx::Variable& parameter) {
  for (std::size_t id = 0; id < callee.registers.size(); ++id)
    if (callee.registers[id].name == parameter.name)
      return ptx::RegisterOperand{first_register + static_cast<ptx::RegisterId>(id)};
  return std::nullopt;
}

ptx::Operand place_in(const std::string& variable, std::int64_t offset) {
  return ptx::AddressOperand{ptx::SymbolOperand{variable}, offset};
}

ptx::Instruction move(ptx::Operand to, ptx::Operand from, ptx::ScalarType type, const ptx::Location& location) {
  ptx::Instruction instruction;
  instruction.opcode = ptx::Opcode::Mov;
  instruction.types = {type};
  instruction.operands = {std::move(to), std::move(from)};
  instruction.location = location;
  return instruction;
}

ptx::Instruction param_access(ptx::Opcode opcode, std::vector<ptx::Operand> operands, ptx::ScalarType type,
                              const ptx::Location& location) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.types = {type};
  instruction.space = ptx::StateSpace::Param;
  instruction.operands = std::move(operands);
  instruction.location = location;
  return instruction;
}

}  // namespace warpfork::lower

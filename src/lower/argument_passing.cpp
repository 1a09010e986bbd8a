#include "lower/argument_passing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lower/add_variable.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::StateSpace;

ptx::Operand whole(const std::string& variable) { return ptx::AddressOperand{ptx::SymbolOperand{variable}, 0}; }

}  // namespace

ArgumentPassing::Names ArgumentPassing::pass_arguments() const {
  Names names;
  for (std::size_t i = 0; i < call_.arguments.size(); ++i)
    pass_argument(call_.arguments[i], callee_.parameters[i], names);
  for (std::size_t i = 0; i < call_.results.size(); ++i) {
    const ptx::Variable& returned = callee_.returns[i];
    if (returned.space != StateSpace::Param) continue;
    const ptx::Variable* const variable = variable_of(call_.results[i]);
    names[returned.name] = variable ? variable->name : own_name(returned);
    if (!variable) add_variable(out_, returned, names[returned.name]);
  }
  return names;
}

void ArgumentPassing::pass_results() const {
  for (std::size_t i = 0; i < call_.results.size(); ++i) pass_result(call_.results[i], callee_.returns[i]);
}

/// The caller's .param variable, if that is what the operand names: mostly a late one.
const ptx::Variable* ArgumentPassing::variable_of(const ptx::Operand& operand) const {
  const auto* symbol = operand.as<ptx::SymbolOperand>();
  if (!symbol) return nullptr;
  const auto is_named = [&](const ptx::Variable& variable) {
    return variable.space == StateSpace::Param && variable.name == symbol->name;
  };
  const auto found = std::find_if(out_.variables.rbegin(), out_.variables.rend(), is_named);
  return found == out_.variables.rend() ? nullptr : &*found;
}

/// Of a parameter or result in a register: that of the copy. None if the callee declares it without using it.
std::optional<ptx::RegisterOperand> ArgumentPassing::register_of(const ptx::Variable& parameter) const {
  for (std::size_t id = 0; id < callee_.registers.size(); ++id)
    if (callee_.registers[id].name == parameter.name)
      return ptx::RegisterOperand{first_register_ + static_cast<ptx::RegisterId>(id)};
  return std::nullopt;
}

std::string ArgumentPassing::own_name(const ptx::Variable& parameter) const {
  return fmt::format("{}::{}#{}", callee_.name, parameter.name, copy_);
}

void ArgumentPassing::pass_argument(const ptx::Operand& argument, const ptx::Variable& parameter, Names& names) const {
  const ptx::Variable* const variable = variable_of(argument);
  if (parameter.space != StateSpace::Param) {
    const auto reg = register_of(parameter);
    if (!reg) return;
    if (variable)
      access(Opcode::Ld, {*reg, whole(variable->name)}, parameter.type);
    else
      move(*reg, argument, parameter.type);
  } else if (variable) {
    names[parameter.name] = variable->name;
  } else {
    names[parameter.name] = own_name(parameter);
    add_variable(out_, parameter, names[parameter.name]);
    access(Opcode::St, {whole(names[parameter.name]), argument}, parameter.type);
  }
}

void ArgumentPassing::pass_result(const ptx::Operand& result, const ptx::Variable& returned) const {
  const ptx::Variable* const variable = variable_of(result);
  if (returned.space != StateSpace::Param) {
    const auto reg = register_of(returned);
    if (!reg) return;
    if (variable)
      access(Opcode::St, {whole(variable->name), *reg}, returned.type);
    else
      move(result, *reg, returned.type);
  } else if (!variable && !result.as<ptx::SinkOperand>()) {
    access(Opcode::Ld, {result, whole(own_name(returned))}, returned.type);
  }
}

void ArgumentPassing::move(ptx::Operand to, ptx::Operand from, ptx::ScalarType type) const {
  ptx::Instruction instruction;
  instruction.opcode = Opcode::Mov;
  instruction.types = {type};
  instruction.operands = {std::move(to), std::move(from)};
  instruction.location = location_;
  out_.body.push_back(std::move(instruction));
}

void ArgumentPassing::access(Opcode opcode, std::vector<ptx::Operand> operands, ptx::ScalarType type) const {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.types = {type};
  instruction.space = StateSpace::Param;
  instruction.operands = std::move(operands);
  instruction.location = location_;
  out_.body.push_back(std::move(instruction));
}

}  // namespace warpfork::lower

#include "lower/argument_passing.h"

#include <fmt/format.h>

#include <utility>

#include "lower/add_variable.h"
#include "lower/passing_moves.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::StateSpace;

}  // namespace

ArgumentPassing::Names ArgumentPassing::pass_arguments() const {
  Names names;
  for (std::size_t i = 0; i < call_.arguments.size(); ++i)
    pass_argument(call_.arguments[i], callee_.parameters[i], names);
  for (std::size_t i = 0; i < call_.results.size(); ++i) {
    const ptx::Variable& returned = callee_.returns[i];
    if (returned.space != StateSpace::Param) continue;
    const ptx::Variable* const variable = find_param_variable(out_, call_.results[i]);
    names[returned.name] = variable ? variable->name : own_name(returned);
    if (!variable) add_new_variable(out_, returned, names[returned.name]);
  }
  return names;
}

void ArgumentPassing::pass_results() const {
  for (std::size_t i = 0; i < call_.results.size(); ++i) pass_result(call_.results[i], callee_.returns[i]);
}

std::string ArgumentPassing::own_name(const ptx::Variable& parameter) const {
  return fmt::format("{}::{}#{}", callee_.name, parameter.name, copy_);
}

void ArgumentPassing::pass_argument(const ptx::Operand& argument, const ptx::Variable& parameter, Names& names) const {
  const ptx::Variable* const variable = find_param_variable(out_, argument);
  if (parameter.space != StateSpace::Param) {
    const auto reg = register_of(callee_, first_register_, parameter);
    if (!reg) return;
    if (variable)
      access(Opcode::Ld, {*reg, place_in(variable->name)}, parameter.type);
    else
      move(*reg, argument, parameter.type);
  } else if (variable) {
    names[parameter.name] = variable->name;
  } else {
    names[parameter.name] = own_name(parameter);
    add_new_variable(out_, parameter, names[parameter.name]);
    access(Opcode::St, {place_in(names[parameter.name]), argument}, parameter.type);
  }
}

void ArgumentPassing::pass_result(const ptx::Operand& result, const ptx::Variable& returned) const {
  const ptx::Variable* const variable = find_param_variable(out_, result);
  if (returned.space != StateSpace::Param) {
    const auto reg = register_of(callee_, first_register_, returned);
    if (!reg) return;
    if (variable)
      access(Opcode::St, {place_in(variable->name), *reg}, returned.type);
    else
      move(result, *reg, returned.type);
  } else if (!variable && !result.as<ptx::SinkOperand>()) {
    access(Opcode::Ld, {result, place_in(own_name(returned))}, returned.type);
  }
}

void ArgumentPassing::move(ptx::Operand to, ptx::Operand from, ptx::ScalarType type) const {
  out_.body.push_back(lower::move(std::move(to), std::move(from), type, location_));
}

void ArgumentPassing::access(Opcode opcode, std::vector<ptx::Operand> operands, ptx::ScalarType type) const {
  out_.body.push_back(param_access(opcode, std::move(operands), type, location_));
}

}  // namespace warpfork::lower

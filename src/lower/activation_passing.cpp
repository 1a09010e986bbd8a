#include "lower/activation_passing.h"

#include <fmt/format.h>

#include <utility>

#include "lower/add_variable.h"
#include "lower/param_pieces.h"
#include "lower/passing_moves.h"
#include "lower/untyped.h"

namespace warpfork::lower {

using ptx::Opcode;
using ptx::StateSpace;

void ActivationPassing::load_arguments() {
  for (std::size_t i = 0; i < call_.arguments.size(); ++i)
    load_argument(call_.arguments[i], callee_.function.parameters[i]);
}

void ActivationPassing::load_argument(const ptx::Operand& argument, const ptx::Variable& parameter) {
  const ptx::Variable* const variable = find_param_variable(out_, argument);
  if (parameter.space != StateSpace::Param) {
    const auto reg = register_of(callee_.function, callee_.first_register, parameter);
    if (reg) load(variable ? place_in(variable->name) : argument, *reg, parameter.type);
    return;
  }
  const std::string from = variable ? variable->name : add_own_variable(parameter);
  if (!variable) transfer(place_in(from), argument, parameter.type);
  load_pieces(parameter, from, callee_.names.at(parameter.name));
}

void ActivationPassing::load_results() {
  for (std::size_t i = 0; i < call_.results.size(); ++i) load_result(call_.results[i], callee_.function.returns[i]);
}

void ActivationPassing::load_result(const ptx::Operand& result, const ptx::Variable& returned) {
  if (result.as<ptx::SinkOperand>()) return;
  const ptx::Variable* const variable = find_param_variable(out_, result);
  if (returned.space != StateSpace::Param) {
    const auto reg = register_of(callee_.function, callee_.first_register, returned);
    if (reg) load(*reg, variable ? place_in(variable->name) : result, returned.type);
    return;
  }
  const std::string to = variable ? variable->name : add_own_variable(returned);
  load_pieces(returned, callee_.names.at(returned.name), to);
  if (!variable) afterwards_.push_back(param_access(Opcode::Ld, {result, place_in(to)}, returned.type, location_));
}

void ActivationPassing::store_results() {
  store();
  for (ptx::Instruction& instruction : afterwards_) out_.body.push_back(std::move(instruction));
  afterwards_.clear();
}

std::vector<ptx::RegisterId> ActivationPassing::waiting() const {
  std::vector<ptx::RegisterId> registers;
  for (const Value& value : values_) registers.push_back(value.id);
  return registers;
}

void ActivationPassing::load_pieces(const ptx::Variable& formal, const std::string& from, const std::string& to) {
  for (const ParamPiece& piece : pieces_of(callee_.function, formal))
    load(place_in(from, piece.offset), place_in(to, piece.offset), untyped(piece.bytes));
}

void ActivationPassing::load(ptx::Operand from, ptx::Operand to, ptx::ScalarType type) {
  const bool is_byte = ptx::bits_of(type) == 8;  // no register is of a byte
  const auto id = static_cast<ptx::RegisterId>(out_.registers.size());
  out_.registers.push_back({fmt::format("%passed{}", id), is_byte ? ptx::ScalarType::B16 : type});
  transfer(ptx::RegisterOperand{id}, std::move(from), type);
  values_.push_back({id, std::move(to), type});
}

void ActivationPassing::store() {
  for (Value& value : values_) transfer(std::move(value.to), ptx::RegisterOperand{value.id}, value.type);
  values_.clear();
}

void ActivationPassing::transfer(ptx::Operand to, ptx::Operand from, ptx::ScalarType type) {
  const bool loads = from.as<ptx::AddressOperand>() != nullptr, stores = to.as<ptx::AddressOperand>() != nullptr;
  if (loads || stores)
    out_.body.push_back(
        param_access(loads ? Opcode::Ld : Opcode::St, {std::move(to), std::move(from)}, type, location_));
  else
    out_.body.push_back(move(std::move(to), std::move(from), type, location_));
}

std::string ActivationPassing::add_own_variable(const ptx::Variable& formal) {
  std::string name = fmt::format("{}::{}@{}", callee_.function.name, formal.name, number_);
  add_variable(out_, formal, name);
  return name;
}

}  // namespace warpfork::lower

#include "lower/call_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ptx/wanted_type.h"

namespace warpfork::lower {

namespace {

using ptx::StateSpace;
using Fault = std::optional<std::string>;

/// A .param variable that a body may pass on: its own, or a parameter or result of a .func.
const ptx::Variable* passable(const std::string& name, const ptx::Function& caller) {
  for (const auto* list : {&caller.variables, &caller.parameters, &caller.returns}) {
    if (caller.is_entry && list != &caller.variables) break;  // an entry's parameters are of another kind
    for (const ptx::Variable& variable : *list)
      if (variable.name == name && variable.space == StateSpace::Param) return &variable;
  }
  return nullptr;
}

Fault wrong_variable(const std::string& name, const ptx::Variable& formal, const ptx::Function& caller) {
  const ptx::Variable* const actual = passable(name, caller);
  if (actual == nullptr)
    return fmt::format("'{}' is no .param variable of this body; load what it holds into a register first", name);
  if (actual->bytes == formal.bytes || actual->bytes == 0 || formal.bytes == 0) return std::nullopt;  // 0: left open
  return fmt::format("'{}' has {} where '{}' has {}", name, counted(actual->bytes, "byte"), formal.name, formal.bytes);
}

/// Values of eight bits stand in registers of any width, as those of ld and st do.
Fault wrong_register(const ptx::Register& actual, const ptx::Variable& formal) {
  const unsigned bits = bits_of(formal.type);
  if (fits(actual.type, {formal.type, bits, bits == 8})) return std::nullopt;
  return fmt::format("'{}' is of type .{} where '{}' is .{}", actual.name, to_string(actual.type), formal.name,
                     to_string(formal.type));
}

Fault wrong_operand(const ptx::Operand& operand, const ptx::Variable& formal, const ptx::Function& caller) {
  if (const auto* symbol = operand.as<ptx::SymbolOperand>()) return wrong_variable(symbol->name, formal, caller);
  if (formal.bytes != bytes_of(formal.type))
    return fmt::format("'{}' is an array; pass a .param variable", formal.name);
  if (const auto* used = operand.as<ptx::RegisterOperand>()) return wrong_register(caller.registers[used->id], formal);
  return std::nullopt;
}

}  // namespace

Fault wrong_call(const ptx::CallParts& call, const ptx::Function& callee, const ptx::Function& caller) {
  if (callee.is_entry) return fmt::format("'{}' is an entry; only a .func can be called", callee.name);
  if (call.arguments.size() != callee.parameters.size() || call.results.size() != callee.returns.size())
    return fmt::format("'{}' takes {} and gives {}", callee.name, counted(callee.parameters.size(), "argument"),
                       counted(callee.returns.size(), "result"));
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (Fault fault = wrong_operand(call.arguments[i], callee.parameters[i], caller)) return fault;
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    if (Fault fault = wrong_operand(call.results[i], callee.returns[i], caller)) return fault;
    // The copy of the body would read what it has written.
    const auto* symbol = call.results[i].as<ptx::SymbolOperand>();
    if (symbol != nullptr &&
        std::find(call.arguments.begin(), call.arguments.end(), call.results[i]) != call.arguments.end())
      return fmt::format("'{}' is an argument and a result of one call; give the result a variable of its own",
                         symbol->name);
  }
  return std::nullopt;
}

Fault wrong_argument_sizes(const ptx::CallParts& call, const ptx::Function& callee, const ptx::Function& caller) {
  for (std::size_t i = 0; i < std::min(call.arguments.size(), callee.parameters.size()); ++i)
    if (const auto* symbol = call.arguments[i].as<ptx::SymbolOperand>())
      if (Fault fault = wrong_variable(symbol->name, callee.parameters[i], caller)) return fault;
  return std::nullopt;
}

}  // namespace warpfork::lower

// Calls of device functions (PTX ISA, "Function Declarations and Definitions" and "call").
#include <cstring>

#include "base/error.h"
#include "ptx/call_parts.h"
#include "reference/thread.h"

namespace warpfork::reference {
namespace {

constexpr unsigned kMaxDepth = 1000;

/// Register parameters (`.func f (.reg .u32 a)`) have no place in memory; they are found by name.
ptx::RegisterId register_named(const ptx::Function& function, const std::string& name) {
  for (ptx::RegisterId id = 0; id < function.registers.size(); ++id)
    if (function.registers[id].name == name) return id;
  throw Error("'{}' has no register '{}'", function.name, name);
}

}  // namespace

void Thread::call() {
  const ptx::CallParts parts = parts_of(instruction());
  const ptx::Module& module = block_.placement.module();
  const ptx::Function* callee =
      parts.function != nullptr
          ? module.find_function(parts.function->name)
          : block_.placement.function_at(
                read(*parts.callee, module.address_bits == 64 ? ptx::ScalarType::U64 : ptx::ScalarType::U32));
  if (callee == nullptr || callee->body.empty())
    reject(parts.function != nullptr ? "function '" + parts.function->name + "' has no body"
                                     : "the pointer is of no function that has a body");
  if (frames_.size() > kMaxDepth) reject("calls nested too deeply");
  if (parts.arguments.size() != callee->parameters.size()) reject("wrong number of arguments");

  enter(*callee);
  const Frame& caller = frames_[frames_.size() - 2];
  for (std::size_t i = 0; i < parts.arguments.size(); ++i)
    copy_argument(parts.arguments[i], callee->parameters[i], caller);
}

std::byte* Thread::memory_of(const Frame& frame, const ptx::Variable& parameter) const {
  return memory_.find(frame.symbols.at(parameter.name), parameter.bytes);
}

void Thread::copy_argument(const ptx::Operand& argument, const ptx::Variable& parameter, const Frame& caller) {
  Frame& callee = frames_.back();
  const auto* name = argument.as<ptx::SymbolOperand>();
  const auto variable = name ? caller.symbols.find(name->name) : caller.symbols.end();
  if (variable != caller.symbols.end() && parameter.space == ptx::StateSpace::Param) {
    const std::byte* from = memory_.find(variable->second, parameter.bytes);
    if (from == nullptr) reject("the argument's variable is smaller than the parameter");
    std::memcpy(memory_of(callee, parameter), from, parameter.bytes);
    return;
  }
  // A register or a literal: read it as the caller sees it.
  std::vector<Frame> above;
  above.push_back(std::move(frames_.back()));
  frames_.pop_back();
  const std::uint64_t value = read(argument, parameter.type);
  frames_.push_back(std::move(above.back()));
  if (parameter.space == ptx::StateSpace::Param)
    std::memcpy(memory_of(frames_.back(), parameter), &value, parameter.bytes);
  else
    frames_.back().registers[register_named(*frames_.back().function, parameter.name)] = value;
}

void Thread::leave() {
  if (frames_.size() == 1) {
    state = State::Exited;
    return;
  }
  const Frame callee = std::move(frames_.back());
  frames_.pop_back();
  const ptx::CallParts parts = parts_of(instruction());
  if (parts.results.size() != callee.function->returns.size()) reject("wrong number of results");
  for (std::size_t i = 0; i < parts.results.size(); ++i) {
    const ptx::Variable& result = callee.function->returns[i];
    const ptx::Operand& to = parts.results[i];
    if (result.space != ptx::StateSpace::Param) {
      write(to, callee.registers[register_named(*callee.function, result.name)], result.type);
      continue;
    }
    const std::byte* from = memory_of(callee, result);
    if (const auto* name = to.as<ptx::SymbolOperand>()) {
      std::byte* variable = memory_.find(symbol(*name), result.bytes);
      if (variable == nullptr) reject("the variable is smaller than the result");
      std::memcpy(variable, from, result.bytes);
    } else {
      std::uint64_t value = 0;
      std::memcpy(&value, from, std::min<std::size_t>(result.bytes, sizeof value));
      write(to, value, result.type);
    }
  }
  memory_.release(callee.caller_memory);
  advance();
}

}  // namespace warpfork::reference

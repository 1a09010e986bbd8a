#include "lower/stack_variable.h"

#include <algorithm>

#include "lower/expansion.h"

namespace warpfork::lower {

std::uint32_t stack_bytes_of(const ptx::Function& function) {
  const auto stack = std::ranges::find(function.variables, kStackVariable, &ptx::Variable::name);
  return stack == function.variables.end() ? 0 : static_cast<std::uint32_t>(stack->bytes);
}

void resize_stack(ptx::Function& function, std::uint32_t bytes) {
  const auto stack = std::ranges::find(function.variables, kStackVariable, &ptx::Variable::name);
  if (stack != function.variables.end()) stack->bytes = bytes;
}

void add_stack_variable(ptx::Function& function, BodyEdit& edit, ptx::RegisterId stack, std::uint32_t alignment,
                        std::uint32_t bytes) {
  ptx::Variable variable;
  variable.name = kStackVariable;
  variable.space = ptx::StateSpace::Local;
  variable.type = ptx::ScalarType::B8;
  variable.alignment = alignment;
  variable.bytes = bytes;
  function.variables.push_back(variable);
  Expansion first(function, edit, 0);
  first.add(first.made(ptx::Opcode::Mov, {}, {function.registers[stack].type},
                       {ptx::RegisterOperand{stack}, ptx::SymbolOperand{variable.name}}));
}

}  // namespace warpfork::lower

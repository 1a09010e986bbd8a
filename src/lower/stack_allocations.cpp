#include "lower/stack_allocations.h"

#include <algorithm>
#include <utility>

#include "lower/expansion.h"
#include "lower/stack_variable.h"

namespace warpfork::lower {

namespace {

using ptx::ImmediateOperand;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;

constexpr std::uint64_t kDefaultAlignment = 8;  // of alloca

bool moves_stack(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Alloca || instruction.opcode == Opcode::Stacksave ||
         instruction.opcode == Opcode::Stackrestore;
}

void move(Expansion& out, Operand to, Operand from) {
  out.add_guarded(out.made(Opcode::Mov, {}, {out.source.types[0]}, {std::move(to), std::move(from)}));
}

/// The room begins where the stack is free, aligned, and the stack behind it.
void allocate(Expansion& out, RegisterId stack) {
  const ScalarType type = out.source.types[0];
  const auto* const given = out.source.operands.size() > 2 ? out.source.operands[2].as<ImmediateOperand>() : nullptr;
  const std::uint64_t alignment = given != nullptr ? given->bits : kDefaultAlignment;
  const RegisterId reached =
      out.computed(Opcode::Add, {}, type, RegisterOperand{stack}, Expansion::number(alignment - 1));
  const ScalarType bits = ptx::bits_of(type) == 64 ? ScalarType::B64 : ScalarType::B32;
  out.add_guarded(out.made(Opcode::And, {}, {bits},
                           {out.source.operands[0], RegisterOperand{reached}, Expansion::number(0 - alignment)}));
  out.add_guarded(
      out.made(Opcode::Add, {}, {type}, {RegisterOperand{stack}, out.source.operands[0], out.source.operands[1]}));
}

}  // namespace

bool allocates_on_stack(const ptx::Function& function) { return std::ranges::any_of(function.body, moves_stack); }

ptx::Instruction stack_access(Opcode opcode, RegisterId place, ScalarType address, const ptx::Location& location) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.types = {address};
  instruction.operands = {RegisterOperand{place}};
  instruction.location = location;
  return instruction;
}

void allocate_on_stack(ptx::Function& function, std::uint32_t stack_bytes) {
  const auto first = std::ranges::find_if(function.body, moves_stack);
  if (first == function.body.end() || stack_bytes_of(function) != 0) return;
  const auto stack = static_cast<RegisterId>(function.registers.size());
  function.registers.push_back({"%stack", first->types[0]});
  BodyEdit edit(function);
  add_stack_variable(function, edit, stack, kDefaultAlignment, stack_bytes);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    if (!moves_stack(function.body[pc])) continue;
    Expansion out(function, edit, pc);
    if (out.source.opcode == Opcode::Alloca)
      allocate(out, stack);
    else if (out.source.opcode == Opcode::Stacksave)
      move(out, out.source.operands[0], RegisterOperand{stack});
    else
      move(out, RegisterOperand{stack}, out.source.operands[0]);
    edit.remove(pc);
  }
  edit.apply();
}

}  // namespace warpfork::lower

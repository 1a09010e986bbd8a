#include "lower/vector_atomics.h"

#include <utility>
#include <vector>

#include "lower/expansion.h"
#include "lower/vector_operands.h"

namespace warpfork::lower {

namespace {

using ptx::AddressOperand;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterOperand;
using ptx::VectorOperand;

bool is_vector_atomic(const ptx::Instruction& instruction) {
  if (instruction.opcode != Opcode::Atom && instruction.opcode != Opcode::Red) return false;
  const std::size_t address = address_place(instruction);
  return instruction.vector_width > 1 && instruction.space == ptx::StateSpace::Global &&
         instruction.types.size() == 1 && instruction.operands.size() > address + 1 &&
         instruction.operands[address].as<AddressOperand>() != nullptr && has_elements(instruction, address + 1) &&
         (address == 0 || has_elements(instruction, 0));
}

/// Results come by registers of their own, as they may be operands of the elements that follow.
void part(Expansion& out) {
  const ptx::Instruction& source = out.source;
  const std::size_t address = address_place(source);
  std::vector<ptx::Instruction> results;
  for (std::size_t i = 0; i < source.vector_width; ++i) {
    ptx::Instruction scalar = source;
    scalar.vector_width = 1;
    skip_elements(scalar, i);
    scalar.operands[address + 1] = source.operands[address + 1].as<VectorOperand>()->elements[i];
    if (address == 1) {
      const Operand& wanted = source.operands[0].as<VectorOperand>()->elements[i];
      const RegisterOperand result{out.fresh("%part", source.types[0])};
      scalar.operands[0] = result;
      results.push_back(out.made(Opcode::Mov, {}, {source.types[0]}, {wanted, result}));
      if (wanted.as<ptx::SinkOperand>() != nullptr) results.pop_back();
    }
    out.add(std::move(scalar));
  }
  for (ptx::Instruction& result : results) out.add_guarded(std::move(result));
}

}  // namespace

void part_vector_atomics(ptx::Function& function) { expand_each(function, is_vector_atomic, part); }

}  // namespace warpfork::lower

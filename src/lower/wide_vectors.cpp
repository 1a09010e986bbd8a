#include "lower/wide_vectors.h"

#include <algorithm>
#include <variant>

#include "lower/expansion.h"
#include "lower/vector_operands.h"

namespace warpfork::lower {

namespace {

using ptx::AddressOperand;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterOperand;
using ptx::VectorOperand;

constexpr unsigned kWidth = 8, kHalf = kWidth / 2, kMostBits = 32;

bool is_wide_vector(const ptx::Instruction& instruction) {
  if (instruction.opcode != Opcode::Ld && instruction.opcode != Opcode::St) return false;
  if (instruction.vector_width != kWidth || instruction.operands.size() < 2) return false;
  const std::size_t address = address_place(instruction);
  return instruction.types.size() == 1 && ptx::bits_of(instruction.types[0]) <= kMostBits &&
         instruction.operands[address].as<AddressOperand>() != nullptr && has_elements(instruction, 1 - address);
}

/// Of four elements from this one on.
ptx::Instruction half(const ptx::Instruction& source, unsigned first) {
  ptx::Instruction half = source;
  half.vector_width = kHalf;
  skip_elements(half, first);
  auto& elements = std::get<VectorOperand>(half.operands[1 - address_place(source)]).elements;
  elements = {elements.begin() + first, elements.begin() + first + kHalf};
  return half;
}

/// Whether one of the first elements of a load is what it takes its address from.
bool overwrites_address(const ptx::Instruction& load) {
  const auto* const base = std::get_if<ptx::RegisterId>(&load.operands[1].as<AddressOperand>()->base);
  const auto& elements = load.operands[0].as<VectorOperand>()->elements;
  return std::any_of(elements.begin(), elements.begin() + kHalf, [&](const Operand& element) {
    const auto* const reg = element.as<RegisterOperand>();
    return base != nullptr && reg != nullptr && reg->id == *base;
  });
}

void halve(Expansion& out) {
  const bool upper_first = out.source.opcode == Opcode::Ld && overwrites_address(out.source);
  out.add(half(out.source, upper_first ? kHalf : 0));
  out.add(half(out.source, upper_first ? 0 : kHalf));
}

}  // namespace

void part_wide_vectors(ptx::Function& function) { expand_each(function, is_wide_vector, halve); }

}  // namespace warpfork::lower

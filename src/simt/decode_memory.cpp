// Operands of instructions that touch memory or ask where an address lies.
#include "simt/address_map.h"
#include "simt/instruction_decoder.h"

namespace warpfork::simt {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

MemorySpace memory_space(ptx::StateSpace space) {
  switch (space) {
    case ptx::StateSpace::Generic:
      return MemorySpace::Generic;
    case ptx::StateSpace::Global:
      return MemorySpace::Global;
    case ptx::StateSpace::Shared:
      return MemorySpace::Shared;
    case ptx::StateSpace::Local:
      return MemorySpace::Local;
    case ptx::StateSpace::Const:
      return MemorySpace::Const;
    case ptx::StateSpace::Param:
      return MemorySpace::Param;
    default:
      return MemorySpace::None;
  }
}

void InstructionDecoder::isspacep(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  Operation operation{.instruction = source};
  decoded.operand[0] = operands_.predicate_destination(source.operands[0]);
  decoded.operand[1] = operands_.loose_source(source.operands[1], ScalarType::U64, operation.wide_source);
  switch (source.space) {
    case ptx::StateSpace::Shared:
      decoded.immediate = kSharedWindow.begin | kSharedWindow.end << 32;
      break;
    case ptx::StateSpace::Local:
      decoded.immediate = kLocalWindow.begin | kLocalWindow.end << 32;
      break;
    case ptx::StateSpace::Param:
      decoded.immediate = kParamWindow.begin | kParamWindow.end << 32;
      break;
    case ptx::StateSpace::Global:
      decoded.immediate = kDeviceMemory.begin;
      break;
    default:
      unsupported(source);  // .const shares the device's address range here
  }
  select(operation, decoded);
}

void InstructionDecoder::access(const ptx::Instruction& source, Instruction& decoded) {
  if (source.types.empty()) unsupported(source);
  const unsigned bytes = ptx::bytes_of(source.types.front()) * source.vector_width;
  decoded.space = memory_space(source.space);
  decoded.access_bytes = static_cast<std::uint8_t>(bytes);
  if (source.vector_width > 4 || bytes > 32 || decoded.space == MemorySpace::None) unsupported(source);
}

/// A cache policy, which changes nothing here, stands behind the others.
void InstructionDecoder::expect_memory_operands(const ptx::Instruction& source, std::size_t count) const {
  const std::size_t all = count + (source.has(Modifier::L2CacheHint) ? 1 : 0);
  expect_operands(source, all, all);
}

void InstructionDecoder::load(const ptx::Instruction& source, Instruction& decoded) {
  expect_memory_operands(source, 2);
  decoded.kind = InstructionKind::Load;
  decoded.read_only = source.has(Modifier::Nc);
  access(source, decoded);
  operands_.address(source.operands[1], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const ScalarType type = source.types.front();
  const auto* elements = source.operands[0].as<ptx::VectorOperand>();
  const std::size_t count = elements ? elements->elements.size() : 1;
  if (count != source.vector_width) operands_.fail("the vector has another number of elements than the instruction");
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& element = elements ? elements->elements[i] : source.operands[0];
    bool wide = false;
    decoded.operand[1 + i] = operands_.loose_destination(element, type, wide);
    // A sink has room for either width.
    if (!element.as<ptx::SinkOperand>()) operation.wide_destination |= wide;
  }
  if (ptx::bits_of(type) == 64) operation.wide_destination = true;
  if (elements)
    for (const ptx::Operand& element : elements->elements)
      if (const auto* reg = element.as<ptx::RegisterOperand>();
          reg && operands_.rows().is_wide(reg->id) != operation.wide_destination)
        operands_.fail("the registers of a vector must be of one width");
  select(operation, decoded);
}

void InstructionDecoder::store(const ptx::Instruction& source, Instruction& decoded) {
  expect_memory_operands(source, 2);
  decoded.kind = InstructionKind::Store;
  access(source, decoded);
  operands_.address(source.operands[0], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const auto* elements = source.operands[1].as<ptx::VectorOperand>();
  const std::size_t count = elements ? elements->elements.size() : 1;
  if (count != source.vector_width) operands_.fail("the vector has another number of elements than the instruction");
  const auto element = [&](std::size_t i) -> const ptx::Operand& {
    return elements ? elements->elements[i] : source.operands[1];
  };
  ScalarType type = source.types.front();
  for (std::size_t i = 0; i < count; ++i)
    if (const auto* reg = element(i).as<ptx::RegisterOperand>())
      operation.wide_source |= operands_.rows().is_wide(reg->id);
  if (ptx::bits_of(type) == 64) operation.wide_source = true;
  for (std::size_t i = 0; i < count; ++i) {
    bool wide = false;
    // Literals beside wide registers need wide rows.
    const bool widen = operation.wide_source && ptx::bits_of(type) < 64 && element(i).as<ptx::ImmediateOperand>();
    decoded.operand[1 + i] = operands_.loose_source(element(i), widen ? ScalarType::B64 : type, wide);
    if (wide != operation.wide_source) operands_.fail("the registers of a vector must be of one width");
  }
  select(operation, decoded);
}

void InstructionDecoder::atomic(const ptx::Instruction& source, Instruction& decoded) {
  const bool has_result = source.opcode == Opcode::Atom, swaps = source.has(Modifier::Cas);
  expect_memory_operands(source, 2 + (has_result ? 1 : 0) + (swaps ? 1 : 0));
  decoded.kind = InstructionKind::Atomic;
  access(source, decoded);
  const std::size_t first = has_result ? 1 : 0;
  const ScalarType type = source.types.front();
  decoded.operand[1] = has_result ? operands_.destination(source.operands[0], type) : operands_.rows().sink();
  operands_.address(source.operands[first], decoded);
  decoded.operand[2] = operands_.source(source.operands[first + 1], type);
  decoded.operand[3] = swaps ? operands_.source(source.operands[first + 2], type) : decoded.operand[2];
  select({.instruction = source, .space = decoded.space}, decoded);
}

}  // namespace warpfork::simt

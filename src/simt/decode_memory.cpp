// Operands of instructions that touch memory or ask where an address lies.
#include "simt/address_map.h"
#include "simt/decode_operands.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// The space of ld, st, atom, cvta as the executor names it.
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

void access(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  if (source.types.empty()) context.unsupported(source);
  const unsigned bytes = ptx::bytes_of(source.types.front()) * source.vector_width;
  decoded.space = memory_space(source.space);
  decoded.access_bytes = static_cast<std::uint8_t>(bytes);
  if (source.vector_width > 4 || bytes > 32 || decoded.space == MemorySpace::None) context.unsupported(source);
}

/// A cache policy, which changes nothing here, stands behind the others.
void expect_memory_operands(const ptx::Instruction& source, std::size_t count, const DecodeContext& context) {
  const std::size_t all = count + (source.has(Modifier::L2CacheHint) ? 1 : 0);
  context.expect_operands(source, all, all);
}

}  // namespace

void cvta(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, 2);
  if (source.types.empty()) context.unsupported(source);
  decoded.operand[0] = context.operands.destination(source.operands[0], source.types[0]);
  decoded.operand[1] = context.operands.source(source.operands[1], source.types[0]);
  const std::uint64_t window = SymbolTable::generic_address({memory_space(source.space), 0});
  decoded.immediate = source.has(Modifier::To) ? 0 - window : window;
  context.select({.instruction = source}, decoded);
}

void isspacep(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, 2);
  Operation operation{.instruction = source};
  decoded.operand[0] = context.operands.predicate_destination(source.operands[0]);
  decoded.operand[1] = context.operands.loose_source(source.operands[1], ScalarType::U64, operation.wide_source);
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
      context.unsupported(source);  // .const shares the device's address range here
  }
  context.select(operation, decoded);
}

void load(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  expect_memory_operands(source, 2, context);
  decoded.kind = InstructionKind::Load;
  decoded.read_only = source.has(Modifier::Nc);
  access(source, context, decoded);
  context.operands.address(source.operands[1], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const ScalarType type = source.types.front();
  const std::span<const ptx::Operand> elements = context.elements(source, 0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const ptx::Operand& element = elements[i];
    bool wide = false;
    decoded.operand[1 + i] = context.operands.loose_destination(element, type, wide);
    // A sink has room for either width.
    if (!element.as<ptx::SinkOperand>()) operation.wide_destination |= wide;
  }
  if (ptx::bits_of(type) == 64) operation.wide_destination = true;
  if (source.operands[0].as<ptx::VectorOperand>())
    for (const ptx::Operand& element : elements)
      if (const auto* reg = element.as<ptx::RegisterOperand>();
          reg && context.operands.rows().is_wide(reg->id) != operation.wide_destination)
        context.operands.fail("the registers of a vector must be of one width");
  context.select(operation, decoded);
}

void store(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  expect_memory_operands(source, 2, context);
  decoded.kind = InstructionKind::Store;
  access(source, context, decoded);
  context.operands.address(source.operands[0], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const std::span<const ptx::Operand> elements = context.elements(source, 1);
  const ScalarType type = source.types.front();
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (const auto* reg = elements[i].as<ptx::RegisterOperand>())
      operation.wide_source |= context.operands.rows().is_wide(reg->id);
  if (ptx::bits_of(type) == 64) operation.wide_source = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    // Literals beside wide registers need wide rows.
    if (const auto* literal = elements[i].as<ptx::ImmediateOperand>(); literal && operation.wide_source) {
      decoded.operand[1 + i] = context.operands.wide_literal(*literal, type);
      continue;
    }
    bool wide = false;
    decoded.operand[1 + i] = context.operands.loose_source(elements[i], type, wide);
    if (wide != operation.wide_source) context.operands.fail("the registers of a vector must be of one width");
  }
  context.select(operation, decoded);
}

void atomic(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const bool has_result = source.opcode == Opcode::Atom, swaps = source.has(Modifier::Cas);
  expect_memory_operands(source, 2 + (has_result ? 1 : 0) + (swaps ? 1 : 0), context);
  decoded.kind = InstructionKind::Atomic;
  access(source, context, decoded);
  const std::size_t first = has_result ? 1 : 0;
  const ScalarType type = source.types.front();
  decoded.operand[1] =
      has_result ? context.operands.destination(source.operands[0], type) : context.operands.rows().sink();
  context.operands.address(source.operands[first], decoded);
  decoded.operand[2] = context.operands.source(source.operands[first + 1], type);
  decoded.operand[3] = swaps ? context.operands.source(source.operands[first + 2], type) : decoded.operand[2];
  context.select({.instruction = source, .space = decoded.space}, decoded);
}

}  // namespace warpfork::simt::decode_operands

// Operands of arithmetic, comparison, move and conversion instructions.
#include <cfenv>

#include "simt/instruction_decoder.h"
#include "simt/lanes/compare_mode.h"
#include "simt/lanes/lop3_mode.h"
#include "simt/operand_types.h"

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// The modes that live in Instruction::immediate of arithmetic: the host's name for a directed rounding.
int host_rounding(const ptx::Instruction& source) {
  if (source.has(Modifier::Rz) || source.has(Modifier::Rzi)) return FE_TOWARDZERO;
  if (source.has(Modifier::Rm) || source.has(Modifier::Rmi)) return FE_DOWNWARD;
  return source.has(Modifier::Rp) || source.has(Modifier::Rpi) ? FE_UPWARD : FE_TONEAREST;
}

/// What `set` writes for true: one, or all ones of an integer.
std::uint64_t true_value(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return 0x3f800000;
    case ScalarType::F16:
      return 0x3c00;
    case ScalarType::Bf16:
      return 0x3f80;
    default:
      return 0xffffffff;
  }
}

}  // namespace

void InstructionDecoder::arithmetic(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, decoded.operand.size());
  if (source.types.empty()) unsupported(source);
  decoded.immediate = static_cast<std::uint64_t>(host_rounding(source));
  // Flags, not a rounding, for the carry chain.
  if (source.has(Modifier::Cc) || source.opcode == Opcode::Addc || source.opcode == Opcode::Subc ||
      source.opcode == Opcode::Madc)
    decoded.immediate = operands_.rows().carry_predicate();
  decoded.operand[0] = operands_.destination(source.operands[0], result_type(source));
  for (std::size_t i = 1; i < source.operands.size(); ++i) {
    if (source_type(source, i) == ScalarType::Pred) {
      bool negated = false;
      decoded.operand[i] = operands_.predicate_source(source.operands[i], negated);
      decoded.immediate |= std::uint64_t{negated} << i;
    } else {
      decoded.operand[i] = operands_.source(source.operands[i], source_type(source, i));
    }
  }
  select({.instruction = source}, decoded);
}

void InstructionDecoder::lop3(const ptx::Instruction& source, Instruction& decoded) {
  const bool has_predicate = source.has(Modifier::And) || source.has(Modifier::Or);
  const std::size_t operands = has_predicate ? 6 : 5;
  expect_operands(source, operands, operands);
  const auto* pair = source.operands[0].as<ptx::PairOperand>();
  if (has_predicate != (pair != nullptr))
    operands_.fail("a predicate as the second result and .and or .or belong together");
  decoded.operand[0] = operands_.destination(pair ? pair->elements.at(0) : source.operands[0], ScalarType::B32);
  for (std::size_t i = 1; i < 4; ++i) decoded.operand[i] = operands_.source(source.operands[i], ScalarType::B32);
  decoded.immediate = operands_.literal(source.operands[4], "the look-up table must be a literal");
  if (decoded.immediate > 0xff) operands_.fail("the look-up table must be 0 to 255");
  if (pair) {
    bool negated = false;
    decoded.operand[4] = operands_.predicate_destination(pair->elements.at(1));
    decoded.immediate |= std::uint64_t{operands_.predicate_source(source.operands[5], negated)}
                         << Lop3Mode::kPredicateShift;
    decoded.immediate |= negated ? Lop3Mode::kNegated : 0;
  }
  select({.instruction = source}, decoded);
}

void InstructionDecoder::compare(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 3, 4);
  if (source.types.empty()) unsupported(source);
  const bool writes_predicate = source.opcode == Opcode::Setp;
  const ScalarType type = source.types.back();
  decoded.operand[4] = operands_.rows().sink_predicate();
  if (const auto* pair = source.operands[0].as<ptx::PairOperand>()) {
    if (!writes_predicate || pair->elements.size() != 2) unsupported(source);
    decoded.operand[0] = operands_.predicate_destination(pair->elements[0]);
    decoded.operand[4] = operands_.predicate_destination(pair->elements[1]);
  } else {
    decoded.operand[0] =
        operands_.destination(source.operands[0], writes_predicate ? ScalarType::Pred : source.types.front());
  }
  for (std::size_t i = 1; i < 3; ++i) decoded.operand[i] = operands_.source(source.operands[i], type);
  if (!writes_predicate) decoded.immediate |= true_value(source.types.front()) << CompareMode::kTrueShift;
  const bool combines = source.has(Modifier::And) || source.has(Modifier::Or) || source.has(Modifier::Xor);
  if (combines != (source.operands.size() == 4))
    operands_.fail("a predicate as the last operand and .and, .or or .xor belong together");
  if (source.operands.size() == 4) {
    bool negated = false;
    decoded.operand[3] = operands_.predicate_source(source.operands[3], negated);
    decoded.immediate |= negated ? CompareMode::kNegated : 0;
    decoded.immediate |= source.has(Modifier::And)  ? CompareMode::kAnd
                         : source.has(Modifier::Or) ? CompareMode::kOr
                                                    : CompareMode::kXor;
  }
  select({.instruction = source}, decoded);
}

void InstructionDecoder::mov(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  if (source.types.empty()) unsupported(source);
  if (source.operands[0].as<ptx::VectorOperand>() || source.operands[1].as<ptx::VectorOperand>())
    return mov_vector(source, decoded);
  const ScalarType type = source.types.front();
  decoded.operand[0] = operands_.destination(source.operands[0], type);
  if (const auto* special = source.operands[1].as<ptx::SpecialRegisterOperand>()) {
    const bool upper =
        special->name == ptx::SpecialRegister::ClockHi || special->name == ptx::SpecialRegister::GlobaltimerHi;
    decoded.immediate = upper ? 32 : 0;  // how far to shift a clock
  }
  bool negated = false;
  decoded.operand[1] = type == ScalarType::Pred ? operands_.predicate_source(source.operands[1], negated)
                                                : operands_.source(source.operands[1], type);
  decoded.immediate |= negated;
  select({.instruction = source}, decoded);
}

void InstructionDecoder::mov_vector(const ptx::Instruction& source, Instruction& decoded) {
  const auto* parts = source.operands[0].as<ptx::VectorOperand>();
  const bool packs = !parts;
  if (packs) parts = source.operands[1].as<ptx::VectorOperand>();
  const ScalarType type = source.types.front();
  const std::size_t count = parts->elements.size();
  if (count != 2 && count != 4) unsupported(source);
  const unsigned part_bits = ptx::bits_of(type) / static_cast<unsigned>(count);
  const ScalarType part = part_bits == 32 ? ScalarType::B32 : part_bits == 16 ? ScalarType::B16 : ScalarType::B8;
  decoded.operand[0] =
      packs ? operands_.destination(source.operands[0], type) : operands_.source(source.operands[1], type);
  for (std::size_t i = 0; i < count; ++i)
    decoded.operand[1 + i] =
        packs ? operands_.source(parts->elements[i], part) : operands_.destination(parts->elements[i], part);
  select({.instruction = source}, decoded);
}

void InstructionDecoder::convert(const ptx::Instruction& source, Instruction& decoded) {
  if (source.types.size() != 2) unsupported(source);
  const bool packs =
      source.has(Modifier::Pack) || source.types[0] == ScalarType::F16x2 || source.types[0] == ScalarType::Bf16x2;
  expect_operands(source, packs ? 3 : 2, packs ? 3 : 2);
  Operation operation{.instruction = source};
  decoded.immediate = static_cast<std::uint64_t>(host_rounding(source));
  decoded.operand[0] = operands_.loose_destination(source.operands[0], source.types[0], operation.wide_destination);
  decoded.operand[1] = operands_.loose_source(source.operands[1], source.types[1], operation.wide_source);
  if (packs) decoded.operand[2] = operands_.source(source.operands[2], source.types[1]);
  if (ptx::bits_of(source.types[1]) == 64 && !operation.wide_source) operands_.fail("the operand has only 32 bits");
  select(operation, decoded);
}

void InstructionDecoder::cvta(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  if (source.types.empty()) unsupported(source);
  decoded.operand[0] = operands_.destination(source.operands[0], source.types[0]);
  decoded.operand[1] = operands_.source(source.operands[1], source.types[0]);
  const std::uint64_t window = SymbolTable::generic_address({memory_space(source.space), 0});
  decoded.immediate = source.has(Modifier::To) ? 0 - window : window;
  select({.instruction = source}, decoded);
}

}  // namespace warpfork::simt

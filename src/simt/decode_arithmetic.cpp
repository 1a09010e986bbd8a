// Operands of arithmetic, comparison, move and conversion instructions.
#include <cfenv>

#include "simt/decode_operands.h"
#include "simt/lanes/compare_mode.h"
#include "simt/lanes/lop3_mode.h"
#include "simt/operand_types.h"

namespace warpfork::simt::decode_operands {

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

/// What `set` writes for true, of a pair in each half: one, or all ones of an integer.
std::uint64_t true_value(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return 0x3f800000;
    case ScalarType::F16:
    case ScalarType::F16x2:
      return 0x3c00;
    case ScalarType::Bf16:
    case ScalarType::Bf16x2:
      return 0x3f80;
    default:
      return 0xffffffff;
  }
}

void mov_vector(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const auto* parts = source.operands[0].as<ptx::VectorOperand>();
  const bool packs = !parts;
  if (packs) parts = source.operands[1].as<ptx::VectorOperand>();
  const ScalarType type = source.types.front();
  const std::size_t count = parts->elements.size();
  if (count != 2 && count != 4) context.unsupported(source);
  const unsigned part_bits = ptx::bits_of(type) / static_cast<unsigned>(count);
  const ScalarType part = part_bits == 32 ? ScalarType::B32 : part_bits == 16 ? ScalarType::B16 : ScalarType::B8;
  decoded.operand[0] = packs ? context.operands.destination(source.operands[0], type)
                             : context.operands.source(source.operands[1], type);
  for (std::size_t i = 0; i < count; ++i)
    decoded.operand[1 + i] = packs ? context.operands.source(parts->elements[i], part)
                                   : context.operands.destination(parts->elements[i], part);
  context.select({.instruction = source}, decoded);
}

}  // namespace

void arithmetic(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, decoded.operand.size());
  if (source.types.empty()) context.unsupported(source);
  decoded.immediate = static_cast<std::uint64_t>(host_rounding(source));
  // Flags, not a rounding, for the carry chain.
  if (source.has(Modifier::Cc) || source.opcode == Opcode::Addc || source.opcode == Opcode::Subc ||
      source.opcode == Opcode::Madc)
    decoded.immediate = context.operands.rows().carry_predicate();
  decoded.operand[0] = context.operands.destination(source.operands[0], result_type(source));
  const std::size_t last = source.operands.size() - 1;
  const bool has_literal = reads_literal({.instruction = source});
  if (has_literal) decoded.immediate = context.operands.literal_bits(source.operands[last], source_type(source, last));
  for (std::size_t i = 1; i <= last - has_literal; ++i) {
    if (source_type(source, i) == ScalarType::Pred) {
      bool negated = false;
      decoded.operand[i] = context.operands.predicate_source(source.operands[i], negated);
      decoded.immediate |= std::uint64_t{negated} << i;
    } else {
      decoded.operand[i] = context.operands.source(source.operands[i], source_type(source, i));
    }
  }
  context.select({.instruction = source}, decoded);
}

void lop3(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const bool has_predicate = source.has(Modifier::And) || source.has(Modifier::Or);
  const std::size_t operands = has_predicate ? 6 : 5;
  context.expect_operands(source, operands, operands);
  const auto* pair = source.operands[0].as<ptx::PairOperand>();
  if (has_predicate != (pair != nullptr))
    context.operands.fail("a predicate as the second result and .and or .or belong together");
  decoded.operand[0] = context.operands.destination(pair ? pair->elements.at(0) : source.operands[0], ScalarType::B32);
  for (std::size_t i = 1; i < 4; ++i) decoded.operand[i] = context.operands.source(source.operands[i], ScalarType::B32);
  decoded.immediate = context.operands.literal(source.operands[4], "the look-up table must be a literal");
  if (decoded.immediate > 0xff) context.operands.fail("the look-up table must be 0 to 255");
  if (pair) {
    bool negated = false;
    decoded.operand[4] = context.operands.predicate_destination(pair->elements.at(1));
    decoded.immediate |= std::uint64_t{context.operands.predicate_source(source.operands[5], negated)}
                         << Lop3Mode::kPredicateShift;
    decoded.immediate |= negated ? Lop3Mode::kNegated : 0;
  }
  context.select({.instruction = source}, decoded);
}

void compare(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 3, 4);
  if (source.types.empty()) context.unsupported(source);
  const bool writes_predicate = source.opcode == Opcode::Setp;
  const ScalarType type = source.types.back();
  decoded.operand[4] = context.operands.rows().sink_predicate();
  if (const auto* pair = source.operands[0].as<ptx::PairOperand>()) {
    if (!writes_predicate || pair->elements.size() != 2) context.unsupported(source);
    decoded.operand[0] = context.operands.predicate_destination(pair->elements[0]);
    decoded.operand[4] = context.operands.predicate_destination(pair->elements[1]);
  } else {
    decoded.operand[0] =
        context.operands.destination(source.operands[0], writes_predicate ? ScalarType::Pred : source.types.front());
  }
  const bool has_literal = reads_literal({.instruction = source});
  if (has_literal) decoded.immediate = context.operands.literal_bits(source.operands[2], type);
  for (std::size_t i = 1; i < 3u - has_literal; ++i)
    decoded.operand[i] = context.operands.source(source.operands[i], type);
  if (!writes_predicate) decoded.immediate |= true_value(source.types.front()) << CompareMode::kTrueShift;
  const bool combines = source.has(Modifier::And) || source.has(Modifier::Or) || source.has(Modifier::Xor);
  if (combines != (source.operands.size() == 4))
    context.operands.fail("a predicate as the last operand and .and, .or or .xor belong together");
  if (source.operands.size() == 4) {
    bool negated = false;
    decoded.operand[3] = context.operands.predicate_source(source.operands[3], negated);
    decoded.immediate |= negated ? CompareMode::kNegated : 0;
    decoded.immediate |= source.has(Modifier::And)  ? CompareMode::kAnd
                         : source.has(Modifier::Or) ? CompareMode::kOr
                                                    : CompareMode::kXor;
  }
  context.select({.instruction = source}, decoded);
}

void mov(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, 2);
  if (source.types.empty()) context.unsupported(source);
  if (source.operands[0].as<ptx::VectorOperand>() || source.operands[1].as<ptx::VectorOperand>())
    return mov_vector(source, context, decoded);
  const ScalarType type = source.types.front();
  decoded.operand[0] = context.operands.destination(source.operands[0], type);
  if (const auto* special = source.operands[1].as<ptx::SpecialRegisterOperand>()) {
    const bool upper =
        special->name == ptx::SpecialRegister::ClockHi || special->name == ptx::SpecialRegister::GlobaltimerHi;
    decoded.immediate = upper ? 32 : 0;  // how far to shift a clock
  }
  if (reads_literal({.instruction = source})) {
    decoded.immediate = context.operands.literal_bits(source.operands[1], type);
    return context.select({.instruction = source}, decoded);
  }
  bool negated = false;
  decoded.operand[1] = type == ScalarType::Pred ? context.operands.predicate_source(source.operands[1], negated)
                                                : context.operands.source(source.operands[1], type);
  decoded.immediate |= negated;
  context.select({.instruction = source}, decoded);
}

namespace {

/// Whether cvt makes one register of two operands.
bool packs_two(const ptx::Instruction& source) {
  return source.has(Modifier::Pack) || (ptx::is_packed(source.types[0]) && source.types[1] == ScalarType::F32);
}

}  // namespace

void convert(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const bool packs_under = source.types.size() == 3 && source.has(Modifier::Pack);
  if (source.types.size() != 2 && !packs_under) context.unsupported(source);
  const std::size_t operands = packs_under ? 4 : packs_two(source) ? 3 : 2;
  context.expect_operands(source, operands, operands);
  Operation operation{.instruction = source};
  // Roundings of what is exact are taken and do nothing: they leave nothing in the record, either.
  const bool is_exact =
      source.types[1] == ScalarType::Bf16 && (source.types[0] == ScalarType::F32 || source.types[0] == ScalarType::F64);
  decoded.immediate = is_exact ? 0 : static_cast<std::uint64_t>(host_rounding(source));
  decoded.operand[0] =
      context.operands.loose_destination(source.operands[0], source.types[0], operation.wide_destination);
  decoded.operand[1] = context.operands.loose_source(source.operands[1], source.types[1], operation.wide_source);
  if (operands > 2) decoded.operand[2] = context.operands.source(source.operands[2], source.types[1]);
  if (operands > 3) decoded.operand[3] = context.operands.source(source.operands[3], source.types[2]);
  if (ptx::bits_of(source.types[1]) == 64 && !operation.wide_source)
    context.operands.fail("the operand has only 32 bits");
  context.select(operation, decoded);
}

}  // namespace warpfork::simt::decode_operands

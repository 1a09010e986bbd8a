// Operands of instructions that the lanes of a warp execute together.
#include "simt/decode_operands.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

}  // namespace

void vote(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.member_mask(source, 2, decoded);
  bool negated = false;
  decoded.operand[0] = source.has(Modifier::Ballot) ? context.operands.destination(source.operands[0], ScalarType::B32)
                                                    : context.operands.predicate_destination(source.operands[0]);
  decoded.operand[1] = context.operands.predicate_source(source.operands[1], negated);
  decoded.immediate = negated;
  context.select({.instruction = source}, decoded);
}

void collective(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 1, 5);
  const ScalarType type = source.types.empty() ? ScalarType::B32 : source.types.front();
  const auto* pair = source.operands[0].as<ptx::PairOperand>();
  // match has a mask as its result whatever it compares; the others have results of their type.
  const ScalarType result = source.opcode == Opcode::Match ? ScalarType::B32 : type;
  decoded.operand[0] = context.operands.destination(pair ? pair->elements.at(0) : source.operands[0], result);
  decoded.operand[4] =
      pair ? context.operands.predicate_destination(pair->elements.at(1)) : context.operands.rows().sink_predicate();
  const bool reads_mask_only = source.opcode == Opcode::Elect || source.opcode == Opcode::Activemask;
  const std::size_t sources = source.opcode == Opcode::Shfl ? 3 : reads_mask_only ? 0 : 1;
  context.member_mask(source, 1 + sources, decoded);
  for (std::size_t i = 1; i <= sources; ++i)
    decoded.operand[i] = context.operands.source(source.operands[i], i == 1 ? type : ScalarType::B32);
  context.select({.instruction = source}, decoded);
}

}  // namespace warpfork::simt::decode_operands

#include "simt/instruction_decoder.h"

#include "analysis/register_use.h"
#include "simt/decode_operands.h"
#include "simt/timing_of.h"

namespace warpfork::simt {

using ptx::Opcode;

/// As Instruction lists registers.
std::uint16_t InstructionDecoder::listed(ptx::RegisterId id) const {
  if (!allocation_) return static_cast<std::uint16_t>(id);
  return static_cast<std::uint16_t>(allocation_->index_of(allocation_->places[id]));
}

void InstructionDecoder::guard(const ptx::Instruction& source, Instruction& decoded) {
  if (!source.guard) return;
  decoded.guard = static_cast<std::uint16_t>(context_.operands.rows().place(source.guard->predicate));
  decoded.guard_negated = source.guard->negated;
  decoded.guard_register = listed(source.guard->predicate);
}

void InstructionDecoder::register_lists(const ptx::Instruction& source, Instruction& decoded) const {
  analysis::RegisterUse use = analysis::registers_of(source);
  if (source.guard) use.reads.pop_back();  // the last of them
  if (use.reads.size() > Instruction::kMaxSources || use.writes.size() > Instruction::kMaxDestinations)
    context_.unsupported(source);
  for (const ptx::RegisterId id : use.reads) decoded.sources[decoded.source_count++] = listed(id);
  for (const ptx::RegisterId id : use.writes) decoded.destinations[decoded.destination_count++] = listed(id);
}

Instruction InstructionDecoder::decode(const ptx::Instruction& source) {
  Instruction decoded;
  context_.operands.set_instruction(source);
  switch (source.opcode) {
#define OPERATION(opcode, decode, family, integer, f32, f64) \
  case Opcode::opcode:                                       \
    decode_operands::decode(source, context_, decoded);      \
    break;
#include "simt/operations.def"
#undef OPERATION
    default:
      context_.unsupported(source);
  }
  decoded.timing = timing_of(source);
  guard(source, decoded);
  register_lists(source, decoded);
  return decoded;
}

}  // namespace warpfork::simt

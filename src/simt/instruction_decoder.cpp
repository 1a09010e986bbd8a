#include "simt/instruction_decoder.h"

#include "analysis/register_use.h"
#include "base/error.h"
#include "ptx/instruction_text.h"
#include "simt/timing_of.h"

namespace warpfork::simt {

using ptx::Opcode;

void InstructionDecoder::unsupported(const ptx::Instruction& source) const {
  throw Error("{}: error: instruction '{}' is not supported", place_of(module_, source), mnemonic(source));
}

void InstructionDecoder::select(const Operation& operation, Instruction& decoded) {
  decoded.handler = select_handler(handlers_, operation);
  if (!decoded.handler) unsupported(operation.instruction);
}

void InstructionDecoder::expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const {
  const std::size_t count = source.operands.size();
  if (count >= least && count <= most) return;
  const std::string allowed = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  operands_.fail(fmt::format("{} operands where {} are allowed", count, allowed));
}

void InstructionDecoder::guard(const ptx::Instruction& source, Instruction& decoded) {
  if (!source.guard) return;
  decoded.guard = static_cast<std::uint16_t>(operands_.rows().place(source.guard->predicate));
  decoded.guard_negated = source.guard->negated;
  decoded.guard_register = static_cast<std::uint16_t>(source.guard->predicate);
}

void InstructionDecoder::register_lists(const ptx::Instruction& source, Instruction& decoded) {
  ptx::Instruction unguarded = source;
  unguarded.guard.reset();
  const analysis::RegisterUse use = analysis::registers_of(unguarded);
  if (use.reads.size() > Instruction::kMaxSources || use.writes.size() > Instruction::kMaxDestinations)
    unsupported(source);
  for (const ptx::RegisterId id : use.reads) decoded.sources[decoded.source_count++] = static_cast<std::uint16_t>(id);
  for (const ptx::RegisterId id : use.writes)
    decoded.destinations[decoded.destination_count++] = static_cast<std::uint16_t>(id);
}

Instruction InstructionDecoder::decode(const ptx::Instruction& source) {
  Instruction decoded;
  operands_.set_instruction(source);
  switch (source.opcode) {
#define OPERATION(opcode, decode, family, integer, f32, f64) \
  case Opcode::opcode:                                       \
    decode(source, decoded);                                 \
    break;
#include "simt/operations.def"
#undef OPERATION
    default:
      unsupported(source);
  }
  decoded.timing = timing_of(source);
  guard(source, decoded);
  register_lists(source, decoded);
  return decoded;
}

}  // namespace warpfork::simt

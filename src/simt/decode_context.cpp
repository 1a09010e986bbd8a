#include "simt/decode_context.h"

#include "base/error.h"
#include "ptx/instruction_age.h"
#include "ptx/instruction_text.h"
#include "ptx/operand_elements.h"

namespace warpfork::simt {

void DecodeContext::expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const {
  const std::size_t count = source.operands.size();
  if (count >= least && count <= most) return;
  const std::string allowed = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  operands.fail(fmt::format("{} operands where {} are allowed", count, allowed));
}

void DecodeContext::member_mask(const ptx::Instruction& source, std::size_t others, Instruction& decoded) {
  const bool sync = source.has(ptx::Modifier::Sync);
  const std::size_t count = others + (sync ? 1 : 0);
  expect_operands(source, count, count);
  if (sync) decoded.members = operands.source(source.operands.back(), ptx::ScalarType::B32);
}

std::span<const ptx::Operand> DecodeContext::elements(const ptx::Instruction& source, std::size_t operand) const {
  const std::span<const ptx::Operand> elements = ptx::elements_of(source.operands[operand]);
  if (elements.size() != source.vector_width)
    operands.fail("the vector has another number of elements than the instruction");
  return elements;
}

void DecodeContext::select(const Operation& operation, Instruction& decoded) const {
  decoded.handler = select_handler(handlers_, operation);
  if (!decoded.handler) unsupported(operation.instruction);
}

void DecodeContext::unsupported(const ptx::Instruction& source) const {
  throw Error("{} is not supported{}", what_is_refused(module, source), ptx::remedy_for_age(source));
}

}  // namespace warpfork::simt

// PTX ISA, "Floating-Point Instructions" and "Half Precision Floating-Point Instructions": what is exact to the bit.
#include <array>

#include "reference/execute.h"
#include "reference/float_extreme.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

/// One element, operands already flushed.
std::uint64_t element_result(const Thread& thread, FloatFormat format, const std::array<std::uint64_t, 3>& in) {
  const Instruction& instruction = thread.instruction();
  const Rounding rounding = rounding_of(instruction);
  const Real a = decode(in[0], format), b = decode(in[1], format), c = decode(in[2], format);
  switch (instruction.opcode) {
    case Opcode::Add:
      return encode(add(a, b, rounding), format, rounding);
    case Opcode::Sub:
      return encode(add(a, negate(b), rounding), format, rounding);
    case Opcode::Mul:
      return encode(multiply(a, b), format, rounding);
    case Opcode::Fma:
    case Opcode::Mad:
      return encode(add(multiply(a, b), c, rounding), format, rounding);
    case Opcode::Div:
      return encode(divide(a, b), format, rounding);
    case Opcode::Abs:
      return a.is_nan() ? format.canonical_nan() : in[0] & ~format.sign_mask();
    case Opcode::Neg:
      return a.is_nan() ? format.canonical_nan() : in[0] ^ format.sign_mask();
    case Opcode::Min:
    case Opcode::Max: {
      const std::uint64_t first = float_extreme(instruction, format, in[0], in[1]);
      return thread.has_operand(3) ? float_extreme(instruction, format, first, in[2]) : first;
    }
    default:
      thread.reject("not supported");
  }
}

/// With two dotted types all operands but the last are of the second one, which is exact in the first.
std::uint64_t operand(const Thread& thread, std::size_t index) {
  const auto& types = thread.instruction().types;
  if (types.size() == 1 || !thread.has_operand(index + 1)) return thread.read(index, types[0]);
  const Real value = decode(thread.read(index, types[1]), float_type(types[1])->format);
  return encode(value, float_type(types[0])->format, Rounding::NearestEven);
}

}  // namespace

void execute_floating(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ptx::ScalarType type = instruction.types.at(0);
  if (instruction.opcode == Opcode::Copysign) {  // the sign of a on the magnitude of b
    const std::uint64_t sign = float_type(type)->format.sign_mask();
    return thread.write(0, (thread.read(1, type) & sign) | (thread.read(2, type) & ~sign), type);
  }
  const FloatType floats = *float_type(type);
  const unsigned width = floats.format.width();
  std::array<std::uint64_t, 3> operands{};
  for (std::size_t i = 0; i < operands.size() && thread.has_operand(i + 1); ++i) operands[i] = operand(thread, i + 1);
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < floats.elements * width; shift += width) {
    std::array<std::uint64_t, 3> element{};
    for (std::size_t i = 0; i < operands.size(); ++i)
      element[i] = flushed_operand(instruction, truncate(operands[i] >> shift, width), floats.format);
    std::uint64_t value = element_result(thread, floats.format, element);
    if (decode(value, floats.format).is_nan()) value = nan_result(instruction, floats.format, element);
    result |= finished_result(instruction, value, floats.format) << shift;
  }
  thread.write(0, result, type);
}

}  // namespace warpfork::reference

// PTX ISA, "Floating-Point Instructions": rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh. rcp and sqrt with a rounding mode
// are exact to the bit; the rest is rounded from long double, to be compared under the ISA's stated error.
#include <cmath>

#include "reference/execute.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Opcode;

long double to_long_double(const Real& value) {
  if (value.is_nan()) return std::nanl("");
  const long double magnitude =
      value.is_infinite() ? HUGE_VALL : std::ldexp(static_cast<long double>(value.magnitude), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

Real from_long_double(long double value) {
  if (std::isnan(value)) return Real::nan();
  const bool negative = std::signbit(value);
  if (std::isinf(value)) return Real::infinity(negative);
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1): 64 bits make it an integer
  return {Real::Kind::Finite, negative, static_cast<unsigned __int128>(std::ldexp(fraction, 64)), exponent - 64};
}

long double transcendental(const Thread& thread, long double x) {
  switch (thread.instruction().opcode) {
    case Opcode::Rsqrt:
      return 1.0L / std::sqrt(x);
    case Opcode::Sin:
      return std::sin(x);
    case Opcode::Cos:
      return std::cos(x);
    case Opcode::Lg2:
      return std::log2(x);
    case Opcode::Ex2:
      return std::exp2(x);
    case Opcode::Tanh:
      return std::tanh(x);
    default:
      thread.reject("not supported");
  }
}

}  // namespace

void execute_special_function(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const ptx::ScalarType type = instruction.types.at(0);
  const auto floats = float_type(type);
  if (!floats) thread.reject("not supported for this type");
  const FloatFormat format = floats->format;
  const Rounding rounding = rounding_of(instruction);
  const std::uint64_t operands = thread.read(1, type);
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < floats->elements * format.width(); shift += format.width()) {
    const std::uint64_t element = truncate(operands >> shift, format.width());
    const Real a = decode(flushed_operand(instruction, element, format), format);
    const Real value = instruction.opcode == Opcode::Rcp ? divide(Real::integer(1), a)
                       : instruction.opcode == Opcode::Sqrt
                           ? square_root(a)
                           : from_long_double(transcendental(thread, to_long_double(a)));
    const std::uint64_t encoded =
        value.is_nan() ? nan_result(instruction, format, {&element, 1}) : encode(value, format, rounding);
    result |= finished_result(instruction, encoded, format) << shift;
  }
  thread.write(0, result, type);
}

}  // namespace warpfork::reference

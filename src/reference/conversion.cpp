// PTX ISA, "Data Movement and Conversion Instructions: cvt".
#include <algorithm>

#include "reference/byte_float.h"
#include "reference/exact_integer.h"
#include "reference/execute.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::ScalarType;

struct IntegerRange {
  Int low, high;
};

IntegerRange range_of(ScalarType type) {
  const unsigned bits = ptx::bits_of(type);
  if (ptx::is_signed(type)) return {-(Int{1} << (bits - 1)), (Int{1} << (bits - 1)) - 1};
  return {0, (Int{1} << bits) - 1};
}

bool has_integer_rounding(const Instruction& instruction) {
  return instruction.has(Modifier::Rni) || instruction.has(Modifier::Rzi) || instruction.has(Modifier::Rmi) ||
         instruction.has(Modifier::Rpi);
}

/// Clamped to the destination's range, with or without `.sat`. A NaN gives zero in conversions up to 32 bits, else only
/// the destination's highest bit (ISA 9.0, notes on cvt).
Int float_to_integer(const Instruction& instruction, std::uint64_t bits, ScalarType from, ScalarType to) {
  const FloatFormat format = float_type(from)->format;
  const Real value = decode(flushed_operand(instruction, bits, format), format);
  const bool wide = from == ScalarType::F64 || ptx::bits_of(to) == 64;
  if (value.is_nan()) return wide ? Int{1} << (ptx::bits_of(to) - 1) : 0;
  const Rounding rounding = has_integer_rounding(instruction) ? rounding_of(instruction) : Rounding::Zero;
  const IntegerRange range = range_of(to);
  return clamp_to_integer(round_to_integral(value, rounding), range.low, range.high);
}

/// With double precision on one side it keeps its sign and what fits of its payload.
std::uint64_t converted_nan(std::uint64_t bits, FloatFormat from, FloatFormat to) {
  if (from.width() != 64 && to.width() != 64) return to.canonical_nan();
  const std::uint64_t sign = (bits & from.sign_mask()) != 0 ? to.sign_mask() : 0;
  const std::uint64_t payload = (bits & ((std::uint64_t{1} << from.fraction_bits) - 1)) << (52 - from.fraction_bits);
  return sign | to.infinity() | to.quiet_bit() | payload >> (52 - to.fraction_bits);
}

std::uint64_t float_to_float(const Instruction& instruction, std::uint64_t bits, ScalarType from, FloatFormat to) {
  const FloatFormat format = float_type(from)->format;
  const bool has_words = from == ScalarType::Bf16 ? instruction.has(Modifier::Ftz) || instruction.has(Modifier::Sat)
                                                  : !instruction.modifiers.empty();  // roundings are none
  const bool moves = !has_words && format.exponent_bits == to.exponent_bits && to.width() >= 32;
  if (moves && format.fraction_bits <= to.fraction_bits) return bits << (to.fraction_bits - format.fraction_bits);
  // .ftz is about single precision only: a half that is read or written keeps its subnormals.
  const bool flush_operand = instruction.has(Modifier::Ftz) && from == ScalarType::F32;
  Real value = decode(flush_operand ? flush_subnormal(bits, format) : bits, format);
  if (value.is_nan()) return converted_nan(flush_operand ? format.canonical_nan() : bits, format, to);
  Rounding rounding = rounding_of(instruction);
  if (has_integer_rounding(instruction)) {
    value = round_to_integral(value, rounding);
    rounding = Rounding::NearestEven;
  }
  return encode(value, to, rounding);
}

/// `.ftz` (single precision only), `.sat`, `.relu`, `.satfinite` on a floating-point result.
std::uint64_t finished(const Instruction& instruction, std::uint64_t bits, FloatFormat format) {
  const bool single = format.exponent_bits == kF32.exponent_bits && format.fraction_bits == kF32.fraction_bits;
  Instruction words;
  for (const Modifier word : instruction.modifiers)
    if (word != Modifier::Ftz || single) words.modifiers.push_back(word);
  bits = finished_result(words, bits, format);
  const std::uint64_t magnitude = bits & ~format.sign_mask();
  if (instruction.has(Modifier::Satfinite) && magnitude == format.infinity()) return bits - 1;
  return bits;
}

void convert_to_tf32(Thread& thread) {
  const FloatFormat tf32{8, 10};
  const std::uint64_t rounded =
      float_to_float(thread.instruction(), thread.read(1, ScalarType::F32), ScalarType::F32, tf32);
  const std::uint64_t bits = finished(thread.instruction(), rounded, tf32);
  thread.write(0, bits == tf32.canonical_nan() ? kF32.canonical_nan() : bits << 13, ScalarType::B32);
}

/// `cvt.rn.f16x2.f32 d, a, b`: a goes to the upper half, b to the lower.
void convert_pair(Thread& thread, ScalarType to, ScalarType from) {
  const FloatFormat format = float_type(to)->format;
  const auto half = [&](std::size_t index) {
    const std::uint64_t bits = float_to_float(thread.instruction(), thread.read(index, from), from, format);
    return finished(thread.instruction(), bits, format);
  };
  thread.write(0, half(1) << 16 | half(2), to);
}

/// cvt.pack.sat: a and b saturated side by side, b lowest, above them what fits of c (types narrower than 16 bits).
void convert_and_pack(Thread& thread, ScalarType to, ScalarType from) {
  const unsigned width = ptx::bits_of(to);
  const IntegerRange range = range_of(to);
  const auto part = [&](std::size_t index) {
    const Int clamped = std::clamp(number(thread.read(index, from), from), range.low, range.high);
    return truncate(static_cast<std::uint64_t>(clamped), width);
  };
  const std::uint64_t above = thread.has_operand(3) ? thread.read(3, ScalarType::B32) << (2 * width) : 0;
  thread.write(0, above | part(1) << width | part(2), ScalarType::B32);
}

/// The nearest code by looking at all; of two as near the even one.
std::uint64_t nearest_byte(Real value, const ByteFormat& format) {
  if (value.is_nan()) return format.nan;
  const std::uint64_t sign = value.negative ? format.layout.sign_mask() : 0;
  value.negative = false;
  std::uint64_t best = format.most;
  if (compare(value, value_of_code(best, format.layout)) >= 0) return sign | best;
  const auto distance = [&](std::uint64_t code) {
    Real difference = add(value, negate(value_of_code(code, format.layout)), Rounding::NearestEven);
    difference.negative = false;
    return difference;
  };
  for (std::uint64_t code = 0; code <= format.most; ++code) {
    const int order = compare(distance(code), distance(best));
    if (order < 0 || (order == 0 && code % 2 == 0)) best = code;
  }
  return sign | best;
}

std::uint64_t half_of_byte(std::uint64_t byte, const ByteFormat& format) {
  return encode(value_of_byte(byte, format), kF16, Rounding::NearestEven);
}

/// Two numbers beside one another, from or to bytes.
void convert_bytes(Thread& thread, ScalarType to, ScalarType from) {
  const bool relu = thread.instruction().has(Modifier::Relu);
  const auto kept = [&](std::uint64_t bits, FloatFormat layout) {
    return relu && (bits & layout.sign_mask()) != 0 ? 0 : bits;
  };
  if (const ByteFormat* format = byte_format(from)) {
    const std::uint64_t bytes = thread.read(1, from);
    const auto half = [&](std::uint64_t byte) { return kept(half_of_byte(byte, *format), kF16); };
    return thread.write(0, half(bytes >> format->apart) << 16 | half(truncate(bytes, format->apart)), ScalarType::B32);
  }
  const bool is_pair = from == ScalarType::F16x2;
  const FloatFormat source = is_pair ? kF16 : kF32;
  const std::uint64_t first = thread.read(1, ScalarType::B32);
  const std::uint64_t upper = is_pair ? first >> 16 : first;
  const std::uint64_t lower = is_pair ? first & 0xffff : thread.read(2, ScalarType::B32);
  const ByteFormat& format = *byte_format(to);
  const auto byte = [&](std::uint64_t bits) { return kept(nearest_byte(decode(bits, source), format), format.layout); };
  thread.write(0, byte(upper) << format.apart | byte(lower), to);
}

/// The exponent of a power of two, biased by 127: the largest that is not above the number, or the least not below it.
std::uint64_t scale_of(const Instruction& instruction, std::uint64_t bits) {
  Real value = decode(bits, kF32);
  if (value.is_nan()) return 0xff;
  value.negative = false;
  const auto power = [](std::uint64_t scale) {
    return Real{Real::Kind::Finite, false, 1, static_cast<int>(scale) - 127};
  };
  std::uint64_t scale = 0;
  if (instruction.has(Modifier::Rp))
    while (scale < 0xff && compare(power(scale), value) < 0) ++scale;
  else
    while (scale < 0xff && compare(power(scale + 1), value) <= 0) ++scale;
  return instruction.has(Modifier::Satfinite) ? std::min<std::uint64_t>(scale, 0xfe) : scale;
}

void convert_to_scales(Thread& thread, ScalarType from) {
  const bool is_pair = from == ScalarType::Bf16x2;
  const std::uint64_t first = thread.read(1, ScalarType::B32);
  const std::uint64_t upper = is_pair ? first & 0xffff0000 : first;
  const std::uint64_t lower = is_pair ? truncate(first << 16, 32) : thread.read(2, ScalarType::B32);
  const Instruction& instruction = thread.instruction();
  thread.write(0, scale_of(instruction, upper) << 8 | scale_of(instruction, lower), ScalarType::B16);
}

void convert_from_scales(Thread& thread) {
  const std::uint64_t scales = thread.read(1, ScalarType::B16);
  const auto number = [](std::uint64_t scale) {
    const Real power{Real::Kind::Finite, false, 1, static_cast<int>(scale) - 127};
    return scale == 0xff ? kBf16.canonical_nan() : encode(power, kBf16, Rounding::NearestEven);
  };
  thread.write(0, number(scales >> 8) << 16 | number(scales & 0xff), ScalarType::B32);
}

}  // namespace

void execute_conversion(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType to = instruction.types.at(0), from = instruction.types.at(1);
  if (instruction.has(Modifier::Pack)) return convert_and_pack(thread, to, from);
  if (to == ScalarType::Tf32) return convert_to_tf32(thread);
  if (to == ScalarType::Ue8m0x2) return convert_to_scales(thread, from);
  if (from == ScalarType::Ue8m0x2) return convert_from_scales(thread);
  if (byte_format(to) != nullptr || byte_format(from) != nullptr) return convert_bytes(thread, to, from);
  const auto to_float = float_type(to), from_float = float_type(from);
  const bool known = (to_float || !ptx::is_float(to)) && (from_float || !ptx::is_float(from));
  if (!known || (from_float && from_float->elements > 1)) thread.reject("not supported for these types");
  if (to_float && to_float->elements > 1) return convert_pair(thread, to, from);

  const std::uint64_t bits = thread.read(1, from);
  if (!to_float) {
    Int value = from_float ? float_to_integer(instruction, bits, from, to) : number(bits, from);
    const IntegerRange range = range_of(to);
    if (instruction.has(Modifier::Sat) && !from_float) value = std::clamp(value, range.low, range.high);
    return thread.write(0, static_cast<std::uint64_t>(value), to);
  }
  const std::uint64_t result =
      from_float ? float_to_float(instruction, bits, from, to_float->format)
                 : encode(Real::integer(number(bits, from)), to_float->format, rounding_of(instruction));
  thread.write(0, finished(instruction, result, to_float->format), to);
}

}  // namespace warpfork::reference

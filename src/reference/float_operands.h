// What floating-point instructions have in common (PTX ISA, "Floating-Point Instructions"): formats, rounding words,
// .ftz.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "ptx/instruction.h"
#include "reference/soft_float.h"

namespace warpfork::reference {

/// A floating-point type: packed types hold two elements.
struct FloatType {
  FloatFormat format;
  unsigned elements = 1;
};

inline std::optional<FloatType> float_type(ptx::ScalarType type) {
  switch (type) {
    case ptx::ScalarType::F16:
      return FloatType{kF16, 1};
    case ptx::ScalarType::F16x2:
      return FloatType{kF16, 2};
    case ptx::ScalarType::Bf16:
      return FloatType{kBf16, 1};
    case ptx::ScalarType::Bf16x2:
      return FloatType{kBf16, 2};
    case ptx::ScalarType::F32:
      return FloatType{kF32, 1};
    case ptx::ScalarType::F32x2:
      return FloatType{kF32, 2};
    case ptx::ScalarType::F64:
      return FloatType{kF64, 1};
    default:
      return std::nullopt;
  }
}

/// The rounding that the instruction names; to nearest even where it names none.
inline Rounding rounding_of(const ptx::Instruction& instruction) {
  using ptx::Modifier;
  if (instruction.has(Modifier::Rz) || instruction.has(Modifier::Rzi)) return Rounding::Zero;
  if (instruction.has(Modifier::Rm) || instruction.has(Modifier::Rmi)) return Rounding::Down;
  if (instruction.has(Modifier::Rp) || instruction.has(Modifier::Rpi)) return Rounding::Up;
  if (instruction.has(Modifier::Rna)) return Rounding::NearestAway;
  return Rounding::NearestEven;
}

/// An operand, flushed if the instruction says `.ftz`.
inline std::uint64_t flushed_operand(const ptx::Instruction& instruction, std::uint64_t bits, FloatFormat format) {
  return instruction.has(ptx::Modifier::Ftz) ? flush_subnormal(bits, format) : bits;
}

/// A NaN result of double precision: the last of the operands that is one, quiet, with its sign and payload; of div the
/// first. Other formats have one NaN each (docs/adr/0005-open-cases-of-arithmetic.md).
inline std::uint64_t nan_result(const ptx::Instruction& instruction, FloatFormat format,
                                std::span<const std::uint64_t> operands) {
  std::uint64_t result = format.canonical_nan();
  if (format.width() != 64) return result;
  const auto take = [&](std::uint64_t bits) {
    if (decode(bits, format).is_nan()) result = bits | format.quiet_bit();
  };
  if (instruction.opcode == ptx::Opcode::Div)
    std::for_each(operands.rbegin(), operands.rend(), take);
  else
    std::for_each(operands.begin(), operands.end(), take);
  return result;
}

/// A result under `.ftz`, then `.sat` (into [+0, 1]; a NaN gives +0), then `.relu` (negative gives +0).
inline std::uint64_t finished_result(const ptx::Instruction& instruction, std::uint64_t bits, FloatFormat format) {
  if (instruction.has(ptx::Modifier::Ftz)) bits = flush_subnormal(bits, format);
  const Real value = decode(bits, format);
  if (instruction.has(ptx::Modifier::Sat)) {
    if (value.is_nan() || value.negative) return 0;
    if (compare(value, Real::integer(1)) > 0) return encode(Real::integer(1), format, Rounding::Zero);
  }
  if (instruction.has(ptx::Modifier::Relu) && !value.is_nan() && value.negative) return 0;
  return bits;
}

}  // namespace warpfork::reference

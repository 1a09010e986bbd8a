// IEEE binary16 and bfloat16 in software, with every rounding of PTX (PTX ISA, "Alternate Floating-Point Data
// Formats").
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/lanes/lanewise.h"

namespace warpfork::simt::WARPFORK_LANES {

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

/// Layout of a 16-bit float.
template <unsigned ExponentBits, unsigned MantissaBits>
struct SmallFloat {
  static constexpr unsigned kMantissaBits = MantissaBits;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity = ((1u << ExponentBits) - 1) << MantissaBits;
  static constexpr std::uint16_t kNan = 0x7fff;

  /// Exact.
  static double to_double(std::uint16_t value) {
    const std::uint64_t sign = static_cast<std::uint64_t>(value >> 15) << 63;
    const std::uint64_t magnitude = value & 0x7fff;
    if (magnitude > kInfinity)
      return std::bit_cast<double>(sign | 0x7ff8000000000000 | magnitude << (52 - MantissaBits));
    if (magnitude == kInfinity) return std::bit_cast<double>(sign | 0x7ff0000000000000);
    // Read as a double with the small exponent, subnormals and all, then scaled to the right one: exact.
    const double scaled = std::bit_cast<double>(magnitude << (52 - MantissaBits));
    const double scale = std::bit_cast<double>(std::uint64_t{1023 + 1023 - kBias} << 52);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(scaled * scale) | sign);
  }

  /// A NaN keeps its sign and what fits of its payload; arithmetic gives kNan instead.
  static std::uint16_t convert(double value, Rounding rounding) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    if (value == value) return from_double(value, rounding);
    const std::uint64_t payload = (bits & 0x000fffffffffffff) >> (52 - MantissaBits);
    return static_cast<std::uint16_t>(bits >> 63 << 15 | kInfinity | 1u << (MantissaBits - 1) | payload);
  }

  /// Not inlined: hundreds of rare conversions call it.
  [[gnu::noinline]] static std::uint16_t from_double(double value, Rounding rounding) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const std::uint16_t sign = static_cast<std::uint16_t>(bits >> 63 << 15);
    const std::uint64_t magnitude = bits & 0x7fffffffffffffff;
    if (magnitude > 0x7ff0000000000000) return kNan;
    if (magnitude == 0x7ff0000000000000) return sign | kInfinity;
    const int exponent = static_cast<int>(magnitude >> 52) - 1023 + kBias;
    if (magnitude < 0x0010000000000000 && magnitude == 0) return sign;
    const std::uint64_t mantissa = (magnitude & 0x000fffffffffffff) | 0x0010000000000000;
    // `dropped` low bits of the mantissa do not fit; subnormal results drop more.
    const unsigned dropped = 52 - MantissaBits + (exponent < 1 ? static_cast<unsigned>(1 - exponent) : 0);
    std::uint64_t kept = dropped > 63 ? 0 : mantissa >> dropped;
    const bool above_half = dropped <= 63 && (mantissa << (64 - dropped)) > (std::uint64_t{1} << 63);
    const bool exactly_half = dropped <= 63 && (mantissa << (64 - dropped)) == (std::uint64_t{1} << 63);
    const bool inexact = dropped > 63 || (mantissa << (64 - dropped)) != 0;
    const bool away = rounding == Rounding::Nearest ? above_half || (exactly_half && (kept & 1))
                      : rounding == Rounding::Down  ? inexact && sign != 0
                      : rounding == Rounding::Up    ? inexact && sign == 0
                                                    : false;
    kept += away ? 1 : 0;
    if (exponent > 0) kept += static_cast<std::uint64_t>(exponent - 1) << MantissaBits;
    if (kept < kInfinity) return static_cast<std::uint16_t>(sign | kept);
    const bool to_infinity = rounding == Rounding::Nearest || (rounding == Rounding::Down && sign != 0) ||
                             (rounding == Rounding::Up && sign == 0);
    return static_cast<std::uint16_t>(sign | (to_infinity ? kInfinity : kInfinity - 1));
  }
};

using Half = SmallFloat<5, 10>;
using BFloat = SmallFloat<8, 7>;

/// Under .ftz a subnormal becomes a zero of its sign.
template <typename Format, bool Ftz>
std::uint16_t flushed(std::uint16_t value) {
  return Ftz && (value & Format::kInfinity) == 0 ? value & 0x8000 : value;
}

/// A result under .satfinite (the largest number for an infinity), then .relu (+0 for what is negative; a NaN has no
/// sign).
template <typename Format, bool Relu, bool Finite>
std::uint16_t clamped(std::uint16_t result) {
  if (Finite && (result & 0x7fff) == Format::kInfinity) --result;
  return Relu && (result & 0x8000) != 0 ? 0 : result;
}

/// a + b with everything that does not fit recorded in the last bit ("round to odd"), so that a second rounding to a
/// narrower format is right (Boldo and Melquiond, 2008).
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!(std::fabs(sum) < 0x1p1000)) return sum;
  const double b_part = sum - a, a_part = sum - b_part;
  const double error = (a - a_part) + (b - b_part);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  // The exact sum lies beside `sum`, on the side of the error's sign; step there if that is towards zero, and make it
  // odd.
  const bool towards_zero = (error < 0) == (sum > 0);
  bits = towards_zero ? bits - 1 : bits | 1;
  return std::bit_cast<double>(bits);
}

/// Op of 16-bit floats in 32-bit registers: of one in the lower half, or of a pair.
template <typename Op, bool Pair>
struct Packed {
  static constexpr bool kCostly = true;
  template <typename... T>
  static std::uint32_t apply(T... values) {
    const std::uint32_t low = Op::apply(static_cast<std::uint16_t>(values)...);
    return Pair ? low | std::uint32_t{Op::apply(static_cast<std::uint16_t>(values >> 16)...)} << 16 : low;
  }
};

template <typename Op, unsigned Operands>
Handler with_pairs(bool pair) {
  const auto with = [&]<bool Pair>() -> Handler {
    using P = Packed<Op, Pair>;
    if constexpr (Operands == 1) return lanewise<P, std::uint32_t, std::uint32_t>;
    if constexpr (Operands == 2) return lanewise<P, std::uint32_t, std::uint32_t, std::uint32_t>;
    if constexpr (Operands == 3) return lanewise<P, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  };
  return pair ? with.template operator()<true>() : with.template operator()<false>();
}

}  // namespace warpfork::simt::WARPFORK_LANES

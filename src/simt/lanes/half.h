// IEEE binary16 and bfloat16 in software, with every rounding of PTX (PTX ISA, "Alternate Floating-Point Data
// Formats").
#pragma once

#include <bit>
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
    if (magnitude > kInfinity) return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
    if (magnitude == kInfinity) return std::bit_cast<double>(sign | 0x7ff0000000000000);
    // Read as a double with the small exponent, subnormals and all, then scaled to the right one: exact.
    const double scaled = std::bit_cast<double>(magnitude << (52 - MantissaBits));
    const double scale = std::bit_cast<double>(std::uint64_t{1023 + 1023 - kBias} << 52);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(scaled * scale) | sign);
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

}  // namespace warpfork::simt::WARPFORK_LANES

// Floats of eight bits (PTX ISA, "Alternate Floating-Point Data Formats": .e4m3, .e5m2), always in pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simt/lanes/half.h"

namespace warpfork::simt::WARPFORK_LANES {

/// Layout of one; kMost is the largest finite magnitude, all above kInfinity are NaN. e4m3 has no infinity.
template <unsigned ExponentBits, unsigned MantissaBits, unsigned Most, unsigned Infinity>
struct ByteFloat {
  static constexpr int kLeastExponent = 2 - (1 << (ExponentBits - 1));
  static constexpr std::uint8_t kMost = Most, kInfinity = Infinity, kNan = 0x7f;

  /// To nearest even; what is too large becomes the largest finite number (.satfinite).
  static std::uint8_t from_double(double value) {
    if (value != value) return kNan;
    const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
    const double magnitude = std::fabs(value);
    if (magnitude >= 0x1p16) return sign | kMost;
    const int exponent = magnitude < 0x1p-64 ? kLeastExponent : std::max(std::ilogb(magnitude), kLeastExponent);
    // In units of the last place the implicit one of a normal number counts as a step of the exponent field.
    const double units = std::nearbyint(std::ldexp(magnitude, static_cast<int>(MantissaBits) - exponent));
    const int bits = ((exponent - kLeastExponent) << MantissaBits) + static_cast<int>(units);
    return static_cast<std::uint8_t>(sign | std::min(bits, static_cast<int>(kMost)));
  }

  /// Exact.
  static std::uint16_t to_half(std::uint8_t bits) {
    const unsigned magnitude = bits & 0x7fu;
    const std::uint16_t sign = static_cast<std::uint16_t>((bits & 0x80u) << 8);
    if (magnitude > kInfinity) return Half::kNan;
    if (magnitude == kInfinity && kInfinity > kMost) return sign | Half::kInfinity;
    const int field = static_cast<int>(magnitude >> MantissaBits);
    const unsigned fraction = magnitude & ((1u << MantissaBits) - 1);
    const unsigned units = field == 0 ? fraction : fraction | 1u << MantissaBits;
    const int exponent = std::max(field - 1, 0) + kLeastExponent - static_cast<int>(MantissaBits);
    return sign | Half::from_double(std::ldexp(units, exponent), Rounding::Nearest);
  }
};

using E4m3 = ByteFloat<4, 3, 0x7e, 0x7e>;
using E5m2 = ByteFloat<5, 2, 0x7b, 0x7c>;

/// .relu: what is negative becomes +0; a NaN has no sign.
template <bool Relu, typename Bits>
Bits without_negative(Bits bits) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  return Relu && (bits & kSign) != 0 ? Bits{0} : bits;
}

/// The first operand in the upper byte.
template <typename Format, bool Relu>
struct FloatsToBytes {
  static constexpr bool kCostly = true;
  static std::uint16_t apply(float a, float b) { return of(a, b); }
  static std::uint16_t of(double a, double b) {
    const auto byte = [](double value) { return without_negative<Relu>(Format::from_double(value)); };
    return static_cast<std::uint16_t>(byte(a) << 8 | byte(b));
  }
};
template <typename Format, bool Relu>
struct HalvesToBytes {
  static constexpr bool kCostly = true;
  static std::uint16_t apply(std::uint32_t pair) {
    return FloatsToBytes<Format, Relu>::of(Half::to_double(static_cast<std::uint16_t>(pair >> 16)),
                                           Half::to_double(static_cast<std::uint16_t>(pair)));
  }
};
template <typename Format, bool Relu>
struct BytesToHalves {
  static constexpr bool kCostly = true;
  static std::uint32_t apply(std::uint16_t pair) {
    const auto half = [](unsigned byte) -> std::uint32_t {
      return without_negative<Relu>(Format::to_half(static_cast<std::uint8_t>(byte)));
    };
    return half(pair >> 8) << 16 | half(pair & 0xffu);
  }
};

}  // namespace warpfork::simt::WARPFORK_LANES

// Floats of four, six and eight bits (PTX ISA, "Alternate Floating-Point Data Formats": .e2m1, .e2m3, .e3m2, .e4m3,
// .e5m2), always in pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "simt/lanes/half.h"

namespace warpfork::simt::WARPFORK_LANES {

/// Layout of one; kMost is the largest finite magnitude, all above kInfinity are NaN. e4m3 has no infinity, those of
/// less than eight bits have no NaN, either: it becomes the largest number.
template <unsigned ExponentBits, unsigned MantissaBits, unsigned Most, unsigned Infinity, unsigned Nan>
struct ByteFloat {
  static constexpr int kLeastExponent = 2 - (1 << (ExponentBits - 1));
  static constexpr std::uint8_t kSign = 1 << (ExponentBits + MantissaBits);
  static constexpr std::uint8_t kMost = Most, kInfinity = Infinity, kNan = Nan;
  /// Of a pair, from one to the other in their register; and what holds a pair.
  static constexpr unsigned kApart = kSign == 0x08 ? 4 : 8;
  using Pair = std::conditional_t<kApart == 4, std::uint8_t, std::uint16_t>;

  /// To nearest even; what is too large becomes the largest finite number (.satfinite).
  static std::uint8_t from_double(double value) {
    if (value != value) return kNan;
    const std::uint8_t sign = std::signbit(value) ? kSign : 0;
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
    const unsigned magnitude = bits & (kSign - 1u);
    const std::uint16_t sign = (bits & kSign) != 0 ? 0x8000 : 0;
    if (magnitude > kInfinity) return Half::kNan;
    if (magnitude == kInfinity && kInfinity > kMost) return sign | Half::kInfinity;
    const int field = static_cast<int>(magnitude >> MantissaBits);
    const unsigned fraction = magnitude & ((1u << MantissaBits) - 1);
    const unsigned units = field == 0 ? fraction : fraction | 1u << MantissaBits;
    const int exponent = std::max(field - 1, 0) + kLeastExponent - static_cast<int>(MantissaBits);
    return sign | Half::from_double(std::ldexp(units, exponent), Rounding::Nearest);
  }
};

using E4m3 = ByteFloat<4, 3, 0x7e, 0x7e, 0x7f>;
using E5m2 = ByteFloat<5, 2, 0x7b, 0x7c, 0x7f>;
using E2m1 = ByteFloat<2, 1, 0x07, 0x07, 0x07>;
using E2m3 = ByteFloat<2, 3, 0x1f, 0x1f, 0x1f>;
using E3m2 = ByteFloat<3, 2, 0x1f, 0x1f, 0x1f>;

/// The first operand above the second. .relu: what is negative becomes +0; a NaN has no sign.
template <typename Format, bool Relu>
struct FloatsToBytes {
  static constexpr bool kCostly = true;
  using Pair = typename Format::Pair;
  static Pair apply(float a, float b) { return of(a, b); }
  static Pair of(double a, double b) {
    const auto byte = [](double value) -> std::uint8_t {
      const std::uint8_t bits = Format::from_double(value);
      return Relu && (bits & Format::kSign) != 0 ? 0 : bits;
    };
    return static_cast<Pair>(byte(a) << Format::kApart | byte(b));
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
  static std::uint32_t apply(typename Format::Pair pair) {
    const auto half = [](unsigned bits) -> std::uint32_t {
      return clamped<Half, Relu, false>(Format::to_half(static_cast<std::uint8_t>(bits)));
    };
    return half(pair >> Format::kApart) << 16 | half(pair & ((1u << Format::kApart) - 1));
  }
};

}  // namespace warpfork::simt::WARPFORK_LANES

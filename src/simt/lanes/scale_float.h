// Powers of two in eight bits, the scales of blocks of small floats (PTX ISA, "Alternate Floating-Point Data Formats":
// .ue8m0), always in pairs.
#pragma once

#include <cstdint>

#include "simt/lanes/half.h"

namespace warpfork::simt::WARPFORK_LANES {

/// The exponent of single precision; 0 is 2^-127.
struct ScaleFloat {
  static constexpr std::uint8_t kNan = 0xff;

  /// Of the magnitude of a number in single precision: the power of two below it, or above it (Rounding::Up). What is
  /// too large becomes the largest power if `finite`, else a NaN.
  static std::uint8_t from_single(std::uint32_t bits, Rounding rounding, bool finite) {
    constexpr std::uint32_t kInfinity = 0x7f800000, kLeast = 0x00400000, kFraction = 0x007fffff;
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > kInfinity) return kNan;
    const bool up = rounding == Rounding::Up && (magnitude & kFraction) != 0 && magnitude > kLeast;
    const auto power = static_cast<std::uint8_t>((magnitude >> 23) + (up ? 1 : 0));
    return finite && power == kNan ? kNan - 1 : power;
  }
  static std::uint16_t to_bfloat(std::uint8_t power) {
    return power == kNan ? BFloat::kNan : power == 0 ? 0x0040 : static_cast<std::uint16_t>(power << 7);
  }
};

/// The first operand in the upper byte.
template <Rounding Mode, bool Finite>
struct FloatsToScales {
  static std::uint16_t apply(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint16_t>(ScaleFloat::from_single(a, Mode, Finite) << 8 |
                                      ScaleFloat::from_single(b, Mode, Finite));
  }
};
template <Rounding Mode, bool Finite>
struct BFloatsToScales {
  static std::uint16_t apply(std::uint32_t pair) {
    return FloatsToScales<Mode, Finite>::apply(pair & 0xffff0000, pair << 16);
  }
};
struct ScalesToBFloats {
  static std::uint32_t apply(std::uint16_t pair) {
    const auto bfloat = [](unsigned power) -> std::uint32_t {
      return ScaleFloat::to_bfloat(static_cast<std::uint8_t>(power));
    };
    return bfloat(pair >> 8) << 16 | bfloat(pair & 0xffu);
  }
};

}  // namespace warpfork::simt::WARPFORK_LANES

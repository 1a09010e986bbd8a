// How the elements of a matrix lie in registers, and how their products are summed up (PTX ISA, "mma").
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simt/lanes/byte_float.h"
#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"

namespace warpfork::simt::WARPFORK_LANES {

// Elements of A and B: read() is the one of that index in a register.

struct HalfElements {
  using Register = std::uint32_t;
  using Number = float;
  static constexpr unsigned kOfRegister = 2;
  static float read(Register bits, unsigned index) {
    const std::uint32_t half = bits >> 16 * index;
    const std::uint32_t magnitude = (half & 0x7fff) << 13, infinity = 0x7c00 << 13;
    // Read as a float with the small exponent, subnormals and all, then scaled to the right one: exact.
    const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    const std::uint32_t number = magnitude >= infinity ? magnitude | 0x7f800000 : scaled;
    return std::bit_cast<float>(number | (half & 0x8000) << 16);
  }
};

struct BFloatElements {
  using Register = std::uint32_t;
  using Number = float;
  static constexpr unsigned kOfRegister = 2;
  static float read(Register bits, unsigned index) {
    return std::bit_cast<float>(index == 0 ? bits << 16 : bits & 0xffff0000);
  }
};

template <typename Format>
struct ByteElements {
  using Register = std::uint32_t;
  using Number = float;
  static constexpr unsigned kOfRegister = 4;
  static float read(Register bits, unsigned index) {
    return HalfElements::read(Format::to_half(static_cast<std::uint8_t>(bits >> 8 * index)), 0);
  }
};

/// The 13 lowest bits are no part of the number.
struct Tf32Elements {
  using Register = std::uint32_t;
  using Number = float;
  static constexpr unsigned kOfRegister = 1;
  static float read(Register bits, unsigned) { return std::bit_cast<float>(bits & 0xffffe000); }
};

struct DoubleElements {
  using Register = std::uint64_t;
  using Number = double;
  static constexpr unsigned kOfRegister = 1;
  static double read(Register bits, unsigned) { return std::bit_cast<double>(bits); }
};

template <unsigned Bits, bool IsSigned>
struct IntegerElements {
  using Register = std::uint32_t;
  using Number = std::int32_t;
  static constexpr unsigned kOfRegister = 32 / Bits;
  static std::int32_t read(Register bits, unsigned index) {
    const std::uint32_t highest = bits << (32 - Bits - Bits * index);
    return IsSigned ? static_cast<std::int32_t>(highest) >> (32 - Bits)
                    : static_cast<std::int32_t>(highest >> (32 - Bits));
  }
};

// Elements of C and D.

struct FloatSums {
  using Register = std::uint32_t;
  static constexpr unsigned kOfRegister = 1;
  static float read(Register bits, unsigned) { return std::bit_cast<float>(bits); }
  static Register bits(float sum) { return std::bit_cast<Register>(canonical(sum)); }
};

struct HalfSums {
  using Register = std::uint32_t;
  static constexpr unsigned kOfRegister = 2;
  static float read(Register bits, unsigned index) { return HalfElements::read(bits, index); }
  static Register bits(float sum) { return Half::from_double(sum, Rounding::Nearest); }
};

struct DoubleSums {
  using Register = std::uint64_t;
  static constexpr unsigned kOfRegister = 1;
  static constexpr Register kNan = 0xfff8000000000000;
  static double read(Register bits, unsigned) { return std::bit_cast<double>(bits); }
  static Register bits(double sum) { return sum == sum ? std::bit_cast<Register>(sum) : kNan; }
};

/// Exact until they are saturated, or their lowest bits are kept.
template <bool Saturates>
struct IntegerSums {
  using Register = std::uint32_t;
  static constexpr unsigned kOfRegister = 1;
  static std::int64_t read(Register bits, unsigned) { return static_cast<std::int32_t>(bits); }
  static Register bits(std::int64_t sum) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (Saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    return static_cast<Register>(sum);
  }
};

// One product more. The product is exact, and the sum is rounded once. Of two f16 it has 22 bits, which a float holds,
// of floats of eight bits at most eight.

template <typename A>
float add_product(ByteElements<A>, float a, float b, float sum) {
  return a * b + sum;
}
inline float add_product(HalfElements, float a, float b, float sum) { return a * b + sum; }
inline float add_product(BFloatElements, float a, float b, float sum) { return std::fma(a, b, sum); }
inline float add_product(Tf32Elements, float a, float b, float sum) { return std::fma(a, b, sum); }
inline double add_product(DoubleElements, double a, double b, double sum) { return std::fma(a, b, sum); }
template <unsigned Bits, bool IsSigned>
std::int64_t add_product(IntegerElements<Bits, IsSigned>, std::int32_t a, std::int32_t b, std::int64_t sum) {
  return sum + a * b;
}

}  // namespace warpfork::simt::WARPFORK_LANES

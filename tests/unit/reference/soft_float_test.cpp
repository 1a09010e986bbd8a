// The integer arithmetic of the reference against the host's own floating-point unit, in all four rounding directions,
// and by hand where the host has no such format.
#include "reference/soft_float.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>

namespace warpfork::reference {
namespace soft_float_test {

struct Direction {
  Rounding ours;
  int host;
};
constexpr std::array<Direction, 4> kDirections{{{Rounding::NearestEven, FE_TONEAREST},
                                                {Rounding::Zero, FE_TOWARDZERO},
                                                {Rounding::Down, FE_DOWNWARD},
                                                {Rounding::Up, FE_UPWARD}}};

/// Operands near the edges: exponents within `spread` of a common one, or any bit pattern, or a special value.
template <typename Bits>
Bits operand(std::mt19937_64& random, FloatFormat format) {
  const std::array<std::uint64_t, 8> special{0,
                                             1,
                                             format.infinity(),
                                             format.infinity() - 1,
                                             std::uint64_t{1} << format.fraction_bits,
                                             (std::uint64_t{1} << format.fraction_bits) - 1,
                                             format.infinity() / 2,
                                             format.infinity() + 1};
  const std::uint64_t bits = random() & (format.sign_mask() * 2 - 1);
  switch (random() % 4) {
    case 0:
      return static_cast<Bits>(special[random() % special.size()] | (bits & format.sign_mask()));
    case 1:
      return static_cast<Bits>((bits & ~format.infinity()) |
                               ((std::uint64_t(format.bias()) + random() % 4) << format.fraction_bits));
    case 2:
      return static_cast<Bits>(bits & ~(format.infinity() >> 3));
    default:
      return static_cast<Bits>(bits);
  }
}

template <typename Float, typename Bits>
Bits host_bits(Float value, FloatFormat format) {
  return std::isnan(value) ? static_cast<Bits>(format.canonical_nan()) : std::bit_cast<Bits>(value);
}

template <typename Float, typename Bits>
void agrees_with_host(FloatFormat format, unsigned seed) {
  std::mt19937_64 random(seed);
  for (unsigned round = 0; round < 40000; ++round) {
    const Direction& direction = kDirections[round % 4];
    const Bits a = operand<Bits>(random, format), b = operand<Bits>(random, format), c = operand<Bits>(random, format);
    const Real x = decode(a, format), y = decode(b, format), z = decode(c, format);
    std::fesetround(direction.host);
    // volatile: the compiler must neither fold nor move these past the change of direction
    volatile Float p = std::bit_cast<Float>(a), q = std::bit_cast<Float>(b), r = std::bit_cast<Float>(c);
    volatile Float sum = p + q, product = p * q, quotient = p / q, root = std::sqrt(p), fused = std::fma(p, q, r);
    volatile Float integral = std::nearbyint(p);
    std::fesetround(FE_TONEAREST);
    const auto ours = [&](const Real& value) { return static_cast<Bits>(encode(value, format, direction.ours)); };
    const auto host = [&](Float value) { return host_bits<Float, Bits>(value, format); };
    ASSERT_EQ(ours(add(x, y, direction.ours)), host(sum)) << a << " + " << b;
    ASSERT_EQ(ours(multiply(x, y)), host(product)) << a << " * " << b;
    ASSERT_EQ(ours(divide(x, y)), host(quotient)) << a << " / " << b;
    ASSERT_EQ(ours(square_root(x)), host(root)) << "sqrt " << a;
    ASSERT_EQ(ours(add(multiply(x, y), z, direction.ours)), host(fused)) << "fma " << a << ' ' << b << ' ' << c;
    ASSERT_EQ(ours(round_to_integral(x, direction.ours)), host(integral)) << "rint " << a;
  }
}

TEST(SoftFloat, single_precision_agrees_with_the_host_in_every_direction) {
  agrees_with_host<float, std::uint32_t>(kF32, 1);
}

TEST(SoftFloat, double_precision_agrees_with_the_host_in_every_direction) {
  agrees_with_host<double, std::uint64_t>(kF64, 2);
}

TEST(SoftFloat, narrowing_to_single_agrees_with_the_host_in_every_direction) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 40000; ++round) {
    const Direction& direction = kDirections[round % 4];
    const auto bits = operand<std::uint64_t>(random, kF64);
    // half of them in the range of f32 and of its subnormals
    const std::uint64_t near = (bits & ~kF64.infinity()) | ((1023 - 160 + random() % 300) << 52);
    const double value = std::bit_cast<double>(round % 2 != 0 ? bits : near);
    std::fesetround(direction.host);
    volatile double source = value;
    volatile float narrow = static_cast<float>(source);
    std::fesetround(FE_TONEAREST);
    const auto expected = host_bits<float, std::uint32_t>(narrow, kF32);
    ASSERT_EQ(encode(decode(std::bit_cast<std::uint64_t>(value), kF64), kF32, direction.ours), expected) << value;
  }
}

TEST(SoftFloat, halves_round_as_counted_by_hand) {
  const auto half = [](double value, Rounding rounding) {
    return encode(decode(std::bit_cast<std::uint64_t>(value), kF64), kF16, rounding);
  };
  EXPECT_EQ(half(1.0, Rounding::NearestEven), 0x3c00u);
  EXPECT_EQ(half(65504.0, Rounding::NearestEven), 0x7bffu);  // the largest half
  EXPECT_EQ(half(65519.9, Rounding::NearestEven), 0x7bffu);  // half-way to 65536 is 65520
  EXPECT_EQ(half(65520.0, Rounding::NearestEven), 0x7c00u);
  EXPECT_EQ(half(65520.0, Rounding::Zero), 0x7bffu);
  EXPECT_EQ(half(0x1p-24, Rounding::NearestEven), 1u);  // the smallest subnormal
  EXPECT_EQ(half(0x1p-25, Rounding::NearestEven), 0u);  // a tie: to even
  EXPECT_EQ(half(0x1p-25, Rounding::NearestAway), 1u);
  EXPECT_EQ(half(-0x1p-30, Rounding::Down), 0x8001u);
  EXPECT_EQ(half(1.0 + 0x1p-11, Rounding::NearestEven), 0x3c00u);
  EXPECT_EQ(half(1.0 + 3 * 0x1p-11, Rounding::NearestEven), 0x3c02u);
}

TEST(SoftFloat, the_canonical_nan_is_positive_in_single_and_negative_in_double) {
  EXPECT_EQ(encode(Real::nan(), kF32, Rounding::NearestEven), 0x7fffffffu);
  EXPECT_EQ(encode(Real::nan(), kF64, Rounding::NearestEven), 0xfff8000000000000u);
  EXPECT_EQ(encode(Real::nan(), kF16, Rounding::NearestEven), 0x7fffu);
  EXPECT_EQ(encode(Real::nan(), kBf16, Rounding::NearestEven), 0x7fffu);
}

TEST(SoftFloat, clamping_to_an_integer_keeps_the_nearest_end) {
  const auto clamped = [](float value) {
    const Real integral = round_to_integral(decode(std::bit_cast<std::uint32_t>(value), kF32), Rounding::Zero);
    return clamp_to_integer(integral, -128, 127);
  };
  EXPECT_TRUE(clamped(1e30f) == 127);
  EXPECT_TRUE(clamped(-1e30f) == -128);
  EXPECT_TRUE(clamped(-HUGE_VALF) == -128);
  EXPECT_TRUE(clamped(-7.0f) == -7);
}

TEST(SoftFloat, flushing_keeps_the_sign) {
  EXPECT_EQ(flush_subnormal(0x807fffffu, kF32), 0x80000000u);
  EXPECT_EQ(flush_subnormal(0x00800000u, kF32), 0x00800000u);
}

}  // namespace soft_float_test
}  // namespace warpfork::reference

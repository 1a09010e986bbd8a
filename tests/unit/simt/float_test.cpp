// Expected values by hand from IEEE 754 and PTX ISA, "Floating Point Instructions".
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "one_warp.h"

namespace warpfork::simt {
namespace float_test {

constexpr std::uint32_t kNan = 0x7fffffff, kInfinity = 0x7f800000, kMinusZero = 0x80000000, kOne = 0x3f800000;
constexpr std::uint32_t kSmallest = 0x00000001, kSmallestNormal = 0x00800000;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Float, nans_without_a_nan_operand_are_always_the_same) {
  EXPECT_EQ(r0_of("add.f32 %r0, %r1, %r2;", 0xffc00001, kOne), kNan);
  EXPECT_EQ(r0_of("sub.f32 %r0, %r1, %r2;", kInfinity, kInfinity), kNan);
  EXPECT_EQ(r0_of("sqrt.rn.f32 %r0, %r1;", bits(-1)), kNan);
  EXPECT_EQ(d0_of("mul.f64 %d0, %d1, %d2;", 0x7ff0000000000000, 0), 0xfff8000000000000u);
}

TEST(Float, ftz_flushes_inputs_and_results_keeping_the_sign) {
  EXPECT_EQ(r0_of("add.f32 %r0, %r1, %r2;", kSmallest, kSmallest), 2u);
  EXPECT_EQ(r0_of("add.ftz.f32 %r0, %r1, %r2;", kSmallest, kSmallest), 0u);
  EXPECT_EQ(r0_of("mul.ftz.f32 %r0, %r1, %r2;", kSmallestNormal, bits(-0.5f)), kMinusZero);
}

TEST(Float, sat_clamps_to_the_unit_interval) {
  EXPECT_EQ(r0_of("add.sat.f32 %r0, %r1, %r2;", bits(3), kOne), kOne);
  EXPECT_EQ(r0_of("add.sat.f32 %r0, %r1, %r2;", kNan, kOne), 0u);
  EXPECT_EQ(r0_of("mul.sat.f32 %r0, %r1, %r2;", bits(-3), kOne), 0u);
}

TEST(Float, directed_roundings_differ_in_the_last_bit) {
  // 1 + 2^-24 lies between 1 and the next float.
  const std::uint32_t tiny = 0x33800000;
  EXPECT_EQ(r0_of("add.rn.f32 %r0, %r1, %r2;", kOne, tiny), kOne);
  EXPECT_EQ(r0_of("add.rp.f32 %r0, %r1, %r2;", kOne, tiny), kOne + 1);
  EXPECT_EQ(r0_of("sub.rz.f32 %r0, %r1, %r2;", kOne, tiny), kOne - 1);
  EXPECT_EQ(r0_of("div.rm.f32 %r0, %r1, %r2;", kOne, bits(3)), 0x3eaaaaaau);
  EXPECT_EQ(r0_of("div.rp.f32 %r0, %r1, %r2;", kOne, bits(3)), 0x3eaaaaabu);
}

TEST(Float, fma_rounds_once) {
  // (1 + 2^-12)² − (1 + 2^-11) = 2^-24, which a rounded product loses.
  EXPECT_EQ(r0_of("fma.rn.f32 %r0, %r1, %r1, %r2;", 0x3f800800, bits(-1.00048828125f)), 0x33800000u);
}

TEST(Float, min_and_max_prefer_numbers_and_order_zeros) {
  EXPECT_EQ(r0_of("min.f32 %r0, %r1, %r2;", kNan, kOne), kOne);
  EXPECT_EQ(r0_of("max.f32 %r0, %r1, %r2;", kOne, 0xffc00000), kOne);
  EXPECT_EQ(r0_of("min.f32 %r0, %r1, %r2;", 0, kMinusZero), kMinusZero);
  EXPECT_EQ(r0_of("max.f32 %r0, %r1, %r2;", kMinusZero, 0), 0u);
  EXPECT_EQ(r0_of("min.NaN.f32 %r0, %r1, %r2;", kNan, kOne), kNan);
  EXPECT_EQ(r0_of("max.xorsign.abs.f32 %r0, %r1, %r2;", bits(-3), bits(2)), bits(-3));
}

TEST(Float, approximate_division_loses_huge_divisors) {
  EXPECT_EQ(r0_of("div.approx.f32 %r0, %r1, %r2;", kOne, bits(0x1p127f)), 0u);
  EXPECT_EQ(r0_of("div.approx.f32 %r0, %r1, %r2;", kInfinity, bits(0x1p127f)), kNan);
  EXPECT_EQ(r0_of("div.full.f32 %r0, %r1, %r2;", bits(6), bits(3)), bits(2));
}

TEST(Float, approximate_functions_keep_their_special_values) {
  EXPECT_EQ(r0_of("rcp.approx.f32 %r0, %r1;", kMinusZero), 0xff800000u);
  EXPECT_EQ(r0_of("rsqrt.approx.f32 %r0, %r1;", kInfinity), 0u);
  EXPECT_EQ(r0_of("sin.approx.f32 %r0, %r1;", kMinusZero), kMinusZero);
  EXPECT_EQ(r0_of("cos.approx.f32 %r0, %r1;", kInfinity), kNan);
  EXPECT_EQ(r0_of("lg2.approx.f32 %r0, %r1;", 0), 0xff800000u);
  EXPECT_EQ(r0_of("lg2.approx.f32 %r0, %r1;", bits(-1)), kNan);
  EXPECT_EQ(r0_of("ex2.approx.f32 %r0, %r1;", 0xff800000), 0u);
  EXPECT_EQ(r0_of("tanh.approx.f32 %r0, %r1;", 0xff800000), bits(-1));
}

/// Largest error against the host's double functions, over a range of arguments.
template <typename Exact>
double largest_error(const char* instruction, float from, float to, Exact exact, bool relative) {
  OneWarp warp(instruction);
  double largest = 0;
  for (unsigned step = 0; step < 64; ++step) {
    Lanes32 arguments;
    for (unsigned lane = 0; lane < 32; ++lane)
      arguments[lane] = bits(from + (to - from) * static_cast<float>(step * 32 + lane) / 2047);
    warp.set("%r1", arguments);
    warp.run();
    for (unsigned lane = 0; lane < 32; ++lane) {
      const double wanted = exact(static_cast<double>(std::bit_cast<float>(arguments[lane])));
      const double error = std::fabs(std::bit_cast<float>(warp.lane("%r0", lane)) - wanted);
      largest = std::max(largest, relative ? error / std::fabs(wanted) : error);
    }
  }
  return largest;
}

TEST(Float, approximate_sines_and_cosines_stay_within_the_stated_errors) {
  const auto sine = [](double x) { return std::sin(x); };
  EXPECT_LT(largest_error("sin.approx.f32 %r0, %r1;", -7, 7, sine, false), 0x1p-20);
  EXPECT_LT(largest_error(
                "cos.approx.f32 %r0, %r1;", -7, 7, [](double x) { return std::cos(x); }, false),
            0x1p-20);
  EXPECT_LT(largest_error("sin.approx.f32 %r0, %r1;", 1e5f, 2e5f, sine, false), 0x1p-20);
}

TEST(Float, approximate_powers_and_roots_stay_within_the_stated_errors) {
  EXPECT_LT(largest_error(
                "ex2.approx.f32 %r0, %r1;", -120, 120, [](double x) { return std::exp2(x); }, true),
            0x1p-22);
  EXPECT_LT(largest_error(
                "lg2.approx.f32 %r0, %r1;", 0.01f, 100, [](double x) { return std::log2(x); }, false),
            0x1p-21);
  EXPECT_LT(largest_error(
                "tanh.approx.f32 %r0, %r1;", 0.001f, 5, [](double x) { return std::tanh(x); }, true),
            0x1p-11);
  EXPECT_LT(largest_error(
                "rsqrt.approx.f32 %r0, %r1;", 0.1f, 9, [](double x) { return 1 / std::sqrt(x); }, true),
            0x1p-22);
}

TEST(Float, testp_tells_the_classes_apart) {
  OneWarp warp(
      "testp.finite.f32 %p0, %r1;\ntestp.infinite.f32 %p1, %r1;\ntestp.notanumber.f32 %p2, %r1;\n"
      "testp.subnormal.f32 %p3, %r1;\ntestp.normal.f32 %p4, %r1;\ntestp.number.f32 %p5, %r1;");
  warp.set("%r1", Lanes32{kOne, kInfinity, kNan, kSmallest});
  warp.run(RowLanes::first(5));  // lane 4 is zero
  EXPECT_EQ(warp.predicate("%p0"), RowLanes(0b11001));
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0b00010));
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0b00100));
  EXPECT_EQ(warp.predicate("%p3"), RowLanes(0b01000));
  EXPECT_EQ(warp.predicate("%p4"), RowLanes(0b10001));
  EXPECT_EQ(warp.predicate("%p5"), RowLanes(0b11011));
}

TEST(Float, halves_are_rounded_once_and_packed) {
  // 1.0 + 2^-11 is halfway to the next half and goes to even; 2048 + 1 likewise; 65504 + 32 overflows.
  EXPECT_EQ(r0_of("add.f16x2 %r0, %r1, %r2;", 0x3c006800, 0x10003c00), 0x3c006800u);
  EXPECT_EQ(r0_of("fma.rn.f16x2 %r0, %r1, %r2, %r3;", 0x7bff4000, 0x3c004200, 0x54003c00), 0x7c004700u);
  EXPECT_EQ(r0_of("min.f16x2 %r0, %r1, %r2;", 0x80007fff, 0x00003c00), 0x80003c00u);
}

}  // namespace float_test
}  // namespace warpfork::simt

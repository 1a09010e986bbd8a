// The reference's floating-point, comparison and conversion instructions; expected values by hand from the PTX ISA's
// text.
#include <gtest/gtest.h>

#include <bit>

#include "reference_harness/harness.h"

namespace warpfork::reference {
namespace floating_test {

constexpr std::uint32_t kNan = 0x7fffffff, kOtherNan = 0x7fc00001, kInfinity = 0x7f800000, kOne = 0x3f800000,
                        kSmallest = 1, kSmallestNormal = 0x00800000, kMinusZero = 0x80000000, kTwo = 0x40000000;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(ReferenceFloat, addition_rounds_in_the_named_direction) {
  const std::uint32_t tiny = bits(0x1p-30f);
  EXPECT_EQ(r0_after("add.f32 %r0, %r1, %r2;", {kOne, tiny}), kOne);
  EXPECT_EQ(r0_after("add.rp.f32 %r0, %r1, %r2;", {kOne, tiny}), kOne + 1);
  EXPECT_EQ(r0_after("add.rz.f32 %r0, %r1, %r2;", {kOne, tiny | kMinusZero}), kOne - 1);
  EXPECT_EQ(r0_after("add.rm.f32 %r0, %r1, %r2;", {kOne, kOne | kMinusZero}), kMinusZero);
}

TEST(ReferenceFloat, every_nan_result_is_the_canonical_one) {
  EXPECT_EQ(r0_after("add.f32 %r0, %r1, %r2;", {kOtherNan, kOne}), kNan);
  EXPECT_EQ(r0_after("sub.f32 %r0, %r1, %r2;", {kInfinity, kInfinity}), kNan);
  EXPECT_EQ(r0_after("mul.f32 %r0, %r1, %r2;", {kInfinity, 0}), kNan);
  EXPECT_EQ(d0_after("mul.f64 %d0, %d1, %d2;", {0x7ff0000000000000, 0}), 0xfff8000000000000u);
}

TEST(ReferenceFloat, ftz_flushes_operands_and_results_keeping_the_sign) {
  EXPECT_EQ(r0_after("add.f32 %r0, %r1, %r2;", {kSmallest, kSmallest}), 2u);
  EXPECT_EQ(r0_after("add.ftz.f32 %r0, %r1, %r2;", {kSmallest, kSmallest}), 0u);
  EXPECT_EQ(r0_after("mul.ftz.f32 %r0, %r1, %r2;", {kSmallestNormal | kMinusZero, bits(0.5f)}), kMinusZero);
}

TEST(ReferenceFloat, sat_clamps_to_the_unit_interval_and_nan_to_zero) {
  EXPECT_EQ(r0_after("add.sat.f32 %r0, %r1, %r2;", {kOne, kOne}), kOne);
  EXPECT_EQ(r0_after("mul.sat.f32 %r0, %r1, %r2;", {kOne | kMinusZero, kOne}), 0u);
  EXPECT_EQ(r0_after("mul.sat.f32 %r0, %r1, %r2;", {kInfinity, 0}), 0u);
  EXPECT_EQ(r0_after("add.sat.f32 %r0, %r1, %r2;", {kMinusZero, kMinusZero}), 0u);
}

TEST(ReferenceFloat, fma_rounds_once) {
  // (1 + 2^-12)² − (1 + 2^-11) = 2^-24, lost if the product is rounded first
  const std::uint32_t a = bits(1.0f + 0x1p-12f), c = bits(-(1.0f + 0x1p-11f));
  EXPECT_EQ(r0_after("fma.rn.f32 %r0, %r1, %r2, %r3;", {a, a, c}), bits(0x1p-24f));
}

TEST(ReferenceFloat, min_and_max_prefer_numbers_and_know_signed_zeros) {
  EXPECT_EQ(r0_after("min.f32 %r0, %r1, %r2;", {kOtherNan, kTwo}), kTwo);
  EXPECT_EQ(r0_after("min.f32 %r0, %r1, %r2;", {kOtherNan, kOtherNan}), kNan);
  EXPECT_EQ(r0_after("min.NaN.f32 %r0, %r1, %r2;", {kOtherNan, kTwo}), kNan);
  EXPECT_EQ(r0_after("min.f32 %r0, %r1, %r2;", {0, kMinusZero}), kMinusZero);
  EXPECT_EQ(r0_after("max.f32 %r0, %r1, %r2;", {kMinusZero, 0}), 0u);
  EXPECT_EQ(r0_after("max.xorsign.abs.f32 %r0, %r1, %r2;", {kOne, kTwo | kMinusZero}), kTwo | kMinusZero);
}

TEST(ReferenceFloat, signs_are_copied_from_the_first_operand) {
  EXPECT_EQ(r0_after("copysign.f32 %r0, %r1, %r2;", {kMinusZero, kTwo}), kTwo | kMinusZero);
  EXPECT_EQ(r0_after("abs.f32 %r0, %r1;", {kTwo | kMinusZero}), kTwo);
  EXPECT_EQ(r0_after("neg.ftz.f32 %r0, %r1;", {kSmallest}), kMinusZero);
}

TEST(ReferenceFloat, reciprocals_and_roots_have_the_special_values_of_the_isa) {
  EXPECT_EQ(r0_after("rcp.rn.f32 %r0, %r1;", {kMinusZero}), kInfinity | kMinusZero);
  EXPECT_EQ(r0_after("sqrt.rn.f32 %r0, %r1;", {kMinusZero}), kMinusZero);
  EXPECT_EQ(r0_after("sqrt.rn.f32 %r0, %r1;", {kOne | kMinusZero}), kNan);
  EXPECT_EQ(r0_after("rsqrt.approx.f32 %r0, %r1;", {kMinusZero}), kInfinity | kMinusZero);
  EXPECT_EQ(r0_after("lg2.approx.f32 %r0, %r1;", {0}), kInfinity | kMinusZero);
  EXPECT_EQ(r0_after("ex2.approx.f32 %r0, %r1;", {kInfinity | kMinusZero}), 0u);
  EXPECT_EQ(r0_after("sin.approx.f32 %r0, %r1;", {kInfinity}), kNan);
  EXPECT_EQ(r0_after("cos.approx.f32 %r0, %r1;", {0}), kOne);
  EXPECT_EQ(r0_after("tanh.approx.f32 %r0, %r1;", {kInfinity | kMinusZero}), kOne | kMinusZero);
}

TEST(ReferenceFloat, halves_are_done_apart_when_packed) {
  EXPECT_EQ(r0_after("add.f16x2 %r0, %r1, %r2;", {0x3c004000, 0x3c003c00}), 0x40004200u);  // 1+1, 2+1
  ThreadRegisters before;
  before.h = {0, 0x3c00, 0x3c00, 0};
  EXPECT_EQ(after("fma.rn.f16 %h0, %h1, %h2, %h2;", before).h[0], 0x4000u);
}

TEST(ReferenceComparison, unordered_forms_hold_for_nan) {
  ThreadRegisters before;
  before.r[1] = kOtherNan;
  before.r[2] = kOne;
  const ThreadRegisters result = after(
      "setp.lt.f32 %p0, %r1, %r2;\n setp.ltu.f32 %p1, %r1, %r2;\n setp.ne.f32 %p2, %r1, %r2;\n"
      " setp.nan.f32 %p3, %r1, %r2;",
      before);
  EXPECT_EQ(result.p, (std::array<bool, 4>{false, true, false, true}));
}

TEST(ReferenceComparison, the_second_destination_combines_the_complement) {
  ThreadRegisters before;
  before.r[1] = 1;
  before.r[2] = 2;
  before.p[2] = true;
  const ThreadRegisters result = after("setp.lt.and.s32 %p0|%p1, %r1, %r2, %p2;", before);
  EXPECT_TRUE(result.p[0]);
  EXPECT_FALSE(result.p[1]);
  EXPECT_TRUE(after("setp.lt.and.s32 %p0|%p1, %r2, %r1, %p2;", before).p[1]);
  EXPECT_FALSE(after("setp.lt.xor.s32 %p0, %r1, %r2, !%p3;", before).p[0]);
}

TEST(ReferenceComparison, set_gives_all_ones_or_one) {
  EXPECT_EQ(r0_after("set.gt.u32.s32 %r0, %r1, %r2;", {1, 0xffffffff}), 0xffffffffu);
  EXPECT_EQ(r0_after("set.gt.f32.s32 %r0, %r1, %r2;", {1, 0xffffffff}), kOne);
  EXPECT_EQ(r0_after("set.hi.u32.u32 %r0, %r1, %r2;", {1, 0xffffffff}), 0u);
}

TEST(ReferenceComparison, slct_takes_minus_zero_as_not_negative_and_nan_as_negative) {
  EXPECT_EQ(r0_after("slct.u32.f32 %r0, %r1, %r2, %r3;", {10, 20, kMinusZero}), 10u);
  EXPECT_EQ(r0_after("slct.u32.f32 %r0, %r1, %r2, %r3;", {10, 20, kOtherNan}), 20u);
  EXPECT_EQ(r0_after("slct.u32.s32 %r0, %r1, %r2, %r3;", {10, 20, 0xffffffff}), 20u);
}

TEST(ReferenceComparison, testp_names_the_class) {
  ThreadRegisters before;
  before.r[1] = kSmallest;
  const ThreadRegisters result = after(
      "testp.subnormal.f32 %p0, %r1;\n testp.normal.f32 %p1, %r1;\n testp.finite.f32 %p2, %r1;\n"
      " testp.notanumber.f32 %p3, %r1;",
      before);
  EXPECT_EQ(result.p, (std::array<bool, 4>{true, false, true, false}));
}

TEST(ReferenceConversion, floats_to_integers_clamp_and_round_as_named) {
  EXPECT_EQ(r0_after("cvt.rzi.s32.f32 %r0, %r1;", {bits(-2.5f)}), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(r0_after("cvt.rni.s32.f32 %r0, %r1;", {bits(2.5f)}), 2u);
  EXPECT_EQ(r0_after("cvt.rmi.s32.f32 %r0, %r1;", {bits(-2.5f)}), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(r0_after("cvt.rpi.s32.f32 %r0, %r1;", {bits(2.5f)}), 3u);
  EXPECT_EQ(r0_after("cvt.rzi.s32.f32 %r0, %r1;", {kInfinity}), 0x7fffffffu);
  EXPECT_EQ(r0_after("cvt.rzi.u32.f32 %r0, %r1;", {bits(-5.0f)}), 0u);
  EXPECT_EQ(r0_after("cvt.rzi.s8.f32 %r0, %r1;", {bits(-300.0f)}), static_cast<std::uint32_t>(-128));
}

TEST(ReferenceConversion, a_nan_becomes_zero_or_the_top_bit_by_the_width) {
  ThreadRegisters before;
  before.r[1] = kNan;
  before.d[1] = 0x7ff8000000000000;
  EXPECT_EQ(after("cvt.rzi.s32.f32 %r0, %r1;", before).r[0], 0u);
  EXPECT_EQ(after("cvt.rzi.s64.f32 %d0, %r1;", before).d[0], 0x8000000000000000u);
  EXPECT_EQ(after("cvt.rzi.s32.f64 %r0, %d1;", before).r[0], 0x80000000u);
}

TEST(ReferenceConversion, integers_are_cut_extended_or_saturated) {
  EXPECT_EQ(r0_after("cvt.s32.s8 %r0, %r1;", {0x180}), 0xffffff80u);
  EXPECT_EQ(r0_after("cvt.u32.u8 %r0, %r1;", {0x180}), 0x80u);
  EXPECT_EQ(r0_after("cvt.sat.u8.s32 %r0, %r1;", {0xffffffff}), 0u);
  EXPECT_EQ(r0_after("cvt.sat.s8.s32 %r0, %r1;", {300}), 127u);
  EXPECT_EQ(r0_after("cvt.s8.s32 %r0, %r1;", {0x80}), 0xffffff80u);  // extended to the register's width
}

TEST(ReferenceConversion, integers_to_floats_round_as_named) {
  EXPECT_EQ(r0_after("cvt.rn.f32.u32 %r0, %r1;", {0xffffffff}), bits(0x1p32f));
  EXPECT_EQ(r0_after("cvt.rz.f32.u32 %r0, %r1;", {0xffffffff}), bits(0x1.fffffep31f));
  EXPECT_EQ(r0_after("cvt.rn.f32.s32 %r0, %r1;", {0xffffffff}), bits(-1.0f));
}

TEST(ReferenceConversion, floats_to_floats_narrow_widen_and_round_to_integers) {
  ThreadRegisters before;
  before.r[1] = bits(-0.5f);
  before.d[1] = std::bit_cast<std::uint64_t>(1.0 + 0x1p-24);
  EXPECT_EQ(after("cvt.rni.f32.f32 %r0, %r1;", before).r[0], kMinusZero);
  EXPECT_EQ(after("cvt.rn.f32.f64 %r0, %d1;", before).r[0], kOne);
  EXPECT_EQ(after("cvt.rp.f32.f64 %r0, %d1;", before).r[0], kOne + 1);
  EXPECT_EQ(after("cvt.f64.f32 %d0, %r1;", before).d[0], std::bit_cast<std::uint64_t>(-0.5));
  EXPECT_EQ(after("cvt.rn.f16.f32 %h0, %r1;", before).h[0], 0xb800u);
  EXPECT_EQ(after("cvt.sat.f32.f32 %r0, %r1;", before).r[0], 0u);
}

TEST(ReferenceConversion, packing_saturates_both_and_puts_the_first_on_top) {
  EXPECT_EQ(r0_after("cvt.pack.sat.s16.s32 %r0, %r1, %r2;", {0x12345, 0xffff0000}), 0x7fff8000u);
  EXPECT_EQ(r0_after("cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", {300, 0xffffffff, 0xabcd}), 0xabcdff00u);
}

TEST(ReferenceFloat, three_operands_of_max_are_folded) {
  EXPECT_EQ(r0_after("max.f32 %r0, %r1, %r2, %r3;", {kOne, kOtherNan, kTwo}), kTwo);
}

}  // namespace floating_test
}  // namespace warpfork::reference

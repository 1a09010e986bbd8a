// cvt, operand and result a line: every pair of kinds of types, every rounding, the ends of every range and NaN, by
// hand from PTX ISA, "cvt", and IEEE 754-2008.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "one_warp.h"

namespace warpfork::simt {
namespace convert_table_test {

/// A register of the type's width; integers of 8 and 16 bits stand in registers of 32.
std::string register_of(std::string_view type, char number) {
  const char* const letter = type.ends_with("64") ? "%d" : type.ends_with("f16") ? "%h" : "%r";
  return fmt::format("{}{}", letter, number);
}

/// Of `cvt.words` on the low bits of `operand`, the bits of the result's register.
std::uint64_t converted(const std::string& words, std::uint64_t operand) {
  const std::size_t last = words.rfind('.'), before = words.rfind('.', last - 1);
  const std::string to = register_of(words.substr(before + 1, last - before - 1), '0'),
                    from = register_of(words.substr(last + 1), '1');
  const std::string unpack = from == "%d1"   ? ""
                             : from == "%h1" ? "mov.b64 {%h1, _, _, _}, %d1;\n"
                                             : "mov.b64 {%r1, _}, %d1;\n";
  const std::string pack = to == "%d0" ? "" : to == "%h0" ? "mov.b64 %d0, {%h0, 0, 0, 0};" : "mov.b64 %d0, {%r0, 0};";
  return d0_of(fmt::format("{}cvt.{} {}, {};\n{}", unpack, words, to, from, pack), operand);
}

struct Conversion {
  const char* words;  // modifiers, type of the result, type of the operand
  std::uint64_t operand, result;
};

void PrintTo(const Conversion& conversion, std::ostream* out) {
  *out << fmt::format("{} of {:#x}", conversion.words, conversion.operand);
}

class ConversionOf : public testing::TestWithParam<Conversion> {};

TEST_P(ConversionOf, is_what_the_isa_says) {
  EXPECT_EQ(converted(GetParam().words, GetParam().operand), GetParam().result);
}

constexpr std::uint64_t kAll = ~std::uint64_t{0}, kTop = 0x8000000000000000;

// "Integer conversion": extended by the operand's sign, cut, and extended by the result's type to its register.
const Conversion kIntegers[] = {
    {"u64.s8", 0x80, 0xffffffffffffff80},
    {"s64.u8", 0x80, 0x80},
    {"u32.s16", 0xffff8000, 0xffff8000},
    {"s32.u16", 0xffff8000, 0x8000},
    {"u16.s8", 0x80, 0xff80},
    {"s8.u64", 0x1ff, 0xffffffff},
    {"u8.s64", kAll, 0xff},
    {"s16.u32", 0x18000, 0xffff8000},
    {"u32.u64", 0x100000002, 2},
    {"s64.u32", 0xffffffff, 0xffffffff},
    {"u64.s32", 0xffffffff, kAll},
};
INSTANTIATE_TEST_SUITE_P(Integers, ConversionOf, testing::ValuesIn(kIntegers));

// .sat: to the range of the result's type.
const Conversion kClamped[] = {
    {"sat.u8.s16", 0xffff, 0},
    {"sat.u8.s16", 256, 255},
    {"sat.s8.u8", 200, 127},
    {"sat.s8.u8", 127, 127},
    {"sat.u16.s8", 0xff, 0},
    {"sat.u16.u32", 0x10000, 0xffff},
    {"sat.s16.s32", 0xffff7fff, 0xffff8000},  // −32769
    {"sat.s16.u64", kAll, 0x7fff},
    {"sat.u32.s32", 0xffffffff, 0},
    {"sat.u32.s64", kAll, 0},
    {"sat.u32.u64", 0x100000000, 0xffffffff},
    {"sat.s32.s64", 0x80000000, 0x7fffffff},
    {"sat.s32.s64", 0xffffffff7fffffff, 0x80000000},
    {"sat.s32.u32", 0x80000000, 0x7fffffff},
    {"sat.u64.s64", kAll, 0},
    {"sat.s64.u64", kAll, 0x7fffffffffffffff},
};
INSTANTIATE_TEST_SUITE_P(Clamped, ConversionOf, testing::ValuesIn(kClamped));

constexpr std::uint64_t kHuge = 0x60000000, kMinusHuge = 0xe0000000, kNan = 0x7fc00000;  // f32: ±2^65
constexpr std::uint64_t kHuge64 = 0x7fefffffffffffff, kMinusHuge64 = 0xffefffffffffffff, kNan64 = 0x7ff8000000000000;

// Floats beyond the range are clamped without .sat too; NaN is 0, or the top bit where 64 bits take part.
const Conversion kFromFloats[] = {
    {"rzi.u8.f32", kHuge, 0xff},
    {"rzi.u8.f32", kMinusHuge, 0},
    {"rzi.u8.f32", kNan, 0},
    {"rzi.s8.f32", kHuge, 0x7f},
    {"rzi.s8.f32", kMinusHuge, 0xffffff80},
    {"rzi.u16.f32", kHuge, 0xffff},
    {"rzi.s16.f32", kMinusHuge, 0xffff8000},
    {"rzi.u32.f32", 0x4f800000, 0xffffffff},  // 2^32
    {"rzi.u32.f32", 0x4f7fffff, 0xffffff00},  // the float below it
    {"rzi.s32.f32", 0x4f000000, 0x7fffffff},  // 2^31
    {"rzi.s32.f32", 0x4effffff, 0x7fffff80},
    {"rzi.s32.f32", 0xcf000000, 0x80000000},  // −2^31
    {"rzi.s32.f32", 0xcf000001, 0x80000000},
    {"rzi.u64.f32", kHuge, kAll},
    {"rzi.u64.f32", kMinusHuge, 0},
    {"rzi.u64.f32", kNan, kTop},
    {"rzi.s64.f32", kHuge, kTop - 1},
    {"rzi.s64.f32", kMinusHuge, kTop},
    {"rzi.s64.f32", kNan, kTop},
    {"rzi.u8.f64", kNan64, 0x80},
    {"rzi.s8.f64", kNan64, 0xffffff80},
    {"rzi.u16.f64", kNan64, 0x8000},
    {"rzi.s32.f64", kNan64, 0x80000000},
    {"rzi.u32.f64", kHuge64, 0xffffffff},
    {"rzi.s32.f64", kMinusHuge64, 0x80000000},
    {"rzi.s32.f64", 0x41dfffffffc00000, 0x7fffffff},   // 2^31 − 1
    {"rzi.s64.f64", 0x43dfffffffffffff, kTop - 1024},  // the double below 2^63
    {"rzi.s64.f64", 0x43e0000000000000, kTop - 1},
    {"rzi.u64.f64", 0x43e0000000000000, kTop},
    {"rzi.u64.f64", kNan64, kTop},
    {"rzi.s32.f16", 0x7e00, 0},
    {"rzi.s64.f16", 0x7e00, kTop},
    {"rzi.u32.f16", 0xfbff, 0},   // −65504
    {"rzi.s8.f16", 0x5cb0, 127},  // 300
    {"rzi.s32.f16", 0xfc00, 0x80000000},
    {"rpi.ftz.s32.f32", 1, 0},  // a subnormal
    {"rpi.s32.f32", 1, 1},
};
INSTANTIATE_TEST_SUITE_P(FromFloats, ConversionOf, testing::ValuesIn(kFromFloats));

const Conversion kFloats[] = {
    {"f64.f32", 1, 0x36a0000000000000},  // 2^-149
    {"ftz.f64.f32", 1, 0},
    {"ftz.f64.f32", 0x80000001, kTop},
    {"f64.f32", 0xff800000, 0xfff0000000000000},
    {"f64.f32", kNan, kNan64},
    {"sat.f64.f32", 0x40000000, 0x3ff0000000000000},
    {"rn.f32.f64", 0x7ff0000000000001, 0x7fc00000},  // what fits of the payload
    {"rn.f32.f64", 0xfff8000060000000, 0xffc00003},
    {"rn.sat.f32.f64", kMinusHuge64, 0},
    {"rn.sat.f32.f64", kNan64, 0},
    {"rp.ftz.f32.f64", 0x3690000000000000, 0},  // 2^-150: rounded up, it is still subnormal
    {"f32.f16", 0x0001, 0x33800000},            // 2^-24
    {"f32.f16", 0x8000, 0x80000000},
    {"f32.f16", 0xfc00, 0xff800000},
    {"f32.f16", 0x7c01, 0x7fffffff},
    {"f64.f16", 0x3555, 0x3fd5540000000000},
    {"f32.bf16", 0x0001, 0x00010000},
    {"f32.bf16", 0xff80, 0xff800000},
    {"rn.f16.f32", kNan, 0x7fff},
    {"rn.f16.f32", 0xff800000, 0xfc00},
    {"rn.bf16.f32", kNan, 0x7fff},
    {"rn.bf16.f32", 0x3f808000, 0x3f80},  // 1 + 2^-8, a tie
    {"rn.bf16.f32", 0x3f818000, 0x3f82},
    {"rz.bf16.f32", 0x3f81ffff, 0x3f81},
    {"rn.bf16.f32", 0x7f7fffff, 0x7f80},
    {"rz.bf16.f32", 0x7f7fffff, 0x7f7f},
    {"rn.f16.f64", 0x3ff0020000000001, 0x3c01},  // above the tie by a bit that f32 has no room for
    {"rn.sat.f16.s32", 7, 0x3c00},
    {"rn.sat.f32.s32", 0xffffffff, 0},
    {"sat.f32.f32", 0x80000000, 0},
    {"rni.ftz.f32.f32", 0x80000001, 0x80000000},
    {"rpi.ftz.f32.f32", 1, 0},
    {"rmi.sat.f32.f32", 0x3fc00000, 0x3f800000},
    {"rni.f32.f32", 0x7f800001, 0x7fffffff},
};
INSTANTIATE_TEST_SUITE_P(Floats, ConversionOf, testing::ValuesIn(kFloats));

struct Rounded {
  const char* types;
  std::uint64_t operand;
  std::array<std::uint64_t, 4> result;  // to nearest even, to zero, down, up
};

void PrintTo(const Rounded& rounded, std::ostream* out) {
  *out << fmt::format("{} of {:#x}", rounded.types, rounded.operand);
}

class ToFloat : public testing::TestWithParam<Rounded> {};

TEST_P(ToFloat, is_rounded_once_to_the_side_that_is_named) {
  for (std::size_t i = 0; const char* mode : {"rn", "rz", "rm", "rp"})
    EXPECT_EQ(converted(fmt::format("{}.{}", mode, GetParam().types), GetParam().operand), GetParam().result[i++])
        << mode;
}

const Rounded kToFloat[] = {
    {"f32.s32", 16777217, {0x4b800000, 0x4b800000, 0x4b800000, 0x4b800001}},
    {"f32.s32", 0xfeffffff, {0xcb800000, 0xcb800000, 0xcb800001, 0xcb800000}},  // −16777217
    {"f32.u32", 0xffffffff, {0x4f800000, 0x4f7fffff, 0x4f7fffff, 0x4f800000}},
    {"f32.u64", kAll, {0x5f800000, 0x5f7fffff, 0x5f7fffff, 0x5f800000}},
    {"f32.u64", 0x8000008000000001, {0x5f000001, 0x5f000000, 0x5f000000, 0x5f000001}},  // in two steps: a tie
    {"f32.s64", kTop, {0xdf000000, 0xdf000000, 0xdf000000, 0xdf000000}},
    {"f32.s8", 0xff, {0xbf800000, 0xbf800000, 0xbf800000, 0xbf800000}},
    {"f64.u64", kAll, {0x43f0000000000000, 0x43efffffffffffff, 0x43efffffffffffff, 0x43f0000000000000}},
    {"f64.s64", kTop + 1, {0xc3e0000000000000, 0xc3dfffffffffffff, 0xc3e0000000000000, 0xc3dfffffffffffff}},
    {"f16.u32", 2049, {0x6800, 0x6800, 0x6800, 0x6801}},
    {"f16.u32", 65520, {0x7c00, 0x7bff, 0x7bff, 0x7c00}},
    {"f16.s32", 0xffff0010, {0xfc00, 0xfbff, 0xfc00, 0xfbff}},  // −65520
    {"f16.u64", kAll, {0x7c00, 0x7bff, 0x7bff, 0x7c00}},
    {"f16.s16", 0xf7ff, {0xe800, 0xe800, 0xe801, 0xe800}},  // −2049
    {"bf16.u32", 257, {0x4380, 0x4380, 0x4380, 0x4381}},
    {"bf16.u64", 0x8080000000000001, {0x5f01, 0x5f00, 0x5f00, 0x5f01}},                 // 2^63 (1 + 2^-8), a tie, and 1
    {"bf16.s64", 0xff7f7fffffffffff, {0xdb01, 0xdb00, 0xdb01, 0xdb00}},                 // −2^55 (1 + 2^-8) − 1
    {"f32.f64", 0x3ff0000010000000, {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001}},  // 1 + 2^-24
    {"f32.f64", kHuge64, {0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000}},
    {"f32.f64", kMinusHuge64, {0xff800000, 0xff7fffff, 0xff800000, 0xff7fffff}},
    {"f32.f64", 0xb690000000000000, {0x80000000, 0x80000000, 0x80000001, 0x80000000}},  // −2^-150
    {"f16.f32", 0x3f803000, {0x3c02, 0x3c01, 0x3c01, 0x3c02}},                          // 1 + 3 · 2^-11
    {"f16.f32", 0x477fefff, {0x7bff, 0x7bff, 0x7bff, 0x7c00}},                          // below 65520
    {"f16.f32", 0x477ff000, {0x7c00, 0x7bff, 0x7bff, 0x7c00}},
    {"f16.f32", 0x33000000, {0, 0, 0, 1}},  // 2^-25
    {"f16.f32", 0x33000001, {1, 0, 0, 1}},
    {"f16.f32", 0xb3400000, {0x8001, 0x8000, 0x8001, 0x8000}},
    {"f16.f32", 1, {0, 0, 0, 1}},
};
INSTANTIATE_TEST_SUITE_P(All, ToFloat, testing::ValuesIn(kToFloat));

class ToInteger : public testing::TestWithParam<Rounded> {};

TEST_P(ToInteger, is_the_one_on_the_side_that_is_named) {
  for (std::size_t i = 0; const char* mode : {"rni", "rzi", "rmi", "rpi"})
    EXPECT_EQ(converted(fmt::format("{}.{}", mode, GetParam().types), GetParam().operand), GetParam().result[i++])
        << mode;
}

const Rounded kToInteger[] = {
    {"s32.f32", 0x40200000, {2, 2, 2, 3}},                                      // 2.5
    {"s32.f32", 0x40600000, {4, 3, 3, 4}},                                      // 3.5
    {"s32.f32", 0xbf000000, {0, 0, 0xffffffff, 0}},                             // −0.5
    {"s16.f32", 0xc0200000, {0xfffffffe, 0xfffffffe, 0xfffffffd, 0xfffffffe}},  // −2.5
    {"u8.f32", 0x437f8000, {255, 255, 255, 255}},                               // 255.5
    {"u32.f32", 0xbf7fffff, {0, 0, 0, 0}},                                      // above −1
    {"s64.f32", 0xc0200000, {kAll - 1, kAll - 1, kAll - 2, kAll - 1}},
    {"u32.f64", 0x41efffffffe00000, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},  // 2^32 − 1
    {"s32.f64", 0xc1e0000000080000, {0x80000000, 0x80000000, 0x80000000, 0x80000000}},  // below −2^31
    {"s64.f64", 0x3fefffffffffffff, {1, 0, 0, 1}},                                      // below 1
    {"s32.f16", 0x3e00, {2, 1, 1, 2}},                                                  // 1.5
    {"s32.bf16", 0xbfc0, {0xfffffffe, 0xffffffff, 0xfffffffe, 0xffffffff}},             // −1.5
    {"f32.f32", 0xbf000000, {0x80000000, 0x80000000, 0xbf800000, 0x80000000}},          // zeros keep the sign
    {"f32.f32", 0x4b000001, {0x4b000001, 0x4b000001, 0x4b000001, 0x4b000001}},          // 2^23 + 1
    {"f64.f64", 0x4004000000000000, {0x4000000000000000, 0x4000000000000000, 0x4000000000000000, 0x4008000000000000}},
};
INSTANTIATE_TEST_SUITE_P(All, ToInteger, testing::ValuesIn(kToInteger));

// "cvt.rn.f16x2.f32 d, a, b: for .f16x2 … a is placed in the upper half of d".
TEST(ConvertTable, pairs_have_their_first_operand_in_the_upper_half) {
  EXPECT_EQ(r0_of("cvt.rn.f16x2.f32 %r0, %r1, %r2;", 0x3f800000, 0xc0000000), 0x3c00c000u);
  EXPECT_EQ(r0_of("cvt.rn.bf16x2.f32 %r0, %r1, %r2;", 0x3f800000, 0xc0000000), 0x3f80c000u);
  EXPECT_EQ(r0_of("cvt.rz.f16x2.f32 %r0, %r1, %r2;", 0x477ff000, 0x33000001), 0x7bff0000u);
  EXPECT_EQ(r0_of("cvt.pack.sat.u16.s32 %r0, %r1, %r2;", 70000, 0xfffffffb), 0xffff0000u);
  EXPECT_EQ(r0_of("cvt.pack.sat.s16.s32 %r0, %r1, %r2;", 40000, 0xffff0000), 0x7fff8000u);
}

// cvt.pack: a above b, each saturated to the type; from 2 * its bits on the lowest bits of c.
TEST(ConvertTable, small_integers_are_packed_under_what_was_packed_before) {
  const auto packed = [](const char* type, int a, int b) {
    return r0_of(fmt::format("cvt.pack.sat.{}.s32.b32 %r0, %r1, %r2, %r3;", type), static_cast<std::uint32_t>(a),
                 static_cast<std::uint32_t>(b), 0x12345678);
  };
  EXPECT_EQ(packed("u8", 300, -5), 0x5678ff00u);
  EXPECT_EQ(packed("s8", 300, -200), 0x56787f80u);
  EXPECT_EQ(packed("u4", 20, 3), 0x345678f3u);
  EXPECT_EQ(packed("s4", -9, 9), 0x34567887u);
  EXPECT_EQ(packed("u2", 20, -3), 0x2345678cu);
  EXPECT_EQ(packed("s2", -9, 9), 0x23456789u);
}

// 1 + 2^-11 lies between two numbers of tf32, as 1 + 3 * 2^-11 does.
TEST(ConvertTable, tf32_keeps_ten_bits_of_the_fraction) {
  const auto rounded = [](const char* mode, std::uint32_t bits) {
    return r0_of(fmt::format("cvt.{}.tf32.f32 %r0, %r1;", mode), bits);
  };
  EXPECT_EQ(rounded("rna", 0x3f801000), 0x3f802000u);
  EXPECT_EQ(rounded("rna", 0xbf800fff), 0xbf800000u);
  EXPECT_EQ(rounded("rn", 0x3f801000), 0x3f800000u);
  EXPECT_EQ(rounded("rn", 0x3f803000), 0x3f804000u);
  EXPECT_EQ(rounded("rz", 0x7f7fffff), 0x7f7fe000u);
  EXPECT_EQ(rounded("rna", 0x7f7fffff), 0x7f800000u);
  EXPECT_EQ(rounded("rna", 0xffc00000), 0x7fffffffu);
}

TEST(ConvertTable, tf32_is_made_finite_and_not_negative) {
  EXPECT_EQ(r0_of("cvt.rn.satfinite.tf32.f32 %r0, %r1;", 0x7f7fffff), 0x7f7fe000u);
  EXPECT_EQ(r0_of("cvt.rna.satfinite.tf32.f32 %r0, %r1;", 0xff800000), 0xff7fe000u);
  EXPECT_EQ(r0_of("cvt.rz.relu.tf32.f32 %r0, %r1;", 0xbf800000), 0u);
  EXPECT_EQ(r0_of("cvt.rn.relu.satfinite.tf32.f32 %r0, %r1;", 0xffc00000), 0x7fffffffu);
}

// The largest half is 65504 (0x7bff), the largest bfloat 0x7f7f.
TEST(ConvertTable, halves_are_made_finite_and_not_negative) {
  const auto half = [](const char* words, float value) {
    return r0_of(fmt::format("cvt.{}.f32 %h0, %r1; cvt.u32.u16 %r0, %h0;", words), std::bit_cast<std::uint32_t>(value));
  };
  EXPECT_EQ(half("rn.satfinite.f16", 70000), 0x7bffu);
  EXPECT_EQ(half("rn.satfinite.f16", -INFINITY), 0xfbffu);
  EXPECT_EQ(half("rz.satfinite.bf16", INFINITY), 0x7f7fu);
  EXPECT_EQ(half("rn.satfinite.bf16", NAN), 0x7fffu);
  EXPECT_EQ(half("rn.relu.f16", -1), 0u);
  EXPECT_EQ(half("rn.relu.f16", INFINITY), 0x7c00u);
  EXPECT_EQ(r0_of("cvt.rn.relu.satfinite.bf16x2.f32 %r0, %r1, %r2;", 0x7f800000, 0xc0000000), 0x7f7f0000u);
}

/// Both bytes that cvt makes of two numbers of single precision.
std::uint32_t bytes_of(const std::string& words, float upper, float lower) {
  return r0_of(fmt::format("cvt.rn.satfinite{}.f32 %h0, %r1, %r2; cvt.u32.u16 %r0, %h0;", words),
               std::bit_cast<std::uint32_t>(upper), std::bit_cast<std::uint32_t>(lower));
}

std::uint32_t bytes_of_scales(const std::string& words, float upper, float lower) {
  return r0_of(fmt::format("cvt.{}.ue8m0x2.f32 %h0, %r1, %r2; cvt.u32.u16 %r0, %h0;", words),
               std::bit_cast<std::uint32_t>(upper), std::bit_cast<std::uint32_t>(lower));
}

// e4m3: 1 is 0x38, the last finite number 448 is 0x7e, the least is 2^-9. Ties go to the even code.
TEST(ConvertTable, e4m3_is_rounded_to_nearest_and_never_infinite) {
  EXPECT_EQ(bytes_of(".e4m3x2", 1, -448), 0x38feu);
  EXPECT_EQ(bytes_of(".e4m3x2", 464, -INFINITY), 0x7efeu);
  EXPECT_EQ(bytes_of(".e4m3x2", 17, 19), 0x585au);  // between 16 and 18, 18 and 20
  EXPECT_EQ(bytes_of(".e4m3x2", 0x1p-9f, 0x1p-10f), 0x0100u);
  EXPECT_EQ(bytes_of(".e4m3x2", -0x1.8p-10f, 0x1.ep-7f), 0x8108u);  // 7.5 * 2^-9, between 7 and the least normal
  EXPECT_EQ(bytes_of(".e4m3x2", NAN, -0.0f), 0x7f80u);
  EXPECT_EQ(bytes_of(".relu.e4m3x2", NAN, -2), 0x7f00u);
}

// e5m2: 1 is 0x3c, the last finite number 57344 is 0x7b, the least is 2^-16.
TEST(ConvertTable, e5m2_is_rounded_to_nearest_and_made_finite) {
  EXPECT_EQ(bytes_of(".e5m2x2", 1, 57344), 0x3c7bu);
  EXPECT_EQ(bytes_of(".e5m2x2", 61440, -INFINITY), 0x7bfbu);
  EXPECT_EQ(bytes_of(".e5m2x2", 1.125f, 1.375f), 0x3c3eu);
  EXPECT_EQ(bytes_of(".e5m2x2", 0x1p-16f, 0x1p-17f), 0x0100u);
  EXPECT_EQ(r0_of("cvt.rn.satfinite.e5m2x2.f16x2 %h0, %r1; cvt.u32.u16 %r0, %h0;", 0x3c80bc00), 0x3cbcu);  // 1.125
}

TEST(ConvertTable, bytes_are_exact_as_halves) {
  const auto halves = [](const char* words, std::uint32_t bytes) {
    return r0_of(fmt::format("cvt.u16.u32 %h0, %r1; cvt.rn{} %r0, %h0;", words), bytes);
  };
  EXPECT_EQ(halves(".f16x2.e4m3x2", 0x017e), 0x18005f00u);  // 2^-9, 448
  EXPECT_EQ(halves(".f16x2.e4m3x2", 0xffb8), 0x7fffbc00u);
  EXPECT_EQ(halves(".relu.f16x2.e4m3x2", 0xffb8), 0x7fff0000u);
  EXPECT_EQ(halves(".f16x2.e5m2x2", 0x01fc), 0x0100fc00u);  // 2^-16, -infinity
  EXPECT_EQ(halves(".f16x2.e5m2x2", 0x7d83), 0x7fff8300u);
}

// e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6. A pair lies in one byte.
TEST(ConvertTable, floats_of_four_bits_have_neither_infinity_nor_nan) {
  const auto byte = [](float upper, float lower) {
    return r0_of("{ .reg .b8 %t; cvt.rn.satfinite.e2m1x2.f32 %t, %r1, %r2; cvt.u32.u8 %r0, %t; }",
                 std::bit_cast<std::uint32_t>(upper), std::bit_cast<std::uint32_t>(lower));
  };
  EXPECT_EQ(byte(6, -7), 0x7fu);
  EXPECT_EQ(byte(5, 0.25f), 0x60u);  // between 4 and 6, 0 and 0.5
  EXPECT_EQ(byte(0.75f, -0.0f), 0x28u);
  EXPECT_EQ(byte(NAN, -INFINITY), 0x7fu);
  const std::string halves = "{ .reg .b8 %t; cvt.u8.u32 %t, %r1; cvt.rn.f16x2.e2m1x2 %r0, %t; }";
  EXPECT_EQ(r0_of(halves, 0x9f), 0xb800c600u);  // -0.5, -6
}

// e2m3: 1 is 0x08, the largest is 7.5; e3m2: 1 is 0x0c, the largest is 28.
TEST(ConvertTable, floats_of_six_bits_have_neither_infinity_nor_nan) {
  EXPECT_EQ(bytes_of(".e2m3x2", 7.5f, -8), 0x1f3fu);
  EXPECT_EQ(bytes_of(".e2m3x2", 1.0625f, 0.125f), 0x0801u);
  EXPECT_EQ(bytes_of(".e3m2x2", -30, 0x1p-4f), 0x3f01u);
  EXPECT_EQ(bytes_of(".relu.e3m2x2", NAN, -1), 0x1f00u);
  EXPECT_EQ(r0_of("cvt.u16.u32 %h0, %r1; cvt.rn.f16x2.e2m3x2 %r0, %h0;", 0x013f), 0x3000c780u);
  EXPECT_EQ(r0_of("cvt.u16.u32 %h0, %r1; cvt.rn.relu.f16x2.e3m2x2 %r0, %h0;", 0x1f2c), 0x4f000000u);
}

// ue8m0: 2^(n - 127); the sign of an operand counts for nothing.
TEST(ConvertTable, scales_are_powers_of_two) {
  EXPECT_EQ(bytes_of_scales("rz", 1.5f, -1), 0x7f7fu);
  EXPECT_EQ(bytes_of_scales("rp", 1.5f, -1), 0x807fu);
  EXPECT_EQ(bytes_of_scales("rz", INFINITY, 0), 0xff00u);
  EXPECT_EQ(bytes_of_scales("rp.satfinite", 0x1.8p127f, NAN), 0xfeffu);
  EXPECT_EQ(bytes_of_scales("rp", 0x1p-127f, 0x1.2p-127f), 0x0001u);
  EXPECT_EQ(r0_of("cvt.rp.ue8m0x2.bf16x2 %h0, %r1; cvt.u32.u16 %r0, %h0;", 0x3fc0bf80), 0x807fu);
  EXPECT_EQ(r0_of("cvt.u16.u32 %h0, %r1; cvt.rn.bf16x2.ue8m0x2 %r0, %h0;", 0x007f), 0x00403f80u);
  EXPECT_EQ(r0_of("cvt.u16.u32 %h0, %r1; cvt.rn.bf16x2.ue8m0x2 %r0, %h0;", 0xff80), 0x7fff4000u);
}

// "Operand Size Exceeding Instruction-Type Size": the low bits of a wider operand count.
TEST(ConvertTable, integers_may_stand_in_wider_registers) {
  EXPECT_EQ(d0_of("cvt.s64.s8 %d0, %d1;", 0x1234567812345680), 0xffffffffffffff80u);
  EXPECT_EQ(d0_of("cvt.u16.u8 %d0, %d1;", 0xffffffffffffffff), 0xffu);
  EXPECT_EQ(d0_of("cvt.sat.u8.s32 %d0, %d1;", 0x12345678ffffffff), 0u);
  EXPECT_EQ(d0_of("cvt.s8.u32 %d0, %d1;", 0x80), 0xffffffffffffff80u);
}

}  // namespace convert_table_test
}  // namespace warpfork::simt

// Floating-point instructions, operands and results a line: every rounding (IEEE 754-2008, 4.3), flushing, saturation
// and the operands with results of their own (PTX ISA, "Floating-Point Instructions"), all by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "one_warp.h"

namespace warpfork::simt {
namespace float_table_test {

constexpr std::array kModes{"rn", "rz", "rm", "rp"};

struct Rounded {
  const char *opcode, *operands;  // of %r1 to %r3
  std::uint32_t r1, r2, r3;
  std::array<std::uint32_t, 4> r0;  // to nearest even, to zero, down, up
};

void PrintTo(const Rounded& rounded, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", rounded.opcode, rounded.r1, rounded.r2, rounded.r3);
}

class RoundedTo : public testing::TestWithParam<Rounded> {};

TEST_P(RoundedTo, the_side_that_its_modifier_names) {
  const Rounded& given = GetParam();
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    const std::string body = fmt::format("{}.{}.f32 %r0, {};", given.opcode, kModes[i], given.operands);
    EXPECT_EQ(r0_of(body, given.r1, given.r2, given.r3), given.r0[i]) << body;
  }
}

constexpr std::uint32_t kOne = 0x3f800000, kMinusOne = 0xbf800000, kHalf = 0x3f000000, kTwo = 0x40000000,
                        kThree = 0x40400000, kLargest = 0x7f7fffff, kInfinity = 0x7f800000, kMinusZero = 0x80000000,
                        kNan = 0x7fffffff, kSomeNan = 0x7fc00001, kMinusInfinity = 0xff800000;
constexpr std::uint32_t kUlpOfOne = 0x33800000;  // 2^-24: half a unit in the last place of 1

const Rounded kRounded[] = {
    {"add", "%r1, %r2", kOne, kUlpOfOne, 0, {kOne, kOne, kOne, kOne + 1}},
    {"add", "%r1, %r2", kOne + 1, kUlpOfOne, 0, {kOne + 2, kOne + 1, kOne + 1, kOne + 2}},  // the tie goes to even
    {"add", "%r1, %r2", kMinusOne, 0xb3800000, 0, {kMinusOne, kMinusOne, kMinusOne + 1, kMinusOne}},
    {"add", "%r1, %r2", kLargest, kLargest, 0, {kInfinity, kLargest, kLargest, kInfinity}},
    {"add", "%r1, %r2", 0xff7fffff, 0xff7fffff, 0, {kMinusInfinity, 0xff7fffff, kMinusInfinity, 0xff7fffff}},
    {"add", "%r1, %r2", 0, kMinusZero, 0, {0, 0, kMinusZero, 0}},  // 6.3: an exact zero is −0 downwards only
    {"sub", "%r1, %r2", kOne, kOne, 0, {0, 0, kMinusZero, 0}},
    {"sub", "%r1, %r2", kOne, 0x33000000, 0, {kOne, kOne - 1, kOne - 1, kOne}},  // 1 − 2^-25: a tie
    {"mul", "%r1, %r2", 1, kHalf, 0, {0, 0, 0, 1}},
    {"mul", "%r1, %r2", 0x80000001, kHalf, 0, {kMinusZero, kMinusZero, 0x80000001, kMinusZero}},
    {"mul", "%r1, %r2", kOne + 1, kOne + 1, 0, {kOne + 2, kOne + 2, kOne + 2, kOne + 3}},  // 1 + 2^-22 + 2^-46
    {"mul", "%r1, %r2", 3, kHalf, 0, {2, 1, 1, 2}},
    {"fma", "%r1, %r2, %r3", kOne, kOne, 0x33000000, {kOne, kOne, kOne, kOne + 1}},
    {"fma", "%r1, %r2, %r3", kMinusOne, kOne, 0xb3000000, {kMinusOne, kMinusOne, kMinusOne + 1, kMinusOne}},
    {"fma", "%r1, %r2, %r3", kOne, kOne, kMinusOne, {0, 0, kMinusZero, 0}},
    {"fma", "%r1, %r2, %r3", kLargest, kTwo, 0xff7fffff, {kLargest, kLargest, kLargest, kLargest}},  // 2L − L = L
    {"mad", "%r1, %r2, %r3", kLargest, kTwo, 0xff7fffff, {kLargest, kLargest, kLargest, kLargest}},  // fused as well
    {"div", "%r1, %r2", kOne, kThree, 0, {0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab}},
    {"div", "%r1, %r2", kMinusOne, kThree, 0, {0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaab, 0xbeaaaaaa}},
    {"div", "%r1, %r2", kLargest, kHalf, 0, {kInfinity, kLargest, kLargest, kInfinity}},
    {"rcp", "%r1", kThree, 0, 0, {0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab}},
    {"rcp", "%r1", 1, 0, 0, {kInfinity, kLargest, kLargest, kInfinity}},
    {"rcp", "%r1", 0, 0, 0, {kInfinity, kInfinity, kInfinity, kInfinity}},          // exact: division by zero
    {"sqrt", "%r1", kTwo, 0, 0, {0x3fb504f3, 0x3fb504f3, 0x3fb504f3, 0x3fb504f4}},  // 1.41421356237, 1.41421354 below
    {"sqrt", "%r1", kMinusZero, 0, 0, {kMinusZero, kMinusZero, kMinusZero, kMinusZero}},
};
INSTANTIATE_TEST_SUITE_P(Single, RoundedTo, testing::ValuesIn(kRounded));

struct Rounded64 {
  const char *opcode, *operands;  // of %d1 to %d3
  std::uint64_t d1, d2, d3;
  std::array<std::uint64_t, 4> d0;
};

void PrintTo(const Rounded64& rounded, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", rounded.opcode, rounded.d1, rounded.d2, rounded.d3);
}

class RoundedTo64 : public testing::TestWithParam<Rounded64> {};

TEST_P(RoundedTo64, the_side_that_its_modifier_names) {
  const Rounded64& given = GetParam();
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    const std::string body = fmt::format("{}.{}.f64 %d0, {};", given.opcode, kModes[i], given.operands);
    EXPECT_EQ(d0_of(body, given.d1, given.d2, given.d3), given.d0[i]) << body;
  }
}

constexpr std::uint64_t kOne64 = 0x3ff0000000000000, kMinusOne64 = 0xbff0000000000000, kTwo64 = 0x4000000000000000,
                        kThree64 = 0x4008000000000000, kLargest64 = 0x7fefffffffffffff,
                        kInfinity64 = 0x7ff0000000000000, kMinusZero64 = 0x8000000000000000,
                        kHalf64 = 0x3fe0000000000000, kNan64 = 0xfff8000000000000;

const Rounded64 kRounded64[] = {
    {"add", "%d1, %d2", kOne64, 0x3ca0000000000000, 0, {kOne64, kOne64, kOne64, kOne64 + 1}},  // 1 + 2^-53
    {"add", "%d1, %d2", kLargest64, kLargest64, 0, {kInfinity64, kLargest64, kLargest64, kInfinity64}},
    {"sub", "%d1, %d2", kOne64, kOne64, 0, {0, 0, kMinusZero64, 0}},
    {"mul", "%d1, %d2", 1, kHalf64, 0, {0, 0, 0, 1}},
    {"mul", "%d1, %d2", kOne64 + 1, kOne64 + 1, 0, {kOne64 + 2, kOne64 + 2, kOne64 + 2, kOne64 + 3}},
    {"fma", "%d1, %d2, %d3", kOne64, kOne64, kMinusOne64, {0, 0, kMinusZero64, 0}},
    {"mad", "%d1, %d2, %d3", kLargest64, kTwo64, 0xffefffffffffffff, {kLargest64, kLargest64, kLargest64, kLargest64}},
    {"div",
     "%d1, %d2",
     kOne64,
     kThree64,
     0,
     {0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555556}},
    {"rcp", "%d1", kThree64, 0, 0, {0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555556}},
    // √2 = 1.6a09e667f3bcc908…
    {"sqrt", "%d1", kTwo64, 0, 0, {0x3ff6a09e667f3bcd, 0x3ff6a09e667f3bcc, 0x3ff6a09e667f3bcc, 0x3ff6a09e667f3bcd}},
};
INSTANTIATE_TEST_SUITE_P(Double, RoundedTo64, testing::ValuesIn(kRounded64));

struct Value {
  const char* instruction;  // %r0 from %r1, %r2, %r3
  std::uint32_t r1, r2, r3, r0;
};

void PrintTo(const Value& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.r1, value.r2, value.r3);
}

class FloatValue : public testing::TestWithParam<Value> {};

TEST_P(FloatValue, is_what_the_isa_says) {
  const Value& value = GetParam();
  EXPECT_EQ(r0_of(value.instruction, value.r1, value.r2, value.r3), value.r0);
}

constexpr std::uint32_t kTiny = 1, kMinusTiny = 0x80000001;  // subnormal

// .ftz: subnormal operands and results are zeros of their sign.
const Value kFlushed[] = {
    {"add.ftz.f32 %r0, %r1, %r2;", kMinusTiny, kMinusTiny, 0, kMinusZero},
    {"add.ftz.f32 %r0, %r1, %r2;", kMinusTiny, kTiny, 0, 0},
    {"add.rm.ftz.f32 %r0, %r1, %r2;", kMinusTiny, kTiny, 0, kMinusZero},
    {"sub.f32 %r0, %r1, %r2;", 0x00800001, 0x00800000, 0, kTiny},
    {"sub.ftz.f32 %r0, %r1, %r2;", 0x00800001, 0x00800000, 0, 0},
    {"sub.ftz.f32 %r0, %r1, %r2;", 0x00800000, 0x00800001, 0, kMinusZero},
    {"mul.ftz.f32 %r0, %r1, %r2;", kInfinity, kTiny, 0, kNan},  // ∞ · 0
    {"mul.rp.ftz.f32 %r0, %r1, %r2;", 0x00800000, kHalf, 0, 0},
    {"fma.rn.ftz.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kTiny, kTwo},
    {"fma.rp.ftz.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kTiny, kTwo},  // what is flushed is not rounded up from
    {"fma.rp.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kTiny, kTwo + 1},
    {"div.rn.ftz.f32 %r0, %r1, %r2;", kMinusOne, kTiny, 0, kMinusInfinity},
    {"div.rn.ftz.f32 %r0, %r1, %r2;", kTiny, kTiny, 0, kNan},  // 0 / 0
    {"rcp.rn.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kMinusInfinity},
    {"rcp.rn.ftz.f32 %r0, %r1;", kLargest, 0, 0, 0},  // 2^-128
    {"rcp.rn.f32 %r0, %r1;", 0x7f000000, 0, 0, 0x00400000},
    {"sqrt.rn.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kMinusZero},
    {"sqrt.rn.f32 %r0, %r1;", 2, 0, 0, 0x1a800000},  // √2^-148 = 2^-74
    {"abs.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, 0},
    {"neg.ftz.f32 %r0, %r1;", kTiny, 0, 0, kMinusZero},
    {"min.ftz.f32 %r0, %r1, %r2;", kTiny, kMinusTiny, 0, kMinusZero},
    {"max.ftz.f32 %r0, %r1, %r2;", kMinusTiny, kTiny, 0, 0},
    {"max.ftz.f32 %r0, %r1, %r2;", kTiny, 2, 0, 0},
};
INSTANTIATE_TEST_SUITE_P(Flushed, FloatValue, testing::ValuesIn(kFlushed));

const Value kSaturated[] = {
    {"add.sat.f32 %r0, %r1, %r2;", kInfinity, kOne, 0, kOne},
    {"add.sat.f32 %r0, %r1, %r2;", kMinusInfinity, kOne, 0, 0},
    {"sub.rz.sat.f32 %r0, %r1, %r2;", kOne, 0x33000000, 0, kOne - 1},
    {"mul.sat.f32 %r0, %r1, %r2;", 0, kInfinity, 0, 0},  // NaN
    {"mul.sat.f32 %r0, %r1, %r2;", kHalf, kHalf, 0, 0x3e800000},
    {"mul.ftz.sat.f32 %r0, %r1, %r2;", 0x00800000, kHalf, 0, 0},
    {"fma.rn.sat.f32 %r0, %r1, %r2, %r3;", kTwo, kTwo, kMinusOne, kOne},
    {"fma.rz.ftz.sat.f32 %r0, %r1, %r2, %r3;", kMinusOne, kTwo, kOne, 0},
};
INSTANTIATE_TEST_SUITE_P(Saturated, FloatValue, testing::ValuesIn(kSaturated));

const Value kExtremes[] = {
    {"min.f32 %r0, %r1, %r2;", kSomeNan, kSomeNan, 0, kNan},
    {"max.f32 %r0, %r1, %r2;", kMinusInfinity, kSomeNan, 0, kMinusInfinity},
    {"min.f32 %r0, %r1, %r2;", kMinusZero, 0, 0, kMinusZero},
    {"max.f32 %r0, %r1, %r2;", 0, kMinusZero, 0, 0},
    {"max.f32 %r0, %r1, %r2;", kMinusOne, 0xc0000000, 0, kMinusOne},
    {"max.NaN.f32 %r0, %r1, %r2;", kOne, kSomeNan, 0, kNan},
    {"max.NaN.f32 %r0, %r1, %r2;", kOne, kTwo, 0, kTwo},
    {"min.f32 %r0, %r1, %r2, %r3;", kThree, kOne, kTwo, kOne},
    {"max.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kThree, kThree},
    {"min.f32 %r0, %r1, %r2, %r3;", kSomeNan, kSomeNan, kTwo, kTwo},
    {"min.NaN.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kSomeNan, kNan},
    {"min.xorsign.abs.f32 %r0, %r1, %r2;", 0xc0400000, kTwo, 0, 0xc0000000},
    {"min.xorsign.abs.f32 %r0, %r1, %r2;", 0xc0400000, 0xc0000000, 0, kTwo},
    {"max.xorsign.abs.f32 %r0, %r1, %r2;", 0x7fc00000, 0xc0000000, 0, 0xc0000000},  // NaN is positive here
    {"max.NaN.xorsign.abs.f32 %r0, %r1, %r2;", kSomeNan, kTwo, 0, kNan},
    {"max.abs.f32 %r0, %r1, %r2, %r3;", 0xc0400000, kOne, kTwo, kThree},
    {"min.abs.f32 %r0, %r1, %r2, %r3;", kSomeNan, 0xc0000000, kThree, kTwo},
    {"min.NaN.abs.f32 %r0, %r1, %r2, %r3;", kOne, kTwo, kSomeNan, kNan},
    {"min.xorsign.abs.f16x2 %r0, %r1, %r2;", 0xc2003c00, 0x4000bc00, 0, 0xc000bc00},
    {"max.NaN.xorsign.abs.bf16x2 %r0, %r1, %r2;", 0xff813f80, 0x3f80c000, 0, 0x7fffc000},
    {"copysign.f32 %r0, %r1, %r2;", kMinusZero, kSomeNan, 0, 0xffc00001},  // of any bits
    {"copysign.f32 %r0, %r1, %r2;", kOne, kMinusInfinity, 0, kInfinity},
};
INSTANTIATE_TEST_SUITE_P(Extremes, FloatValue, testing::ValuesIn(kExtremes));

// Factors and terms of 16 bits are exact in single precision.
const Value kMixed[] = {
    {"cvt.u16.u32 %h0, %r1; fma.rn.f32.bf16 %r0, %h0, %h0, %r2;", 0x4040, kOne, 0, 0x41200000},  // 3 * 3 + 1
    {"cvt.u16.u32 %h0, %r1; add.rp.f32.f16 %r0, %h0, %r2;", 0x3c00, 0x30800000, 0, 0x3f800001},  // 1 + 2^-30
    {"cvt.u16.u32 %h0, %r1; sub.sat.f32.f16 %r0, %h0, %r2;", 0x4000, 0x3f000000, 0, kOne},       // 2 - 0.5
};
INSTANTIATE_TEST_SUITE_P(Mixed, FloatValue, testing::ValuesIn(kMixed));

// Rows of the ISA's tables of special operands.
const Value kSpecial[] = {
    {"div.approx.f32 %r0, %r1, %r2;", kOne, 0x7e800000, 0, 0x00800000},       // 2^126 is not yet too large
    {"div.approx.f32 %r0, %r1, %r2;", kMinusOne, 0x7e800001, 0, kMinusZero},  // one above it is
    {"div.approx.f32 %r0, %r1, %r2;", kMinusInfinity, 0x7e800001, 0, kNan},
    {"div.approx.f32 %r0, %r1, %r2;", kOne, kInfinity, 0, 0},
    {"div.approx.ftz.f32 %r0, %r1, %r2;", kOne, kTiny, 0, kInfinity},
    {"rcp.approx.ftz.f32 %r0, %r1;", kTiny, 0, 0, kInfinity},
    {"rcp.approx.f32 %r0, %r1;", kMinusInfinity, 0, 0, kMinusZero},
    {"sqrt.approx.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kMinusZero},
    {"sqrt.approx.f32 %r0, %r1;", kInfinity, 0, 0, kInfinity},
    {"rsqrt.approx.f32 %r0, %r1;", kMinusZero, 0, 0, kMinusInfinity},
    {"rsqrt.approx.ftz.f32 %r0, %r1;", kTiny, 0, 0, kInfinity},
    {"rsqrt.approx.f32 %r0, %r1;", kMinusOne, 0, 0, kNan},
    {"sin.approx.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kMinusZero},
    {"cos.approx.ftz.f32 %r0, %r1;", kTiny, 0, 0, kOne},
    {"cos.approx.f32 %r0, %r1;", kMinusZero, 0, 0, kOne},
    {"lg2.approx.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kMinusInfinity},
    {"lg2.approx.f32 %r0, %r1;", kMinusTiny, 0, 0, kNan},
    {"lg2.approx.f32 %r0, %r1;", kInfinity, 0, 0, kInfinity},
    {"ex2.approx.ftz.f32 %r0, %r1;", kMinusTiny, 0, 0, kOne},
    {"ex2.approx.f32 %r0, %r1;", kInfinity, 0, 0, kInfinity},
    {"ex2.approx.f32 %r0, %r1;", kMinusInfinity, 0, 0, 0},
    {"ex2.approx.ftz.f32 %r0, %r1;", 0xc2fe0000, 0, 0, 0},              // 2^-127 is subnormal
    {"ex2.approx.f16x2 %r0, %r1;", 0x3c00fc00, 0, 0, 0x40000000},       // 2^1 and 2^-infinity
    {"ex2.approx.ftz.bf16x2 %r0, %r1;", 0x80013f80, 0, 0, 0x3f804000},  // of a subnormal, flushed, and of 1
    {"tanh.approx.f16x2 %r0, %r1;", 0x7c00fe01, 0, 0, 0x3c007fff},      // of infinity and of a NaN
    {"tanh.approx.bf16x2 %r0, %r1;", 0x80003f80, 0, 0, 0x80003f43},     // of -0 and of 1: 0.7616
    {"tanh.approx.f32 %r0, %r1;", kMinusZero, 0, 0, kMinusZero},
    {"tanh.approx.f32 %r0, %r1;", kInfinity, 0, 0, kOne},
    {"tanh.approx.f32 %r0, %r1;", kSomeNan, 0, 0, kNan},
};
INSTANTIATE_TEST_SUITE_P(Special, FloatValue, testing::ValuesIn(kSpecial));

struct Value64 {
  const char* instruction;  // %d0 from %d1, %d2
  std::uint64_t d1, d2, d0;
};

void PrintTo(const Value64& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}", value.instruction, value.d1, value.d2);
}

class FloatValue64 : public testing::TestWithParam<Value64> {};

TEST_P(FloatValue64, is_what_the_isa_says) {
  EXPECT_EQ(d0_of(GetParam().instruction, GetParam().d1, GetParam().d2), GetParam().d0);
}

const Value64 kDouble[] = {
    {"min.f64 %d0, %d1, %d2;", 0, kMinusZero64, kMinusZero64},
    {"max.f64 %d0, %d1, %d2;", kMinusZero64, 0, 0},
    {"min.f64 %d0, %d1, %d2;", 0x7ff8000000000001, kTwo64, kTwo64},
    {"max.f64 %d0, %d1, %d2;", 0x7ff8000000000001, 0xfff8000000000001, 0xfff8000000000001},
    // The last NaN's sign and payload, quiet; of a division the first one's (docs/adr/0005).
    {"add.f64 %d0, %d1, %d2;", 0x7ff0000000000001, kOne64, 0x7ff8000000000001},
    {"mul.rz.f64 %d0, %d1, %d2;", 0x7ff0000000000001, 0xfff8000000000002, 0xfff8000000000002},
    {"div.rn.f64 %d0, %d1, %d2;", 0x7ff0000000000001, 0xfff8000000000002, 0x7ff8000000000001},
    {"neg.f64 %d0, %d1;", 0xfff8000000000002, 0, 0xfff8000000000002},
    {"abs.f64 %d0, %d1;", kMinusOne64, 0, kOne64},
    {"copysign.f64 %d0, %d1, %d2;", kMinusZero64, kTwo64, 0xc000000000000000},
    // The upper word alone counts, and subnormals are zeros (PTX ISA, "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64").
    {"rcp.approx.ftz.f64 %d0, %d1;", kTwo64, 0, kHalf64},
    {"rcp.approx.ftz.f64 %d0, %d1;", kTwo64 + 0xffffffff, 0, kHalf64},
    {"rcp.approx.ftz.f64 %d0, %d1;", kMinusZero64 | 0x000fffffffffffff, 0, 0xfff0000000000000},
    {"rcp.approx.ftz.f64 %d0, %d1;", 0xfff0000000000000, 0, kMinusZero64},
    {"rcp.approx.ftz.f64 %d0, %d1;", kLargest64, 0, 0},
    {"rsqrt.approx.ftz.f64 %d0, %d1;", 0x4010000000000000, 0, kHalf64},
    {"rsqrt.approx.ftz.f64 %d0, %d1;", 1, 0, kInfinity64},
    {"rsqrt.approx.ftz.f64 %d0, %d1;", kMinusZero64, 0, 0xfff0000000000000},
    {"rsqrt.approx.ftz.f64 %d0, %d1;", kMinusOne64, 0, kNan64},
    {"rsqrt.approx.f64 %d0, %d1;", kInfinity64, 0, 0},
    {"rsqrt.approx.f64 %d0, %d1;", 0x0000000000000004, 0, 0x6170000000000000},  // (2^-1072)^-½ = 2^536
};
INSTANTIATE_TEST_SUITE_P(Double, FloatValue64, testing::ValuesIn(kDouble));

const Value64 kPairs[] = {
    {"add.rz.f32x2 %d0, %d1, %d2;", 0x3f8000003f800000, 0x33800000b3000000,
     0x3f8000003f7fffff},  // 1 + 2^-24, 1 - 2^-25
    {"mul.ftz.f32x2 %d0, %d1, %d2;", 0x00000001c0000000, 0x3f8000003f000000, 0x00000000bf800000},
    {"fma.rn.f32x2 %d0, %d1, %d2, %d1;", 0x400000007f800000, 0x4040000000000000, 0x410000007fffffff},
};
INSTANTIATE_TEST_SUITE_P(Pairs, FloatValue64, testing::ValuesIn(kPairs));

TEST(FloatTable, testp_tells_the_classes_of_doubles_apart) {
  constexpr std::array<std::uint64_t, 5> kOperands{kOne64, kInfinity64, 0xfff0000000000001, 0x000fffffffffffff, 0};
  for (const auto& [name, members] : {std::pair{"finite", 0b11001u},
                                      {"infinite", 0b00010u},
                                      {"notanumber", 0b00100u},
                                      {"subnormal", 0b01000u},
                                      {"normal", 0b10001u},
                                      {"number", 0b11011u}})
    for (std::size_t i = 0; i < kOperands.size(); ++i) {
      OneWarp warp(fmt::format("testp.{}.f64 %p0, %d1;", name));
      warp.set64("%d1", kOperands[i]);
      warp.run();
      EXPECT_EQ(warp.predicate("%p0").any(), ((members >> i) & 1) != 0) << name << " of " << i;
    }
}

// What one instruction sets of the host's rounding must not reach the next.
TEST(FloatTable, a_directed_rounding_ends_with_its_instruction) {
  EXPECT_EQ(r0_of("add.rp.f32 %r3, %r1, %r2;\nadd.f32 %r0, %r1, %r2;", kOne, kUlpOfOne), kOne);
  EXPECT_EQ(r0_of("cvt.rp.f32.s32 %r3, 16777217;\nadd.f32 %r0, %r1, %r2;", kOne, kUlpOfOne), kOne);
}

}  // namespace float_table_test
}  // namespace warpfork::simt

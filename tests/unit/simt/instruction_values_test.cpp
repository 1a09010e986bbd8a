// One instruction, operands and result a line: by hand from the pseudo-code and the tables of the PTX ISA's chapters
// "Integer Arithmetic", "Logic and Shift", "Comparison and Selection", "Data Movement and Conversion",
// "Floating-Point".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace instruction_values_test {

struct Value {
  const char* instruction;  // %r0 from %r1, %r2, %r3
  std::uint32_t r1, r2, r3, r0;
};

void PrintTo(const Value& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.r1, value.r2, value.r3);
}

class InstructionValue : public testing::TestWithParam<Value> {};

TEST_P(InstructionValue, is_what_the_isa_says) {
  const Value& value = GetParam();
  EXPECT_EQ(r0_of(value.instruction, value.r1, value.r2, value.r3), value.r0);
}

constexpr std::uint32_t kMinus1 = 0xffffffff, kLeast = 0x80000000, kMost = 0x7fffffff;

const Value kArithmetic[] = {
    {"sub.u32 %r0, %r1, %r2;", 3, 5, 0, 0xfffffffe},
    {"mul.hi.u32 %r0, %r1, %r2;", kLeast, 6, 0, 3},
    {"mul.hi.s32 %r0, %r1, %r2;", kMinus1, 5, 0, kMinus1},
    {"mad.hi.u32 %r0, %r1, %r2, %r3;", kLeast, 4, 9, 11},
    {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", kMost, kMost, kMost, kMost},
    {"mul24.lo.u32 %r0, %r1, %r2;", 0xff000002, 3, 0, 6},
    {"mul24.lo.s32 %r0, %r1, %r2;", 0x00ffffff, 2, 0, 0xfffffffe},
    {"mul24.hi.u32 %r0, %r1, %r2;", 0x00ffffff, 0x00ffffff, 0, 0xfffffe00},
    {"mad24.lo.u32 %r0, %r1, %r2, %r3;", 0x01000003, 4, 5, 17},
    {"sad.s32 %r0, %r1, %r2, %r3;", 0xfffffffb, 3, 10, 18},
    {"sad.u32 %r0, %r1, %r2, %r3;", 3, 5, 1, 3},
    {"div.s32 %r0, %r1, %r2;", 0xfffffff9, 2, 0, 0xfffffffd},
    {"div.u32 %r0, %r1, %r2;", 0xfffffff9, 2, 0, 0x7ffffffc},
    {"rem.s32 %r0, %r1, %r2;", 0xfffffff9, 2, 0, kMinus1},
    {"rem.u32 %r0, %r1, %r2;", 7, 4, 0, 3},
    {"min.s32 %r0, %r1, %r2;", kMinus1, 1, 0, kMinus1},
    {"min.u32 %r0, %r1, %r2;", kMinus1, 1, 0, 1},
    {"max.s32 %r0, %r1, %r2;", kMinus1, 1, 0, 1},
    {"max.u32 %r0, %r1, %r2;", kMinus1, 1, 0, kMinus1},
    {"abs.s32 %r0, %r1;", 0xfffffffb, 0, 0, 5},
    {"neg.s32 %r0, %r1;", 1, 0, 0, kMinus1},
    {"add.cc.u32 %r0, %r1, %r2; addc.u32 %r0, %r3, 0;", kMinus1, 1, 4, 5},
    {"add.cc.u32 %r0, %r1, %r2; addc.u32 %r0, %r3, 0;", 1, 1, 4, 4},
    {"sub.cc.u32 %r0, %r1, %r2; subc.u32 %r0, %r3, 0;", 1, 2, 4, 3},
    {"sub.cc.u32 %r0, %r1, %r2; subc.u32 %r0, %r3, 0;", 2, 2, 4, 4},
    {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", 0x01020304, 0x01010101, 5, 15},
    {"dp4a.s32.s32 %r0, %r1, %r2, %r3;", 0x000000ff, 2, 10, 8},
    {"dp4a.u32.s32 %r0, %r1, %r2, %r3;", 0x000000ff, 0x000000ff, 0, 0xffffff01},
    {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", 0x00030002, 0x07060504, 1, 24},
    {"dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", 0x00030002, 0x07060504, 1, 34},
};
INSTANTIATE_TEST_SUITE_P(Arithmetic, InstructionValue, testing::ValuesIn(kArithmetic));

const Value kBits[] = {
    {"popc.b32 %r0, %r1;", 0xf000000f, 0, 0, 8},
    {"clz.b32 %r0, %r1;", 0, 0, 0, 32},
    {"clz.b32 %r0, %r1;", 1, 0, 0, 31},
    {"bfind.u32 %r0, %r1;", 0, 0, 0, kMinus1},
    {"bfind.u32 %r0, %r1;", 0x80, 0, 0, 7},
    {"bfind.s32 %r0, %r1;", kMinus1, 0, 0, kMinus1},
    {"bfind.s32 %r0, %r1;", 0xffffff00, 0, 0, 7},
    {"bfind.shiftamt.u32 %r0, %r1;", 1, 0, 0, 31},
    {"brev.b32 %r0, %r1;", 0x00000003, 0, 0, 0xc0000000},
    {"bfe.u32 %r0, %r1, %r2, %r3;", 0x12345678, 8, 8, 0x56},
    {"bfe.s32 %r0, %r1, %r2, %r3;", 0x0000f000, 12, 4, kMinus1},
    {"bfe.u32 %r0, %r1, %r2, %r3;", 0xf0000000, 28, 8, 0xf},
    {"bfe.s32 %r0, %r1, %r2, %r3;", kLeast, 16, 32, 0xffff8000},
    {"bfe.s32 %r0, %r1, %r2, %r3;", kMinus1, 5, 0, 0},
    {"bfi.b32 %r0, %r1, %r2, 8, 8;", 0xabcd, kMinus1, 0, 0xffffcdff},
    {"bfi.b32 %r0, %r1, %r2, 4, 0;", 0xabcd, 7, 0, 7},
    {"bfi.b32 %r0, %r1, %r2, 28, 8;", 0xff, 0, 0, 0xf0000000},
    {"szext.wrap.s32 %r0, %r1, %r2;", 0xff, 8, 0, kMinus1},
    {"szext.wrap.u32 %r0, %r1, %r2;", 0x1234, 8, 0, 0x34},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", 4, 8, 0, 0xff0},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", 28, 8, 0, 0xf0000000},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", 36, 8, 0, 0},
    {"bmsk.wrap.b32 %r0, %r1, %r2;", 36, 8, 0, 0xff0},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0xaaaaaaaa, 3, 1, 3},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0xaaaaaaaa, 3, kMinus1, 3},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0xaaaaaaaa, 2, 1, 3},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0xaaaaaaaa, 2, kMinus1, 1},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0xaaaaaaaa, 2, 0, kMinus1},
    {"shl.b32 %r0, %r1, %r2;", 1, 31, 0, kLeast},
    {"shl.b32 %r0, %r1, %r2;", 1, 32, 0, 0},
    {"shr.u32 %r0, %r1, %r2;", kLeast, 31, 0, 1},
    {"shr.u32 %r0, %r1, %r2;", kLeast, 32, 0, 0},
    {"shr.s32 %r0, %r1, %r2;", kLeast, 40, 0, kMinus1},
    {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 8, 0xbcdef012},
    {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 40, 0xf0123456},
    {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 40, 0x12345678},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 32, 0x9abcdef0},
    {"not.b32 %r0, %r1;", 0xf0f0f0f0, 0, 0, 0x0f0f0f0f},
    {"cnot.b32 %r0, %r1;", 0, 0, 0, 1},
    {"cnot.b32 %r0, %r1;", 5, 0, 0, 0},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x80;", 0xf0, 0xcc, 0xaa, 0x80},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 0xf0, 0xcc, 0xaa, 0x96},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xe9;", 0xf0, 0xcc, 0xaa, 0xffffffe9},
};
INSTANTIATE_TEST_SUITE_P(Bits, InstructionValue, testing::ValuesIn(kBits));

constexpr std::uint32_t kBytes0 = 0x33221100, kBytes4 = 0x77665544;  // byte i is 0xii

const Value kPermute[] = {
    {"prmt.b32 %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 0x7531, 0x77553311},
    {"prmt.b32 %r0, %r1, %r2, %r3;", 0x00000080, 0, 0x8888, kMinus1},
    {"prmt.b32 %r0, %r1, %r2, %r3;", 0x00000070, 0, 0x8888, 0},
    {"prmt.b32.f4e %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 1, 0x44332211},
    {"prmt.b32.b4e %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 1, 0x66770011},
    {"prmt.b32.rc8 %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 2, 0x22222222},
    {"prmt.b32.ecl %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 1, 0x33221111},
    {"prmt.b32.ecr %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 1, 0x11111100},
    {"prmt.b32.rc16 %r0, %r1, %r2, %r3;", kBytes0, kBytes4, 1, 0x33223322},
};
INSTANTIATE_TEST_SUITE_P(Permute, InstructionValue, testing::ValuesIn(kPermute));

constexpr std::uint32_t kOne = 0x3f800000, kTwo = 0x40000000, kMinusZero = 0x80000000, kNan = 0x7fffffff,
                        kSomeNan = 0x7fc00001, kInfinity = 0x7f800000, kMinusOne = 0xbf800000,
                        kThreeQuarters = 0x3f400000;

const Value kSelection[] = {
    {"setp.lt.s32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kMinus1, 1, 0, 7},
    {"setp.lt.u32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kMinus1, 1, 0, 9},
    {"setp.lo.u32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", 1, 1, 0, 9},
    {"setp.ls.u32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", 1, 1, 0, 7},
    {"setp.eq.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kSomeNan, kSomeNan, 0, 9},
    {"setp.equ.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kSomeNan, kOne, 0, 7},
    {"setp.ne.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kSomeNan, kOne, 0, 9},
    {"setp.neu.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kSomeNan, kOne, 0, 7},
    {"setp.num.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kInfinity, kOne, 0, 7},
    {"setp.nan.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", kOne, kSomeNan, 0, 7},
    {"setp.eq.f32 %p0, %r1, %r2; selp.b32 %r0, 7, 9, %p0;", 0, kMinusZero, 0, 7},
    {"setp.gt.ftz.f32 %p0, %r1, 0f00000000; selp.b32 %r0, 7, 9, %p0;", 1, 0, 0, 9},
    {"set.lt.u32.s32 %r0, %r1, %r2;", kMinus1, 0, 0, kMinus1},
    {"set.lt.f32.s32 %r0, %r1, %r2;", kMinus1, 0, 0, kOne},
    {"set.ge.u32.f32 %r0, %r1, %r2;", kOne, kTwo, 0, 0},
    {"slct.u32.s32 %r0, %r1, %r2, %r3;", 7, 9, 0, 7},
    {"slct.u32.s32 %r0, %r1, %r2, %r3;", 7, 9, kMinus1, 9},
    {"slct.u32.f32 %r0, %r1, %r2, %r3;", 7, 9, kMinusZero, 7},
    {"slct.u32.f32 %r0, %r1, %r2, %r3;", 7, 9, kSomeNan, 9},
    {"testp.finite.f32 %p0, %r1; selp.b32 %r0, 7, 9, %p0;", kInfinity, 0, 0, 9},
    {"testp.number.f32 %p0, %r1; selp.b32 %r0, 7, 9, %p0;", kInfinity, 0, 0, 7},
    {"testp.subnormal.f32 %p0, %r1; selp.b32 %r0, 7, 9, %p0;", 1, 0, 0, 7},
    {"testp.normal.f32 %p0, %r1; selp.b32 %r0, 7, 9, %p0;", 0x00800000, 0, 0, 7},
    {"testp.notanumber.f32 %p0, %r1; selp.b32 %r0, 7, 9, %p0;", kSomeNan, 0, 0, 7},
};
INSTANTIATE_TEST_SUITE_P(Selection, InstructionValue, testing::ValuesIn(kSelection));

const Value kConversion[] = {
    {"cvt.u32.u8 %r0, %r1;", 0x1ff, 0, 0, 0xff},
    {"cvt.s32.s8 %r0, %r1;", 0x80, 0, 0, 0xffffff80},
    {"cvt.sat.u8.s32 %r0, %r1;", 0xfffffffb, 0, 0, 0},
    {"cvt.sat.u8.s32 %r0, %r1;", 300, 0, 0, 255},
    {"cvt.sat.s8.s32 %r0, %r1;", 200, 0, 0, 127},
    {"cvt.sat.s8.s32 %r0, %r1;", 0xffffff00, 0, 0, 0xffffff80},
    {"cvt.rni.s32.f32 %r0, %r1;", 0x40200000, 0, 0, 2},  // 2.5
    {"cvt.rni.s32.f32 %r0, %r1;", 0x40600000, 0, 0, 4},  // 3.5
    {"cvt.rzi.s32.f32 %r0, %r1;", 0xc0200000, 0, 0, 0xfffffffe},
    {"cvt.rmi.s32.f32 %r0, %r1;", 0xc0200000, 0, 0, 0xfffffffd},
    {"cvt.rpi.s32.f32 %r0, %r1;", 0x40200000, 0, 0, 3},
    {"cvt.rzi.u32.f32 %r0, %r1;", kMinusOne, 0, 0, 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", kSomeNan, 0, 0, 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", kInfinity, 0, 0, kMost},
    {"cvt.rzi.s32.f32 %r0, %r1;", 0xff800000, 0, 0, kLeast},
    {"cvt.rzi.u32.f32 %r0, %r1;", kInfinity, 0, 0, kMinus1},
    {"cvt.rn.f32.s32 %r0, %r1;", 16777217, 0, 0, 0x4b800000},
    {"cvt.rp.f32.s32 %r0, %r1;", 16777217, 0, 0, 0x4b800001},
    {"cvt.rz.f32.u32 %r0, %r1;", kMinus1, 0, 0, 0x4f7fffff},
    {"cvt.rn.f32.u32 %r0, %r1;", kMinus1, 0, 0, 0x4f800000},
    {"cvt.rni.f32.f32 %r0, %r1;", 0x40200000, 0, 0, kTwo},
    {"cvt.sat.f32.f32 %r0, %r1;", kTwo, 0, 0, kOne},
    {"cvt.sat.f32.f32 %r0, %r1;", kSomeNan, 0, 0, 0},
    {"mov.b32 {%h0, %h1}, %r1; mov.b32 %r0, {%h1, %h0};", 0x12345678, 0, 0, 0x56781234},
};
INSTANTIATE_TEST_SUITE_P(Conversion, InstructionValue, testing::ValuesIn(kConversion));

const Value kFloat[] = {
    {"add.rn.f32 %r0, %r1, %r2;", kOne, 0x33800000, 0, kOne},  // 1 + 2^−24: a tie to even
    {"add.rp.f32 %r0, %r1, %r2;", kOne, 0x33800000, 0, 0x3f800001},
    {"add.sat.f32 %r0, %r1, %r2;", kThreeQuarters, kThreeQuarters, 0, kOne},
    {"add.sat.f32 %r0, %r1, %r2;", kSomeNan, kOne, 0, 0},
    {"add.ftz.f32 %r0, %r1, %r2;", 1, 0, 0, 0},
    {"sub.f32 %r0, %r1, %r2;", kInfinity, kInfinity, 0, kNan},
    {"mul.f32 %r0, %r1, %r2;", kMinusOne, kTwo, 0, 0xc0000000},
    {"mul.f32 %r0, %r1, %r2;", 0, kInfinity, 0, kNan},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000},  // 2^−46 is not lost
    {"min.f32 %r0, %r1, %r2;", kSomeNan, kOne, 0, kOne},
    {"min.NaN.f32 %r0, %r1, %r2;", kSomeNan, kOne, 0, kNan},
    {"min.f32 %r0, %r1, %r2;", 0, kMinusZero, 0, kMinusZero},
    {"max.f32 %r0, %r1, %r2;", kMinusZero, 0, 0, 0},
    {"abs.f32 %r0, %r1;", kMinusOne, 0, 0, kOne},
    {"neg.f32 %r0, %r1;", 0, 0, 0, kMinusZero},
    {"rcp.rn.f32 %r0, %r1;", 0x40800000, 0, 0, 0x3e800000},
    {"rcp.rn.f32 %r0, %r1;", kMinusZero, 0, 0, 0xff800000},
    {"sqrt.rn.f32 %r0, %r1;", 0x40800000, 0, 0, kTwo},
    {"sqrt.rn.f32 %r0, %r1;", kMinusOne, 0, 0, kNan},
    {"sqrt.rn.f32 %r0, %r1;", kMinusZero, 0, 0, kMinusZero},
    {"div.rn.f32 %r0, %r1, %r2;", kOne, 0, 0, kInfinity},
    {"div.rz.f32 %r0, %r1, %r2;", kOne, 0x40400000, 0, 0x3eaaaaaa},
    {"div.rp.f32 %r0, %r1, %r2;", kOne, 0x40400000, 0, 0x3eaaaaab},
    {"copysign.f32 %r0, %r1, %r2;", kMinusOne, kTwo, 0, 0xc0000000},
};
INSTANTIATE_TEST_SUITE_P(Float, InstructionValue, testing::ValuesIn(kFloat));

struct Value64 {
  const char* instruction;  // %d0 from %d1, %d2
  std::uint64_t d1, d2, d0;
};

void PrintTo(const Value64& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}", value.instruction, value.d1, value.d2);
}

class InstructionValue64 : public testing::TestWithParam<Value64> {};

TEST_P(InstructionValue64, is_what_the_isa_says) {
  EXPECT_EQ(d0_of(GetParam().instruction, GetParam().d1, GetParam().d2), GetParam().d0);
}

constexpr std::uint64_t kOne64 = 0x3ff0000000000000, kLeast64 = 0x8000000000000000;

const Value64 kWide[] = {
    {"add.u64 %d0, %d1, %d2;", ~0ull, 2, 1},
    {"mul.lo.u64 %d0, %d1, %d2;", 1ull << 33, 1ull << 31, 0},
    {"mul.hi.u64 %d0, %d1, %d2;", 1ull << 33, 1ull << 31, 1},
    {"mul.hi.s64 %d0, %d1, %d2;", ~0ull, 2, ~0ull},
    {"div.s64 %d0, %d1, %d2;", static_cast<std::uint64_t>(-7), 2, static_cast<std::uint64_t>(-3)},
    {"rem.u64 %d0, %d1, %d2;", 7, 4, 3},
    {"min.s64 %d0, %d1, %d2;", ~0ull, 1, ~0ull},
    {"shl.b64 %d0, %d1, 63;", 1, 0, kLeast64},
    {"shr.s64 %d0, %d1, 64;", kLeast64, 0, ~0ull},
    {"bfe.u64 %d0, %d1, 32, 16;", 0x123456789abcdef0, 0, 0x5678},
    {"bfi.b64 %d0, %d1, %d2, 32, 8;", 0xff, 0, 0xff00000000},
    {"brev.b64 %d0, %d1;", 1, 0, kLeast64},
    {"and.b64 %d0, %d1, %d2;", 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0x0f000f000f000f00},
    {"add.f64 %d0, %d1, %d2;", kOne64, kOne64, 0x4000000000000000},
    {"sub.f64 %d0, %d1, %d2;", 0x7ff0000000000000, 0x7ff0000000000000, 0xfff8000000000000},  // docs/adr/0005
    {"neg.f64 %d0, %d1;", kOne64, 0, 0xbff0000000000000},
    {"cvt.rn.f64.s64 %d0, %d1;", static_cast<std::uint64_t>(-1), 0, 0xbff0000000000000},
    {"cvt.rzi.s64.f64 %d0, %d1;", 0xc004000000000000, 0, static_cast<std::uint64_t>(-2)},  // −2.5
    {"cvt.s64.s32 %d0, %d1;", 0xffffffff80000000, 0, 0xffffffff80000000},
    {"selp.b64 %d0, %d1, %d2, 1;", 3, 4, 3},
};
INSTANTIATE_TEST_SUITE_P(Wide, InstructionValue64, testing::ValuesIn(kWide));

}  // namespace instruction_values_test
}  // namespace warpfork::simt

// Integer, logic and packing instructions of 16, 32 and 64 bits, a line each: by hand from the pseudo-code of PTX ISA,
// "Integer Arithmetic", "Extended-Precision Integer Arithmetic", "Logic and Shift", "mov"; what these leave open is
// docs/adr/0005.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace integer_table_test {

struct Value16 {
  const char* instruction;  // %h0 from %h1, %h2, %h3
  std::uint32_t h1, h2, h3, h0;
};

void PrintTo(const Value16& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.h1, value.h2, value.h3);
}

class IntegerValue16 : public testing::TestWithParam<Value16> {};

TEST_P(IntegerValue16, is_what_the_isa_says) {
  const Value16& value = GetParam();
  const std::string body =
      fmt::format("cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\ncvt.u16.u32 %h3, %r3;\n{}\ncvt.u32.u16 %r0, %h0;",
                  value.instruction);
  EXPECT_EQ(r0_of(body, value.h1, value.h2, value.h3), value.h0);
}

const Value16 kValues16[] = {
    {"add.u16 %h0, %h1, %h2;", 0xffff, 2, 0, 1},
    {"sub.s16 %h0, %h1, %h2;", 0x8000, 1, 0, 0x7fff},
    {"mul.lo.u16 %h0, %h1, %h2;", 0x0101, 0x0101, 0, 0x0201},
    {"mul.hi.u16 %h0, %h1, %h2;", 0xffff, 0xffff, 0, 0xfffe},
    {"mul.hi.s16 %h0, %h1, %h2;", 0xffff, 0xffff, 0, 0},
    {"mul.hi.s16 %h0, %h1, %h2;", 0x8000, 0x8000, 0, 0x4000},
    {"mad.lo.s16 %h0, %h1, %h2, %h3;", 7, 0xffff, 5, 0xfffe},
    {"sad.u16 %h0, %h1, %h2, %h3;", 3, 5, 1, 3},
    {"sad.s16 %h0, %h1, %h2, %h3;", 0xfffb, 3, 10, 18},
    {"div.s16 %h0, %h1, %h2;", 0x8000, 0xffff, 0, 0x8000},
    {"div.s16 %h0, %h1, %h2;", 0xfff9, 2, 0, 0xfffd},
    {"div.u16 %h0, %h1, %h2;", 5, 0, 0, 0xffff},
    {"rem.s16 %h0, %h1, %h2;", 0xfff9, 2, 0, 0xffff},
    {"rem.s16 %h0, %h1, %h2;", 0x8000, 0xffff, 0, 0},
    {"rem.u16 %h0, %h1, %h2;", 5, 0, 0, 0xffff},
    {"abs.s16 %h0, %h1;", 0xffff, 0, 0, 1},
    {"abs.s16 %h0, %h1;", 0x8000, 0, 0, 0x8000},
    {"neg.s16 %h0, %h1;", 1, 0, 0, 0xffff},
    {"min.s16 %h0, %h1, %h2;", 0xffff, 1, 0, 0xffff},
    {"min.u16 %h0, %h1, %h2;", 0xffff, 1, 0, 1},
    {"max.s16 %h0, %h1, %h2;", 0xffff, 1, 0, 1},
    {"max.u16 %h0, %h1, %h2;", 0xffff, 1, 0, 0xffff},
    {"and.b16 %h0, %h1, %h2;", 0xff00, 0x0ff0, 0, 0x0f00},
    {"or.b16 %h0, %h1, %h2;", 0xff00, 0x0ff0, 0, 0xfff0},
    {"xor.b16 %h0, %h1, %h2;", 0xff00, 0x0ff0, 0, 0xf0f0},
    {"not.b16 %h0, %h1;", 0xf0f0, 0, 0, 0x0f0f},
    {"cnot.b16 %h0, %h1;", 0, 0, 0, 1},
    {"cnot.b16 %h0, %h1;", 0x8000, 0, 0, 0},
    {"shl.b16 %h0, %h1, %r2;", 3, 15, 0, 0x8000},
    {"shl.b16 %h0, %h1, %r2;", 3, 16, 0, 0},
    {"shr.u16 %h0, %h1, %r2;", 0x8000, 15, 0, 1},
    {"shr.u16 %h0, %h1, %r2;", 0x8000, 16, 0, 0},
    {"shr.s16 %h0, %h1, %r2;", 0x8000, 16, 0, 0xffff},
    {"shr.b16 %h0, %h1, %r2;", 0x8000, 15, 0, 1},
    {"selp.b16 %h0, %h1, %h2, 0;", 3, 4, 0, 4},
};
INSTANTIATE_TEST_SUITE_P(All, IntegerValue16, testing::ValuesIn(kValues16));

struct Value32 {
  const char* instruction;  // %r0 from %r1, %r2, %r3
  std::uint32_t r1, r2, r3, r0;
};

void PrintTo(const Value32& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.r1, value.r2, value.r3);
}

class IntegerValue32 : public testing::TestWithParam<Value32> {};

TEST_P(IntegerValue32, is_what_the_isa_says) {
  const Value32& value = GetParam();
  EXPECT_EQ(r0_of(value.instruction, value.r1, value.r2, value.r3), value.r0);
}

constexpr std::uint32_t kMinus1 = 0xffffffff, kLeast = 0x80000000, kMost = 0x7fffffff;

const Value32 kArithmetic[] = {
    {"add.sat.s32 %r0, %r1, %r2;", kLeast, kMinus1, 0, kLeast},
    {"sub.sat.s32 %r0, %r1, %r2;", kMost, kMinus1, 0, kMost},
    {"sub.sat.s32 %r0, %r1, %r2;", 0, kLeast, 0, kMost},
    {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", kLeast, kMost, kLeast, kLeast},
    {"mad.hi.s32 %r0, %r1, %r2, %r3;", kMinus1, 1, 1, 0},
    {"mul24.lo.s32 %r0, %r1, %r2;", 0x00800000, 2, 0, 0xff000000},  // −2^23 · 2
    {"mul24.hi.s32 %r0, %r1, %r2;", 0x00800000, 0x00800000, 0, 0x40000000},
    {"mad24.hi.u32 %r0, %r1, %r2, %r3;", 0x00ffffff, 0x00ffffff, 0x200, 0},
    {"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x00800000, 0x00800000, kMost, kMost},
    {"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x00800000, 1, kLeast, kLeast},
    {"abs.s32 %r0, %r1;", kLeast, 0, 0, kLeast},
    {"sad.s32 %r0, %r1, %r2, %r3;", kMost, kLeast, 1, 0},  // 2^32 − 1 and 1
    {"add.u16x2 %r0, %r1, %r2;", 0xffff0001, 0x00010002, 0, 0x00000003},
    {"add.s16x2 %r0, %r1, %r2;", 0x7fffffff, 0x00010001, 0, 0x80000000},
    {"min.s16x2 %r0, %r1, %r2;", 0xffff0001, 0x0001ffff, 0, kMinus1},
    {"min.u16x2 %r0, %r1, %r2;", 0xffff0001, 0x0001ffff, 0, 0x00010001},
    {"max.s16x2 %r0, %r1, %r2;", 0xffff0001, 0x0001ffff, 0, 0x00010001},
    {"max.u16x2 %r0, %r1, %r2;", 0xffff0001, 0x0001ffff, 0, kMinus1},
    {"dp4a.s32.u32 %r0, %r1, %r2, %r3;", 0x000000ff, 0x000000ff, 0, 0xffffff01},     // −1 · 255
    {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", kMinus1, kMinus1, kMinus1, 0x3f803},        // 4 · 255² − 1
    {"dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;", 0xffff8000, 0x0000ff02, 0, 0xffff0001},  // −2^15 · 2 + −1 · −1
    {"dp2a.hi.u32.s32 %r0, %r1, %r2, %r3;", 0x0001ffff, 0x02ff0000, 0, 0xffff0003},  // −65535 + 2
    {"dp2a.hi.s32.u32 %r0, %r1, %r2, %r3;", 0x0001ffff, 0x02ff0000, 0, 0xffffff03},  // −255 + 2
};
INSTANTIATE_TEST_SUITE_P(Arithmetic, IntegerValue32, testing::ValuesIn(kArithmetic));

const Value32 kBits[] = {
    {"bfe.u32 %r0, %r1, %r2, %r3;", kMinus1, 32, 1, 0},
    {"bfe.s32 %r0, %r1, %r2, %r3;", kLeast, 32, 1, kMinus1},
    {"bfe.s32 %r0, %r1, %r2, %r3;", kMost, 255, 255, 0},
    {"bfe.u32 %r0, %r1, %r2, %r3;", 0x12345678, 0x108, 0x108, 0x56},  // eight bits of b and c count
    {"bfe.u32 %r0, %r1, %r2, %r3;", kMinus1, 0, 0x100, 0},
    {"bfe.u32 %r0, %r1, %r2, %r3;", 0x12345678, 0, 32, 0x12345678},
    {"bfe.s32 %r0, %r1, %r2, %r3;", 0x40000000, 30, 5, 1},  // bit 31 is the sign
    {"bfi.b32 %r0, %r1, %r2, 32, 8;", kMinus1, 5, 0, 5},
    {"bfi.b32 %r0, %r1, %r2, 31, 1;", 1, 5, 0, 0x80000005},
    {"bfi.b32 %r0, %r1, %r2, 0, 32;", 0x12345678, kMinus1, 0, 0x12345678},
    {"bfi.b32 %r0, %r1, %r2, 0x104, 0x104;", 0xf, 0, 0, 0xf0},
    {"szext.clamp.s32 %r0, %r1, %r2;", 0xff, 32, 0, 0xff},
    {"szext.wrap.s32 %r0, %r1, %r2;", kMinus1, 32, 0, 0},
    {"szext.clamp.s32 %r0, %r1, %r2;", kMinus1, 0, 0, 0},
    {"szext.clamp.u32 %r0, %r1, %r2;", kMinus1, 31, 0, kMost},
    {"szext.wrap.s32 %r0, %r1, %r2;", 0x17f, 40, 0, 0x7f},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", 4, 32, 0, 0xfffffff0},
    {"bmsk.wrap.b32 %r0, %r1, %r2;", 4, 32, 0, 0},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", 31, 1, 0, kLeast},
    {"bmsk.wrap.b32 %r0, %r1, %r2;", 0, 31, 0, kMost},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0x80000001, 0, 2, 31},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0x80000001, 0, 3, kMinus1},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0x80000001, 31, 0xfffffffe, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", 0x80000001, 31, 0, 31},
    {"prmt.b32 %r0, %r1, %r2, %r3;", 0x33221180, 0x77665544, 0xffff8654, 0xff665544},  // 16 bits of c count
    {"prmt.b32.f4e %r0, %r1, %r2, %r3;", 0x33221100, 0x77665544, 7, 0x66554433},       // two of them in a mode
    {"prmt.b32.ecr %r0, %r1, %r2, %r3;", 0x33221100, 0, 2, 0x22221100},
    {"prmt.b32.rc16 %r0, %r1, %r2, %r3;", 0x33221100, 0, 2, 0x11001100},
};
INSTANTIATE_TEST_SUITE_P(Bits, IntegerValue32, testing::ValuesIn(kBits));

const Value32 kLogic[] = {
    {"shl.b32 %r0, %r1, %r2;", 1, kMinus1, 0, 0},
    {"shr.s32 %r0, %r1, %r2;", kMost, kMinus1, 0, 0},
    {"shr.b32 %r0, %r1, %r2;", kLeast, 31, 0, 1},
    {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 1, 2, 32, 2},
    {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 1, 2, 32, 1},
    {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 1, 2, 32, 1},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 1, 2, kMinus1, 2},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 0, 1, 31, 2},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0;", kMinus1, kMinus1, kMinus1, 0},
    {"lop3.b32 %r0, %r1, %r2, %r3, 255;", 0, 0, 0, kMinus1},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xf0;", 5, 6, 7, 5},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xcc;", 5, 6, 7, 6},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xaa;", 5, 6, 7, 7},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", 0xf0, 0xcc, 0xaa, 0xe8},  // the majority
    {"mov.b64 %d1, {%r1, %r2}; mov.b64 {_, _, %h1, _}, %d1; cvt.u32.u16 %r0, %h1;", 0, 0x12345678, 0, 0x5678},
    {"mov.pred %p1, 1; mov.pred %p0, !%p1; selp.b32 %r0, %r1, %r2, !%p0;", 3, 4, 0, 3},
    {"setp.eq.u32 %p1, %r1, 3; and.pred %p0, %p1, !%p1; selp.b32 %r0, 7, 9, %p0;", 3, 0, 0, 9},
    {"setp.eq.u32 %p1, %r1, 3; or.pred %p0, !%p1, %p1; selp.b32 %r0, 7, 9, %p0;", 4, 0, 0, 7},
    {"setp.eq.u32 %p1, %r1, 3; xor.pred %p0, %p1, 1; selp.b32 %r0, 7, 9, %p0;", 3, 0, 0, 9},
    {"setp.eq.u32 %p1, %r1, 3; not.pred %p0, %p1; selp.b32 %r0, 7, 9, %p0;", 3, 0, 0, 9},
    {"setp.lt.xor.s32 %p0|%p2, %r1, %r2, %p1; selp.b32 %r0, 7, 9, %p0;", kMinus1, 1, 0, 7},
    {"setp.lt.or.s32 %p0|%p2, %r1, %r2, %p1; selp.b32 %r0, 7, 9, %p2;", kMinus1, 1, 0, 9},
    {"set.lt.u32.u64 %r0, %d1, -1;", 0, 0, 0, kMinus1},
};
INSTANTIATE_TEST_SUITE_P(Logic, IntegerValue32, testing::ValuesIn(kLogic));

struct Value64 {
  const char* instruction;  // %d0 from %d1, %d2, %d3
  std::uint64_t d1, d2, d3, d0;
};

void PrintTo(const Value64& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.d1, value.d2, value.d3);
}

class IntegerValue64 : public testing::TestWithParam<Value64> {};

TEST_P(IntegerValue64, is_what_the_isa_says) {
  const Value64& value = GetParam();
  EXPECT_EQ(d0_of(value.instruction, value.d1, value.d2, value.d3), value.d0);
}

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0}, kLowest = 0x8000000000000000, kMinusSeven = kMinusOne - 6;

const Value64 kValues64[] = {
    {"mul.hi.s64 %d0, %d1, %d2;", kLowest, kLowest, 0, 0x4000000000000000},
    {"mad.lo.u64 %d0, %d1, %d2, %d3;", 1ull << 63, 2, 9, 9},
    {"mad.hi.u64 %d0, %d1, %d2, %d3;", kMinusOne, kMinusOne, 3, 1},
    {"mad.hi.s64 %d0, %d1, %d2, %d3;", kMinusOne, 1, 1, 0},
    {"mov.u32 %r1, -3; mad.wide.s32 %d0, %r1, 4, %d3;", 0, 0, 5, kMinusSeven},
    {"sad.s64 %d0, %d1, %d2, %d3;", kMinusSeven, 3, 10, 20},
    {"sad.u64 %d0, %d1, %d2, %d3;", kMinusSeven, 3, 10, 0},
    {"div.s64 %d0, %d1, %d2;", kLowest, kMinusOne, 0, kLowest},
    {"div.u64 %d0, %d1, %d2;", 5, 0, 0, kMinusOne},
    {"div.u64 %d0, %d1, %d2;", kMinusOne, 2, 0, 0x7fffffffffffffff},
    {"rem.s64 %d0, %d1, %d2;", kLowest, kMinusOne, 0, 0},
    {"rem.s64 %d0, %d1, %d2;", kMinusSeven, 2, 0, kMinusOne},
    {"rem.u64 %d0, %d1, %d2;", 1ull << 40, 0, 0, ~0ull},
    {"abs.s64 %d0, %d1;", kMinusSeven, 0, 0, 7},
    {"neg.s64 %d0, %d1;", kLowest, 0, 0, kLowest},
    {"max.s64 %d0, %d1, %d2;", kMinusOne, 1ull << 32, 0, 1ull << 32},
    {"max.u64 %d0, %d1, %d2;", kMinusOne, 1ull << 32, 0, kMinusOne},
    {"popc.b64 %r1, %d1; cvt.u64.u32 %d0, %r1;", 0xf00000000000000f, 0, 0, 8},
    {"clz.b64 %r1, %d1; cvt.u64.u32 %d0, %r1;", 0, 0, 0, 64},
    {"clz.b64 %r1, %d1; cvt.u64.u32 %d0, %r1;", 1ull << 32, 0, 0, 31},
    {"bfind.s64 %r1, %d1; cvt.u64.u32 %d0, %r1;", ~(1ull << 40), 0, 0, 40},
    {"bfind.shiftamt.u64 %r1, %d1; cvt.u64.u32 %d0, %r1;", 1ull << 40, 0, 0, 23},
    {"bfe.s64 %d0, %d1, 60, 8;", kLowest, 0, 0, 0xfffffffffffffff8},
    {"bfe.u64 %d0, %d1, 60, 8;", kLowest, 0, 0, 8},
    {"bfe.u64 %d0, %d1, 64, 1;", kMinusOne, 0, 0, 0},
    {"bfe.s64 %d0, %d1, 200, 1;", kLowest, 0, 0, kMinusOne},
    {"bfe.u64 %d0, %d1, 0, 64;", kMinusSeven, 0, 0, kMinusSeven},
    {"bfi.b64 %d0, %d1, %d2, 60, 8;", 0xff, 5, 0, 0xf000000000000005},
    {"bfi.b64 %d0, %d1, %d2, 64, 8;", 0xff, 5, 0, 5},
    {"bfi.b64 %d0, %d1, %d2, 0, 64;", 6, kMinusOne, 0, 6},
    {"cnot.b64 %d0, %d1;", 1ull << 63, 0, 0, 0},
    {"cnot.b64 %d0, %d1;", 0, 0, 0, 1},
    {"shl.b64 %d0, %d1, 64;", 1, 0, 0, 0},
    {"shr.u64 %d0, %d1, 64;", kMinusOne, 0, 0, 0},
    {"shr.s64 %d0, %d1, 63;", kLowest, 0, 0, kMinusOne},
    {"shr.b64 %d0, %d1, 63;", kLowest, 0, 0, 1},
    {"slct.b64.s32 %d0, %d1, %d2, -1;", 3, 4, 0, 4},
    {"mov.b64 %d0, {1, 2, 3, 4};", 0, 0, 0, 0x0004000300020001},
    {"add.cc.u64 %d3, %d1, %d2; addc.u64 %d0, 0, 0;", kMinusOne, 1, 0, 1},
    {"sub.cc.s64 %d3, %d1, %d2; subc.u64 %d0, 0, 0;", 1, 2, 0, kMinusOne},
    {"mad.hi.cc.u64 %d3, %d1, %d1, %d3; addc.u64 %d0, 0, 0;", kMinusOne, 0, 2, 1},
    {"mad.hi.cc.s64 %d3, %d1, %d1, %d3; addc.u64 %d0, 0, 0;", kMinusOne, 0, kMinusOne, 0},
};
INSTANTIATE_TEST_SUITE_P(All, IntegerValue64, testing::ValuesIn(kValues64));

TEST(IntegerTable, sixteen_bit_products_are_wide_in_32_bits) {
  const std::string halves = "cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n";
  EXPECT_EQ(r0_of(halves + "mul.wide.s16 %r0, %h1, %h2;", 0x8000, 0x8000), 0x40000000u);
  EXPECT_EQ(r0_of(halves + "mul.wide.u16 %r0, %h1, %h2;", 0xffff, 0xffff), 0xfffe0001u);
  EXPECT_EQ(r0_of(halves + "mad.wide.s16 %r0, %h1, %h2, %r3;", 0xffff, 2, 5), 3u);
  EXPECT_EQ(r0_of(halves + "mad.wide.u16 %r0, %h1, %h2, %r3;", 0xffff, 2, 5), 0x20003u);
}

TEST(IntegerTable, bytes_are_packed_lowest_first) {
  const std::string bytes = "{ .reg .b8 %b<4>;\ncvt.u8.u32 %b0, %r1;\ncvt.u8.u32 %b1, %r2;\ncvt.u8.u32 %b2, %r3;\n";
  EXPECT_EQ(r0_of(bytes + "mov.b32 %r0, {%b0, %b1, %b2, 4}; }", 0x101, 2, 3), 0x04030201u);
  EXPECT_EQ(r0_of(bytes + "mov.b16 %h0, {%b0, %b1};\ncvt.u32.u16 %r0, %h0; }", 0x112, 0x34), 0x3412u);
  EXPECT_EQ(r0_of(bytes + "mov.b32 {_, _, _, %b3}, %r1;\ncvt.u32.u8 %r0, %b3; }", 0x89345678), 0x89u);
  EXPECT_EQ(r0_of(bytes + "mov.b16 {_, %b3}, 0x8765;\ncvt.s32.s8 %r0, %b3; }", 0), 0xffffff87u);
}

// (2^32 − 1)² + 2^64 − 1 = 0x1 fffffffe 00000000
TEST(IntegerTable, a_product_is_added_through_three_words) {
  OneWarp warp(
      "mad.lo.cc.u32 %r0, %r1, %r1, %r1;\nmadc.hi.cc.u32 %r2, %r1, %r1, %r1;\naddc.u32 %r3, 0, 0;\n"
      "mad.lo.cc.u32 %r4, %r1, %r1, 1;\nmadc.lo.u32 %r5, %r1, %r1, 0;");  // 1 + 1, no carry
  warp.set("%r1", kMinus1);
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 31), 0u);
  EXPECT_EQ(warp.lane("%r2", 31), 0xfffffffeu);
  EXPECT_EQ(warp.lane("%r3", 31), 1u);
  EXPECT_EQ(warp.lane("%r4", 31), 2u);
  EXPECT_EQ(warp.lane("%r5", 31), 1u);
}

TEST(IntegerTable, a_borrow_runs_through_equal_words) {
  OneWarp warp("sub.cc.u32 %r0, 0, %r1;\nsubc.cc.u32 %r2, 5, 5;\nsubc.cc.u32 %r3, 5, 4;\nsubc.u32 %r4, 5, 4;");
  warp.set("%r1", 1);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), kMinus1);
  EXPECT_EQ(warp.lane("%r2"), kMinus1);
  EXPECT_EQ(warp.lane("%r3"), 0u);  // 5 − 4 − 1, without a borrow
  EXPECT_EQ(warp.lane("%r4"), 1u);
}

// What nvcc makes of __vabsdiffu4, __vabsdiffs4, __vsadu4 and __vsadu2.
TEST(IntegerTable, differences_of_parts_stand_side_by_side_or_are_added) {
  EXPECT_EQ(r0_of("vabsdiff4.u32.u32.u32 %r0, %r1, %r2, 0;", 0xff000510, 0x00010a0f), 0xff010501u);
  EXPECT_EQ(r0_of("vabsdiff4.u32.s32.s32 %r0, %r1, %r2, 0;", 0x80000510, 0x7f010a0f), 0xff010501u);
  EXPECT_EQ(r0_of("vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0xff000510, 0x00010a0f, 100),
            255u + 1 + 5 + 1 + 100);
  EXPECT_EQ(r0_of("vabsdiff2.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0x00010005, 0xffff0003, 7), 0xfffeu + 2 + 7);
}

// What GPUs do, the ISA's "borrow-out" notwithstanding: the flag is the carry of a + ~b + 1. nvcc 13 divides 128-bit
// integers by it, and a GPU's 0 - 0 after add.cc 0, 0 is known to be -1.
TEST(IntegerTable, the_flag_after_a_subtraction_is_set_where_there_is_no_borrow) {
  EXPECT_EQ(r0_of("sub.cc.u32 %r2, %r1, 2;\naddc.u32 %r0, 0, 0;", 1), 0u);
  EXPECT_EQ(r0_of("sub.cc.u32 %r2, %r1, 2;\naddc.u32 %r0, 0, 0;", 2), 1u);
  EXPECT_EQ(r0_of("sub.cc.u32 %r2, %r1, 0;\naddc.u32 %r0, 0, 0;", 0), 1u);
  EXPECT_EQ(r0_of("add.cc.u32 %r2, %r1, 0;\nsubc.u32 %r0, 0, 0;", 0), kMinus1);
  EXPECT_EQ(r0_of("add.cc.u32 %r2, %r1, 1;\nsubc.u32 %r0, 0, 0;", kMinus1), 0u);
}

TEST(IntegerTable, each_lane_has_a_carry_of_its_own_that_others_leave_alone) {
  OneWarp warp("add.cc.u32 %r2, %r1, 1;\n@%p1 add.cc.u32 %r3, 0, 0;\naddc.u32 %r0, 0, 0;\nadd.u32 %r4, %r1, 1;");
  Lanes32 values{};
  values[3] = values[4] = kMinus1;
  warp.set("%r1", values);
  warp.set_predicate("%p1", RowLanes(0b10000));
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 2), 0u);
  EXPECT_EQ(warp.lane("%r0", 3), 1u);
  EXPECT_EQ(warp.lane("%r0", 4), 0u);
}

}  // namespace integer_table_test
}  // namespace warpfork::simt

// Expected values by hand from PTX ISA, "cvt", "mov", "shf", "lop3".
#include <gtest/gtest.h>

#include <bit>

#include "one_warp.h"

namespace warpfork::simt {
namespace convert_test {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Convert, integers_are_extended_cut_and_clamped) {
  EXPECT_EQ(r0_of("cvt.s32.s8 %r0, %r1;", 0x1ff), 0xffffffffu);
  EXPECT_EQ(r0_of("cvt.u32.u8 %r0, %r1;", 0x1ff), 0xffu);
  EXPECT_EQ(r0_of("cvt.sat.u8.s32 %r0, %r1;", 0xffffffff), 0u);
  EXPECT_EQ(r0_of("cvt.sat.s8.s32 %r0, %r1;", 300), 127u);
  OneWarp wide("cvt.s64.s32 %d0, %r1;\ncvt.u32.u64 %r0, %d0;");
  wide.set("%r1", 0x80000000);
  wide.run();
  EXPECT_EQ(wide.lane64("%d0"), 0xffffffff80000000u);
  EXPECT_EQ(wide.lane("%r0"), 0x80000000u);
}

TEST(Convert, floats_to_integers_round_and_clamp) {
  EXPECT_EQ(r0_of("cvt.rni.s32.f32 %r0, %r1;", bits(2.5f)), 2u);
  EXPECT_EQ(r0_of("cvt.rzi.s32.f32 %r0, %r1;", bits(-2.9f)), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(r0_of("cvt.rmi.s32.f32 %r0, %r1;", bits(-2.1f)), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(r0_of("cvt.rpi.s32.f32 %r0, %r1;", bits(2.1f)), 3u);
  EXPECT_EQ(r0_of("cvt.rzi.s32.f32 %r0, %r1;", bits(3e9f)), 0x7fffffffu);
  EXPECT_EQ(r0_of("cvt.rzi.u32.f32 %r0, %r1;", bits(-1)), 0u);
  EXPECT_EQ(r0_of("cvt.rzi.s32.f32 %r0, %r1;", 0x7fc00000), 0u);
  EXPECT_EQ(r0_of("cvt.rzi.u8.f32 %r0, %r1;", bits(1000)), 255u);
}

TEST(Convert, integers_to_floats_round_once) {
  EXPECT_EQ(r0_of("cvt.rn.f32.u32 %r0, %r1;", 0x1000001), bits(16777216.0f));
  EXPECT_EQ(r0_of("cvt.rp.f32.u32 %r0, %r1;", 0x1000001), bits(16777218.0f));
  EXPECT_EQ(r0_of("cvt.rz.f32.s32 %r0, %r1;", 0xffffffff), bits(-1));
}

TEST(Convert, zero_has_no_sign_however_it_is_rounded) {
  for (const char* mode : {"rn", "rz", "rm", "rp"})
    for (const char* type : {"u32", "s32", "u64", "s64"})
      for (const char* result : {"f32 %r0", "f64 %d0"}) {
        const std::string to(result, 3), from = type[1] == '3' ? "%r1" : "%d1";
        OneWarp warp(fmt::format("cvt.{}.{}.{} {}, {};", mode, to, type, std::string(result + 4), from));
        warp.set("%r0", 1);
        warp.set64("%d0", 1);
        warp.run();
        EXPECT_EQ(to == "f32" ? warp.lane("%r0") : warp.lane64("%d0"), 0u) << mode << type << to;
      }
}

TEST(Convert, floats_to_floats) {
  EXPECT_EQ(r0_of("cvt.rni.f32.f32 %r0, %r1;", bits(3.5f)), bits(4));
  EXPECT_EQ(r0_of("cvt.sat.f32.f32 %r0, %r1;", bits(7)), bits(1));
  EXPECT_EQ(r0_of("cvt.ftz.f32.f32 %r0, %r1;", 0x80000001), 0x80000000u);
  OneWarp warp("cvt.f64.f32 %d0, %r1;\ncvt.rn.f32.f64 %r0, %d0;\ncvt.rn.f16.f32 %h0, %r1;\ncvt.f32.f16 %r2, %h0;");
  warp.set("%r1", bits(1.0f / 3));
  warp.run();
  EXPECT_EQ(warp.lane64("%d0"), 0x3fd5555560000000u);
  EXPECT_EQ(warp.lane("%r0"), bits(1.0f / 3));
  EXPECT_EQ(warp.lane("%r2"), 0x3eaaa000u);
}

TEST(Convert, halves_overflow_by_saturation_or_infinity) {
  OneWarp warp(
      "cvt.rn.f16.f32 %h0, %r1;\ncvt.rz.f16.f32 %h1, %r1;\ncvt.u32.u16 %r2, %h0;\ncvt.u32.u16 %r3, %h1;\n"
      "cvt.rn.f16x2.f32 %r4, %r1, %r5;");
  warp.set("%r1", bits(65520));
  warp.set("%r5", bits(1));
  warp.run();
  EXPECT_EQ(warp.lane("%r2"), 0x7c00u);
  EXPECT_EQ(warp.lane("%r3"), 0x7bffu);
  EXPECT_EQ(warp.lane("%r4"), 0x7c003c00u);
}

TEST(Convert, vectors_are_packed_low_element_first) {
  OneWarp warp(
      "mov.b64 %d0, {%r1, 7};\nmov.b64 {%r2, %r3}, %d0;\nmov.b64 {_, %r4}, %d0;\nmov.b32 {%h0, %h1}, %r1;\ncvt.u32.u16 "
      "%r5, %h1;");
  warp.set("%r1", 0x12345678);
  warp.run();
  EXPECT_EQ(warp.lane64("%d0"), 0x712345678u);
  EXPECT_EQ(warp.lane("%r2"), 0x12345678u);
  EXPECT_EQ(warp.lane("%r4"), 7u);
  EXPECT_EQ(warp.lane("%r5"), 0x1234u);
}

TEST(Convert, shifts_clamp_and_funnels_wrap_or_clamp) {
  EXPECT_EQ(r0_of("shl.b32 %r0, %r1, 32;", 1), 0u);
  EXPECT_EQ(r0_of("shr.s32 %r0, %r1, 99;", 0x80000000), 0xffffffffu);
  EXPECT_EQ(r0_of("shf.l.wrap.b32 %r0, %r1, %r2, 36;", 0xabcdef01, 0x12345678), 0x2345678au);
  EXPECT_EQ(r0_of("shf.r.clamp.b32 %r0, %r1, %r2, 40;", 0xabcdef01, 0x12345678), 0x12345678u);
}

TEST(Convert, lop3_is_any_function_of_three_bits) {
  EXPECT_EQ(r0_of("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 0xf0, 0xcc, 0xaa), (0xf0u ^ 0xccu ^ 0xaau));
  EXPECT_EQ(r0_of("lop3.b32 %r0, %r1, %r2, %r3, 0xca;", 0xf0, 0xcc, 0xaa), (0xf0u & 0xccu) | (~0xf0u & 0xaau));
}

// p = (d != 0) BoolOp q
TEST(Convert, lop3_makes_a_predicate_of_its_result_and_another) {
  OneWarp warp(
      "lop3.and.b32 %r0|%p0, %r1, %r2, 0, 0xc0, %p1;\nlop3.or.b32 _|%p2, %r1, %r2, 0, 0xc0, %p1;\n"
      "lop3.and.b32 %r3|%p3, %r1, %r2, 0, 0xc0, !%p1;\nlop3.or.b32 %r1|%p1, %r1, %r2, 0, 0xc0, %p1;");
  warp.set("%r1", Lanes32{6, 6});  // 6 & 2 = 2 in lanes 0 and 1, 0 & 2 = 0 in lanes 2 and 3
  warp.set("%r2", 2);
  for (const char* p : {"%p0", "%p2", "%p3"}) warp.set_predicate(p, RowLanes(0x10));
  warp.set_predicate("%p1", RowLanes(0b0101));
  warp.run(RowLanes(0xf));
  EXPECT_EQ(warp.predicate("%p0"), RowLanes(0x10 | 0b0001));
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x10 | 0b0111));
  EXPECT_EQ(warp.predicate("%p3"), RowLanes(0x10 | 0b0010));
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0b0111));  // read before it is written
  EXPECT_EQ(warp.lane("%r0", 1), 2u);
  EXPECT_EQ(warp.lane("%r1", 1), 2u);
}

}  // namespace convert_test
}  // namespace warpfork::simt

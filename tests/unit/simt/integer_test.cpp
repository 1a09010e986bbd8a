// Expected values by hand from PTX ISA, "Integer Arithmetic Instructions".
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace integer_test {

TEST(Integer, addition_wraps_and_saturates_only_with_sat) {
  EXPECT_EQ(r0_of("add.s32 %r0, %r1, %r2;", 0x7fffffff, 1), 0x80000000u);
  EXPECT_EQ(r0_of("add.sat.s32 %r0, %r1, %r2;", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(r0_of("sub.sat.s32 %r0, %r1, %r2;", 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(d0_of("sub.u64 %d0, %d1, %d2;", 0, 1), ~std::uint64_t{0});
}

TEST(Integer, products_have_low_high_and_wide_forms) {
  EXPECT_EQ(r0_of("mul.lo.u32 %r0, %r1, %r2;", 0x10001, 0x10001), 0x20001u);
  EXPECT_EQ(r0_of("mul.hi.u32 %r0, %r1, %r2;", 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(r0_of("mul.hi.s32 %r0, %r1, %r2;", 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(d0_of("mul.hi.u64 %d0, %d1, %d2;", ~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{1});
  OneWarp wide("mul.wide.s32 %d0, %r1, -3;\nmad.wide.u32 %d1, %r1, 2, %d0;");
  wide.set("%r1", 0xffffffff);
  wide.run();
  EXPECT_EQ(wide.lane64("%d0", 7), 3u);
  EXPECT_EQ(wide.lane64("%d1", 7), 0x1fffffffeu + 3u);
}

TEST(Integer, multiply_high_and_add_saturates) {
  EXPECT_EQ(r0_of("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x7fffffff, 0x7fffffff, 0x7fffffff), 0x7fffffffu);
  EXPECT_EQ(r0_of("mad.lo.s32 %r0, %r1, %r2, %r3;", 7, 0xffffffff, 5), static_cast<std::uint32_t>(-2));
}

TEST(Integer, twenty_four_bit_products_ignore_the_upper_byte) {
  EXPECT_EQ(r0_of("mul24.lo.u32 %r0, %r1, %r2;", 0xff000003, 5), 15u);
  EXPECT_EQ(r0_of("mul24.hi.s32 %r0, %r1, %r2;", 0x00ffffff, 0x00010000), 0xffffffffu);  // -1 · 65536 >> 16
}

TEST(Integer, division_never_traps) {
  EXPECT_EQ(r0_of("div.u32 %r0, %r1, %r2;", 5, 0), 0xffffffffu);
  EXPECT_EQ(r0_of("div.s32 %r0, %r1, %r2;", 0x80000000, 0xffffffff), 0x80000000u);
  EXPECT_EQ(r0_of("rem.s32 %r0, %r1, %r2;", 0x80000000, 0xffffffff), 0u);
  EXPECT_EQ(r0_of("rem.u32 %r0, %r1, %r2;", 5, 0), 0xffffffffu);
  EXPECT_EQ(r0_of("div.s32 %r0, %r1, %r2;", static_cast<std::uint32_t>(-7), 2), static_cast<std::uint32_t>(-3));
}

TEST(Integer, carry_runs_through_a_chain) {
  OneWarp warp(
      "add.cc.u32 %r0, %r1, 1;\naddc.cc.u32 %r2, %r1, 0;\naddc.u32 %r3, 0, 0;\nsub.cc.u32 %r4, 0, 1;\nsubc.u32 %r5, 0, "
      "0;");
  warp.set("%r1", 0xffffffff);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 0u);
  EXPECT_EQ(warp.lane("%r2"), 0u);
  EXPECT_EQ(warp.lane("%r3"), 1u);
  EXPECT_EQ(warp.lane("%r4"), 0xffffffffu);
  EXPECT_EQ(warp.lane("%r5"), 0xffffffffu);
}

TEST(Integer, bit_fields_are_clipped_at_the_top) {
  EXPECT_EQ(r0_of("bfe.u32 %r0, %r1, %r2, %r3;", 0xf0000000, 28, 8), 0xfu);
  EXPECT_EQ(r0_of("bfe.s32 %r0, %r1, %r2, %r3;", 0x80000000, 40, 4), 0xffffffffu);  // all sign
  EXPECT_EQ(r0_of("bfe.s32 %r0, %r1, %r2, %r3;", 0x00000008, 0, 4), 0xfffffff8u);
  EXPECT_EQ(r0_of("bfi.b32 %r0, %r1, %r2, 28, 8;", 0xff, 0), 0xf0000000u);
}

TEST(Integer, counts_of_bits) {
  EXPECT_EQ(r0_of("popc.b32 %r0, %r1;", 0xf0f0), 8u);
  EXPECT_EQ(r0_of("clz.b32 %r0, %r1;", 0), 32u);
  EXPECT_EQ(r0_of("bfind.s32 %r0, %r1;", 0xffffffff), 0xffffffffu);
  EXPECT_EQ(r0_of("bfind.u32 %r0, %r1;", 0x00010000), 16u);
  EXPECT_EQ(r0_of("bfind.shiftamt.u32 %r0, %r1;", 0x00010000), 15u);
  EXPECT_EQ(r0_of("brev.b32 %r0, %r1;", 1), 0x80000000u);
  EXPECT_EQ(r0_of("fns.b32 %r0, %r1, 4, -2;", 0b0110101), 2u);  // from bit 4 down: 4, then 2
}

TEST(Integer, bytes_are_permuted_and_dotted) {
  EXPECT_EQ(r0_of("prmt.b32 %r0, %r1, %r2, 0x7531;", 0x44332211, 0x88776655), 0x88664422u);
  EXPECT_EQ(r0_of("prmt.b32 %r0, %r1, %r2, 0x000b;", 0x80000000, 0), 0x000000ffu);        // sign of byte 3, then byte 0
  EXPECT_EQ(r0_of("prmt.b32.ecl %r0, %r1, %r2, 2;", 0x44332211, 0), 0x44333333u);         // bytes 3, 2, 2, 2
  EXPECT_EQ(r0_of("dp4a.s32.s32 %r0, %r1, %r2, %r3;", 0xff010203, 0x01010101, 10), 15u);  // -1+1+2+3
  EXPECT_EQ(r0_of("dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", 0x00020003, 0x05040000, 1), 1u + 3 * 4 + 2 * 5);
}

TEST(Integer, sixteen_bit_arithmetic_wraps_at_sixteen_bits) {
  OneWarp warp(
      "mov.b16 %h1, 0xffff;\nadd.u16 %h0, %h1, %h1;\nmul.lo.u16 %h2, %h1, %h1;\nmul.wide.s16 %r0, %h1, "
      "%h1;\ncvt.u32.u16 %r1, %h0;\ncvt.u32.u16 %r2, %h2;");
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 1u);
  EXPECT_EQ(warp.lane("%r1"), 0xfffeu);
  EXPECT_EQ(warp.lane("%r2"), 1u);
}

TEST(Integer, partial_mask_leaves_the_other_lanes_alone) {
  OneWarp warp("add.u32 %r0, %r0, 1;\nadd.u64 %d0, %d0, 1;\ndiv.u32 %r1, %r1, 2;");
  warp.set("%r0", 10);
  warp.set("%r1", 10);
  warp.set64("%d0", 10);
  warp.run(RowLanes(0x80000005));
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool active = RowLanes(0x80000005).contains(lane);
    EXPECT_EQ(warp.lane("%r0", lane), active ? 11u : 10u);
    EXPECT_EQ(warp.lane64("%d0", lane), active ? 11u : 10u);
    EXPECT_EQ(warp.lane("%r1", lane), active ? 5u : 10u);
  }
}

}  // namespace integer_test
}  // namespace warpfork::simt

// The reference's integer instructions; expected values by hand from the PTX ISA's text and pseudo-code.
#include <gtest/gtest.h>

#include "reference_harness/harness.h"

namespace warpfork::reference {
namespace integer_test {

TEST(ReferenceInteger, addition_wraps_and_saturates_only_when_asked) {
  EXPECT_EQ(r0_after("add.s32 %r0, %r1, %r2;", {0x7fffffff, 1}), 0x80000000u);
  EXPECT_EQ(r0_after("add.sat.s32 %r0, %r1, %r2;", {0x7fffffff, 1}), 0x7fffffffu);
  EXPECT_EQ(r0_after("sub.sat.s32 %r0, %r1, %r2;", {0x80000000, 1}), 0x80000000u);
  EXPECT_EQ(d0_after("add.u64 %d0, %d1, %d2;", {~0ull, 2}), 1u);
}

TEST(ReferenceInteger, multiplication_keeps_the_half_that_is_named) {
  EXPECT_EQ(r0_after("mul.lo.s32 %r0, %r1, %r2;", {0x10000, 0x10001}), 0x10000u);
  EXPECT_EQ(r0_after("mul.hi.u32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}), 0xfffffffeu);
  EXPECT_EQ(r0_after("mul.hi.s32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}), 0u);
  EXPECT_EQ(d0_after("mul.hi.u64 %d0, %d1, %d2;", {~0ull, ~0ull}), ~0ull - 1);
  EXPECT_EQ(d0_after("mul.hi.s64 %d0, %d1, %d2;", {~0ull, 5}), ~0ull);  // −1 · 5 = −5: all sign above
}

TEST(ReferenceInteger, wide_multiplication_keeps_the_sign) {
  ThreadRegisters before;
  before.r[1] = 0xffffffff;
  before.r[2] = 3;
  EXPECT_EQ(after("mul.wide.s32 %d0, %r1, %r2;", before).d[0], static_cast<std::uint64_t>(-3));
  EXPECT_EQ(after("mul.wide.u32 %d0, %r1, %r2;", before).d[0], 0x2fffffffdu);
  before.h[1] = 0xffff;
  EXPECT_EQ(after("mul.wide.s16 %r0, %h1, %h1;", before).r[0], 1u);
  EXPECT_EQ(after("mul.wide.u16 %r0, %h1, %h1;", before).r[0], 0xfffe0001u);
}

TEST(ReferenceInteger, multiply_add_high_saturates) {
  // 2^30 · 4 = 2^32, high half 1; 1 + (2^31 − 1) is beyond the range
  EXPECT_EQ(r0_after("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", {0x40000000, 4, 0x7fffffff}), 0x7fffffffu);
  EXPECT_EQ(r0_after("mad.lo.s32 %r0, %r1, %r2, %r3;", {7, 6, 5}), 47u);
}

TEST(ReferenceInteger, mul24_takes_24_bits_of_each_operand) {
  EXPECT_EQ(r0_after("mul24.lo.u32 %r0, %r1, %r2;", {0xff000002, 0xff000003}), 6u);
  EXPECT_EQ(r0_after("mul24.lo.s32 %r0, %r1, %r2;", {0x00ffffff, 2}), 0xfffffffeu);
  EXPECT_EQ(r0_after("mul24.hi.u32 %r0, %r1, %r2;", {0x00ffffff, 0x00ffffff}), 0xfffffe00u);  // 0xfffffe000001 >> 16
  EXPECT_EQ(r0_after("mad24.lo.s32 %r0, %r1, %r2, %r3;", {0x00ffffff, 2, 5}), 3u);
}

TEST(ReferenceInteger, division_by_zero_and_of_the_lowest_number_have_fixed_results) {
  EXPECT_EQ(r0_after("div.u32 %r0, %r1, %r2;", {7, 0}), 0xffffffffu);
  EXPECT_EQ(r0_after("div.s32 %r0, %r1, %r2;", {7, 0}), 0xffffffffu);
  EXPECT_EQ(r0_after("rem.u32 %r0, %r1, %r2;", {7, 0}), 0xffffffffu);
  EXPECT_EQ(r0_after("div.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(r0_after("rem.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(d0_after("div.u64 %d0, %d1, %d2;", {7, 0}), ~0ull);
}

TEST(ReferenceInteger, division_truncates_and_the_remainder_has_the_sign_of_the_dividend) {
  EXPECT_EQ(r0_after("div.s32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-7), 2}), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(r0_after("rem.s32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-7), 2}), static_cast<std::uint32_t>(-1));
}

TEST(ReferenceInteger, carry_runs_through_a_chain) {
  ThreadRegisters before;
  before.r = {0, 0xffffffff, 0xffffffff, 1, 0, 0, 0, 0};  // (r2:r1) + (0:r3)
  const ThreadRegisters sum =
      after("add.cc.u32 %r4, %r1, %r3;\n addc.cc.u32 %r5, %r2, 0;\n addc.u32 %r6, 0, 0;", before);
  EXPECT_EQ(sum.r[4], 0u);
  EXPECT_EQ(sum.r[5], 0u);
  EXPECT_EQ(sum.r[6], 1u);
}

TEST(ReferenceInteger, borrow_runs_through_a_chain) {
  ThreadRegisters before;
  before.r = {0, 0, 5, 1, 0, 0, 0, 0};  // (5:0) − (0:1) = (4:ffffffff)
  const ThreadRegisters rest = after("sub.cc.u32 %r4, %r1, %r3;\n subc.u32 %r5, %r2, 0;", before);
  EXPECT_EQ(rest.r[4], 0xffffffffu);
  EXPECT_EQ(rest.r[5], 4u);
}

// simt/lanes/carry.cpp says where this is from.
TEST(ReferenceInteger, flag_after_a_subtraction_is_set_where_there_is_no_borrow) {
  ThreadRegisters before;
  before.r = {0, 1, 2, 0, 0, 0, 0, 0};
  EXPECT_EQ(after("sub.cc.u32 %r3, %r1, %r2;\n addc.u32 %r4, 0, 0;", before).r[4], 0u);
  EXPECT_EQ(after("sub.cc.u32 %r3, %r2, %r1;\n addc.u32 %r4, 0, 0;", before).r[4], 1u);
  EXPECT_EQ(after("add.cc.u32 %r3, %r2, %r1;\n subc.u32 %r4, 0, 0;", before).r[4], 0xffffffffu);
}

TEST(ReferenceInteger, multiply_add_with_carry_builds_a_wide_product) {
  ThreadRegisters before;
  before.r = {0, 0xffffffff, 0xffffffff, 0, 0, 0, 0, 0};  // 0xffffffff² + 0xffffffff = 0xffffffff·2^32
  const ThreadRegisters product = after("mad.lo.cc.u32 %r4, %r1, %r2, %r1;\n madc.hi.u32 %r5, %r1, %r2, 0;", before);
  EXPECT_EQ(product.r[4], 0u);
  EXPECT_EQ(product.r[5], 0xffffffffu);
}

TEST(ReferenceInteger, sums_of_differences_and_magnitudes) {
  EXPECT_EQ(r0_after("sad.u32 %r0, %r1, %r2, %r3;", {3, 10, 100}), 107u);
  EXPECT_EQ(r0_after("sad.s32 %r0, %r1, %r2, %r3;", {static_cast<std::uint32_t>(-3), 4, 1}), 8u);
  EXPECT_EQ(r0_after("abs.s32 %r0, %r1;", {0x80000000}), 0x80000000u);
  EXPECT_EQ(r0_after("neg.s32 %r0, %r1;", {5}), static_cast<std::uint32_t>(-5));
  EXPECT_EQ(r0_after("min.s32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-1), 1}), 0xffffffffu);
  EXPECT_EQ(r0_after("min.u32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-1), 1}), 1u);
}

TEST(ReferenceInteger, dot_products_take_bytes_with_their_own_signs) {
  EXPECT_EQ(r0_after("dp4a.u32.u32 %r0, %r1, %r2, %r3;", {0x01020304, 0x01010101, 10}), 20u);
  EXPECT_EQ(r0_after("dp4a.s32.u32 %r0, %r1, %r2, %r3;", {0xffffffff, 0x01020304, 0}), static_cast<std::uint32_t>(-10));
  EXPECT_EQ(r0_after("dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", {0x00020003, 0x07060504, 0}), 3u * 4 + 2 * 5);
  EXPECT_EQ(r0_after("dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", {0x00020003, 0x07060504, 0}), 3u * 6 + 2 * 7);
}

TEST(ReferenceInteger, packed_halves_are_added_apart) {
  EXPECT_EQ(r0_after("add.u16x2 %r0, %r1, %r2;", {0x0001ffff, 0x00010001}), 0x00020000u);
  EXPECT_EQ(r0_after("max.s16x2 %r0, %r1, %r2;", {0x8000ffff, 0x00010000}), 0x00010000u);
}

TEST(ReferenceBits, shifts_clamp_at_the_width) {
  EXPECT_EQ(r0_after("shl.b32 %r0, %r1, %r2;", {1, 32}), 0u);
  EXPECT_EQ(r0_after("shl.b32 %r0, %r1, %r2;", {1, 31}), 0x80000000u);
  EXPECT_EQ(r0_after("shr.s32 %r0, %r1, %r2;", {0x80000000, 400}), 0xffffffffu);
  EXPECT_EQ(r0_after("shr.u32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}), 0u);
}

TEST(ReferenceBits, funnel_shifts_clamp_or_wrap) {
  EXPECT_EQ(r0_after("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", {0x80000001, 0x00000002, 4}), 0x00000028u);
  EXPECT_EQ(r0_after("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", {0x80000001, 0x00000002, 40}), 0x80000001u);
  EXPECT_EQ(r0_after("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {0x80000001, 0x00000002, 32}), 0x00000002u);
  EXPECT_EQ(r0_after("shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {0x80000001, 0x00000002, 33}), 0x00000002u);
  EXPECT_EQ(r0_after("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", {0x80000001, 0x00000002, 1}), 0x40000000u);
}

TEST(ReferenceBits, lop3_reads_its_table_by_a_b_c) {
  EXPECT_EQ(r0_after("lop3.b32 %r0, %r1, %r2, %r3, 0x80;", {0xf0, 0xcc, 0xaa}), 0x80u);  // a & b & c
  EXPECT_EQ(r0_after("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {0xf0, 0xcc, 0xaa}), 0x96u);  // a ^ b ^ c
  EXPECT_EQ(r0_after("lop3.b32 %r0, %r1, %r2, %r3, 0x1a;", {0xf0, 0xcc, 0xaa}), 0x1au);
}

TEST(ReferenceBits, lop3_with_a_predicate_combines_it_with_result_not_zero) {
  ThreadRegisters before;
  before.r = {0, 0xf0, 0x0c, 0, 0, 0, 0, 0};  // a & b = 0 (0xc0), a | b = 0xfc (0xfc)
  before.p = {false, true, false, false};
  const auto p0_after = [&](const char* body) { return after(body, before).p[0]; };
  EXPECT_FALSE(p0_after("lop3.and.b32 %r0|%p0, %r1, %r2, 0, 0xc0, %p1;"));
  EXPECT_TRUE(p0_after("lop3.and.b32 %r0|%p0, %r1, %r2, 0, 0xfc, %p1;"));
  EXPECT_FALSE(p0_after("lop3.and.b32 %r0|%p0, %r1, %r2, 0, 0xfc, !%p1;"));
  EXPECT_FALSE(p0_after("lop3.or.b32 %r0|%p0, %r1, %r2, 0, 0xc0, %p2;"));
  EXPECT_TRUE(p0_after("lop3.or.b32 %r0|%p0, %r1, %r2, 0, 0xc0, !%p2;"));
  EXPECT_TRUE(p0_after("lop3.or.b32 _|%p0, %r1, %r2, 0, 0xfc, %p2;"));
}

TEST(ReferenceBits, bit_fields_are_extracted_with_their_sign) {
  EXPECT_EQ(r0_after("bfe.u32 %r0, %r1, %r2, %r3;", {0x12345678, 8, 8}), 0x56u);
  EXPECT_EQ(r0_after("bfe.s32 %r0, %r1, %r2, %r3;", {0x0000ff00, 8, 8}), 0xffffffffu);
  EXPECT_EQ(r0_after("bfe.s32 %r0, %r1, %r2, %r3;", {0x80000000, 40, 4}), 0xffffffffu);  // beyond: the top bit's sign
  EXPECT_EQ(r0_after("bfe.u32 %r0, %r1, %r2, %r3;", {0xffffffff, 28, 8}), 0xfu);
  EXPECT_EQ(r0_after("bfe.s32 %r0, %r1, %r2, %r3;", {0xffffffff, 3, 0}), 0u);
}

TEST(ReferenceBits, bit_fields_are_inserted_up_to_the_top) {
  EXPECT_EQ(r0_after("bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xab, 0xffffffff, 8, 8}), 0xffffabffu);
  EXPECT_EQ(r0_after("bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xff, 0, 28, 8}), 0xf0000000u);
  EXPECT_EQ(r0_after("bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xff, 0x1234, 32, 8}), 0x1234u);
}

TEST(ReferenceBits, counting_and_finding) {
  EXPECT_EQ(r0_after("popc.b32 %r0, %r1;", {0xf00f}), 8u);
  EXPECT_EQ(r0_after("clz.b32 %r0, %r1;", {0}), 32u);
  EXPECT_EQ(r0_after("bfind.u32 %r0, %r1;", {0}), 0xffffffffu);
  EXPECT_EQ(r0_after("bfind.s32 %r0, %r1;", {0xfffffffe}), 0u);
  EXPECT_EQ(r0_after("bfind.shiftamt.u32 %r0, %r1;", {0x00010000}), 15u);
  EXPECT_EQ(r0_after("brev.b32 %r0, %r1;", {0x00000003}), 0xc0000000u);
  EXPECT_EQ(r0_after("cnot.b32 %r0, %r1;", {0}), 1u);
}

TEST(ReferenceBits, fns_counts_set_bits_from_its_base) {
  EXPECT_EQ(r0_after("fns.b32 %r0, %r1, %r2, %r3;", {0xb5, 2, 1}), 2u);  // 1011'0101: bits 0 2 4 5 7
  EXPECT_EQ(r0_after("fns.b32 %r0, %r1, %r2, %r3;", {0xb5, 3, 2}), 5u);
  EXPECT_EQ(r0_after("fns.b32 %r0, %r1, %r2, %r3;", {0xb5, 3, 0xffffffff}), 2u);
  EXPECT_EQ(r0_after("fns.b32 %r0, %r1, %r2, %r3;", {0xb5, 3, 0}), 0xffffffffu);
}

TEST(ReferenceBits, masks_and_extensions_clamp_or_wrap) {
  EXPECT_EQ(r0_after("bmsk.wrap.b32 %r0, %r1, %r2;", {1, 2}), 6u);  // the ISA's example
  EXPECT_EQ(r0_after("bmsk.clamp.b32 %r0, %r1, %r2;", {4, 40}), 0xfffffff0u);
  EXPECT_EQ(r0_after("bmsk.wrap.b32 %r0, %r1, %r2;", {36, 33}), 0x10u);
  EXPECT_EQ(r0_after("szext.clamp.s32 %r0, %r1, %r2;", {0x0000000c, 4}), 0xfffffffcu);
  EXPECT_EQ(r0_after("szext.wrap.u32 %r0, %r1, %r2;", {0xffffffff, 0}), 0u);  // the ISA's example
  EXPECT_EQ(r0_after("szext.wrap.s32 %r0, %r1, %r2;", {0x1f, 36}), 0xffffffffu);
}

TEST(ReferenceBits, permutes_bytes_by_selector_and_by_mode) {
  EXPECT_EQ(r0_after("prmt.b32 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 0x7610}), 0x77661100u);
  EXPECT_EQ(r0_after("prmt.b32 %r0, %r1, %r2, %r3;", {0x00800000, 0, 0x000a}), 0x000000ffu);  // sign of byte 2
  EXPECT_EQ(r0_after("prmt.b32.f4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}), 0x44332211u);
  EXPECT_EQ(r0_after("prmt.b32.b4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}), 0x66770011u);
  EXPECT_EQ(r0_after("prmt.b32.ecl %r0, %r1, %r2, %r3;", {0x33221100, 0, 2}), 0x33222222u);
  EXPECT_EQ(r0_after("prmt.b32.ecr %r0, %r1, %r2, %r3;", {0x33221100, 0, 1}), 0x11111100u);
  EXPECT_EQ(r0_after("prmt.b32.rc16 %r0, %r1, %r2, %r3;", {0x33221100, 0, 1}), 0x33223322u);
}

}  // namespace integer_test
}  // namespace warpfork::reference

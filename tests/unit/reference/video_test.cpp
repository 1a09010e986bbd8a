// The reference's video instructions; expected values by hand from the PTX ISA's text and pseudo-code.
#include <gtest/gtest.h>

#include "reference_harness/harness.h"

namespace warpfork::reference {
namespace video_test {

TEST(ReferenceVideo, parts_of_sources_are_extended_as_their_types_say) {
  EXPECT_EQ(r0_after("vadd.s32.u32.s32 %r0, %r1.b0, %r2.h0;", {0x123456ff, 0x1234ffff}), 254u);  // 255 and −1
  EXPECT_EQ(r0_after("vsub.s32.s32.u32 %r0, %r1.b3, %r2.b3;", {0x80000000, 0x80000000}), 0xffffff00u);
  EXPECT_EQ(r0_after("vmax.u32.s32.u32 %r0, %r1, %r2;", {0xffffffff, 5}), 5u);
  EXPECT_EQ(r0_after("vmin.s32.s32.s32 %r0, %r1.h1, %r2.h0;", {0x80000000, 3}), 0xffff8000u);
}

TEST(ReferenceVideo, saturation_is_to_the_type_of_the_result_and_to_the_part_that_is_written) {
  EXPECT_EQ(r0_after("vadd.s32.u32.u32.sat %r0, %r1, %r2;", {0xffffffff, 2}), 0x7fffffffu);
  EXPECT_EQ(r0_after("vsub.u32.u32.u32.sat %r0, %r1, %r2;", {1, 2}), 0u);
  EXPECT_EQ(r0_after("vadd.u32.u32.u32.sat %r0.b1, %r1, %r2, %r3;", {0xf0, 0x20, 0x11223344}), 0x1122ff44u);
  EXPECT_EQ(r0_after("vadd.u32.u32.u32 %r0.b1, %r1, %r2, %r3;", {0xf0, 0x20, 0x11223344}), 0x11221044u);
  EXPECT_EQ(r0_after("vabsdiff.s32.s32.s32.sat %r0.h1, %r1, %r2, %r3;", {0x80000000, 0, 0x11223344}), 0x7fff3344u);
}

TEST(ReferenceVideo, a_second_operation_takes_the_third_source_with_the_sign_of_the_result) {
  EXPECT_EQ(r0_after("vadd.u32.u32.u32.add %r0, %r1, %r2, %r3;", {1, 2, 10}), 13u);
  EXPECT_EQ(r0_after("vmax.u32.u32.u32.min %r0, %r1, %r2, %r3;", {3, 9, 0xffffffff}), 9u);
  EXPECT_EQ(r0_after("vmax.s32.u32.u32.min %r0, %r1, %r2, %r3;", {3, 9, 0xffffffff}), 0xffffffffu);
  EXPECT_EQ(r0_after("vmin.s32.s32.s32.max %r0, %r1, %r2, %r3;", {5, 0xfffffffd, 0xfffffff9}), 0xfffffffdu);
}

TEST(ReferenceVideo, shifts_clamp_or_wrap_their_amount) {
  EXPECT_EQ(r0_after("vshl.u32.u32.u32.clamp %r0, %r1, %r2;", {3, 33}), 0u);
  EXPECT_EQ(r0_after("vshl.u32.u32.u32.wrap %r0, %r1, %r2;", {3, 33}), 6u);
  EXPECT_EQ(r0_after("vshl.s32.s32.u32.sat.clamp %r0, %r1, %r2;", {0xffffffff, 32}), 0x80000000u);
  EXPECT_EQ(r0_after("vshr.s32.s32.u32.clamp %r0, %r1, %r2;", {0x80000000, 40}), 0xffffffffu);
  EXPECT_EQ(r0_after("vshr.u32.u32.u32.clamp %r0, %r1, %r2;", {0x80000000, 32}), 0u);
}

TEST(ReferenceVideo, a_comparison_is_one_or_zero) {
  EXPECT_EQ(r0_after("vset.s32.u32.lt %r0, %r1, %r2;", {0xffffffff, 0xffffffff}), 1u);
  EXPECT_EQ(r0_after("vset.u32.u32.lt %r0, %r1, %r2;", {0xffffffff, 0xffffffff}), 0u);
  EXPECT_EQ(r0_after("vset.u32.u32.eq %r0.h1, %r1, %r2, %r3;", {5, 5, 0xaaaabbbb}), 0x0001bbbbu);
  EXPECT_EQ(r0_after("vset4.u32.u32.gt %r0, %r1, %r2, %r3;", {0x01f2f304, 0x0120f305, 0}), 0x00010000u);
  EXPECT_EQ(r0_after("vset2.s32.s32.ne.add %r0, %r1, %r2, %r3;", {0x00010002, 0x00020003, 7}), 9u);
}

TEST(ReferenceVideo, products_are_negated_scaled_and_saturated) {
  EXPECT_EQ(r0_after("vmad.u32.u32.u32 %r0, %r1.b0, %r2.b1, %r3;", {0x103, 0x0500, 7}), 22u);
  EXPECT_EQ(r0_after("vmad.s32.u32.u32 %r0, -%r1, %r2, %r3;", {3, 5, 7}), 0xfffffff8u);
  EXPECT_EQ(r0_after("vmad.u32.u32.u32.po.shr7 %r0, %r1, %r2, %r3;", {1, 0x7f, 0}), 1u);
  EXPECT_EQ(r0_after("vmad.s32.s32.s32.shr15 %r0, %r1, %r2, %r3;", {0xffffffff, 1, 0}), 0xffffffffu);
  EXPECT_EQ(r0_after("vmad.u32.u32.u32.sat %r0, %r1, %r2, %r3;", {0xffffffff, 0xffffffff, 9}), 0xffffffffu);
  EXPECT_EQ(r0_after("vmad.s32.u32.u32.sat %r0, %r1, %r2, -%r3;", {5, 6, 0x80000001}), 0x8000001du);
}

TEST(ReferenceVideo, parts_side_by_side_are_computed_each_for_itself) {
  EXPECT_EQ(r0_after("vadd4.u32.u32.u32.sat %r0, %r1, %r2, %r3;", {0x01f2f304, 0x0120f305, 0}), 0x02ffff09u);
  EXPECT_EQ(r0_after("vsub4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", {0x807f0005, 0x01ff0006, 0}), 0x807f00ffu);
  EXPECT_EQ(r0_after("vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", {0xffff0001, 0xfffefffe, 0}), 0xfffeffffu);
  EXPECT_EQ(r0_after("vmin4.u32.u32.u32 %r0, %r1, %r2, %r3;", {0x80ff017f, 0x7f000280, 0}), 0x7f00017fu);
}

TEST(ReferenceVideo, parts_are_chosen_from_both_sources_and_written_where_the_mask_says) {
  EXPECT_EQ(r0_after("vadd4.u32.u32.u32 %r0, %r1.b7210, %r2.b1111, %r3;", {0x44332211, 0x88776655, 0}), 0xaa554433u);
  EXPECT_EQ(r0_after("vadd4.u32.u32.u32 %r0.b20, %r1, %r2, %r3;", {0x01010101, 0x02020202, 0xaabbccdd}), 0xaa03cc03u);
  EXPECT_EQ(r0_after("vsub2.u32.u32.u32 %r0, %r1.h31, %r2.h02, %r3;", {0x22221111, 0x44443333, 0}), 0x3333eeefu);
}

TEST(ReferenceVideo, what_is_added_up_is_not_cut_to_the_parts) {
  EXPECT_EQ(r0_after("vadd4.u32.u32.u32.add %r0, %r1, %r2, %r3;", {0xff000001, 0xff000002, 7}), 520u);
  EXPECT_EQ(r0_after("vsub2.u32.u32.u32.add %r0.h1, %r1, %r2, %r3;", {0x00010005, 0x00030001, 100}), 98u);
}

}  // namespace video_test
}  // namespace warpfork::reference

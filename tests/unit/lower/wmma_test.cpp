// What wmma instructions become (PTX ISA, "wmma"). Lane 4·g + t has line g and places from step·t on. That it is right,
// the differential tests of simt say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace wmma_test {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Wmma, lanes_load_pairs_of_their_lines) {
  EXPECT_THAT(
      lowered_lines("wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%r0, %r1, %r2, %r3}, [%rd1], %r7;\nret;"),
      ElementsAre("mov.u32 %lane40, %laneid;", "shr.u32 %part41, %lane40, 2;", "and.b32 %part42, %lane40, 3;",
                  "mul.lo.u32 %part43, %part42, 2;", "mad.lo.u32 %part44, %part41, %r7, %part43;",
                  "mad.wide.u32 %address45, %part44, 2, %rd1;", "ld.global.b32 %r0, [%address45];",
                  "mad.wide.u32 %address46, %r7, 16, %address45;", "ld.global.b32 %r1, [%address46];",
                  "ld.global.b32 %r2, [%address45+16];", "ld.global.b32 %r3, [%address46+16];", "ret;"));
}

TEST(Wmma, a_stride_outlives_the_load_that_overwrites_its_register) {
  const std::string load = "wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%r7, %r1, %r2, %r3}, [%rd1], ";
  EXPECT_THAT(lowered_lines(load + "%r7;\nret;"), Contains("mov.u32 %stride40, %r7;"));
  EXPECT_THAT(lowered_lines(load + "%r7;\nret;"), Contains("mad.wide.u32 %address47, %stride40, 16, %address46;"));
  EXPECT_THAT(lowered_lines(load + "%r6;\nret;"), Not(Contains(HasSubstr("%stride"))));
}

// B by row: a column's elements lie a stride of 16 apart, which is that of the shape; line g is a column.
TEST(Wmma, elements_that_lie_apart_are_put_together) {
  EXPECT_THAT(
      lowered_lines("@%p1 wmma.load.b.sync.aligned.row.m16n16k16.shared.s8 {%r0, %r1}, [%r7+4];\nret;"),
      ElementsAre("mov.u32 %lane40, %laneid;", "shr.u32 %part41, %lane40, 2;", "and.b32 %part42, %lane40, 3;",
                  "mul.lo.u32 %part43, %part42, 4;", "mad.lo.u32 %part44, %part43, 16, %part41;",
                  "mad.lo.u32 %address45, %part44, 1, %r7;", "@%p1 ld.shared.u8 %element46, [%address45+4];",
                  "@%p1 ld.shared.u8 %element47, [%address45+20];", "@%p1 ld.shared.u8 %element48, [%address45+36];",
                  "@%p1 ld.shared.u8 %element49, [%address45+52];", "prmt.b32 %element50, %element46, %element47, 64;",
                  "prmt.b32 %element51, %element48, %element49, 64;",
                  "@%p1 prmt.b32 %r0, %element50, %element51, 21520;", "@%p1 ld.shared.u8 %element52, [%address45+12];",
                  "@%p1 ld.shared.u8 %element53, [%address45+28];", "@%p1 ld.shared.u8 %element54, [%address45+44];",
                  "@%p1 ld.shared.u8 %element55, [%address45+60];", "prmt.b32 %element56, %element52, %element53, 64;",
                  "prmt.b32 %element57, %element54, %element55, 64;",
                  "@%p1 prmt.b32 %r1, %element56, %element57, 21520;", "ret;"));
}

TEST(Wmma, sums_are_stored_two_by_two_where_they_lie_side_by_side) {
  const std::string store =
      "wmma.store.d.sync.aligned.row.m32n8k16.f32 [%rd1], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 10;";
  const std::vector<std::string> lines = lowered_lines(store + "\nret;");
  EXPECT_THAT(
      std::vector(lines.end() - 5, lines.end()),
      ElementsAre("st.v2.b32 [%address45], {%f0, %f1};", "st.v2.b32 [%address45+320], {%f2, %f3};",
                  "st.v2.b32 [%address45+640], {%f4, %f5};", "st.v2.b32 [%address45+960], {%f6, %f7};", "ret;"));
}

TEST(Wmma, halves_of_sums_are_stored_one_by_one_where_they_lie_apart) {
  const std::vector<std::string> lines =
      lowered_lines("wmma.store.d.sync.aligned.row.m8n32k16.global.f16 [%rd1], {%r0, %r1, %r2, %r3}, 32;\nret;");
  EXPECT_THAT(std::vector(lines.begin() + 4, lines.begin() + 12),
              ElementsAre("mad.lo.u32 %part44, %part43, 32, %part41;", "mad.wide.u32 %address45, %part44, 2, %rd1;",
                          "shr.u32 %part46, %r0, 16;", "st.global.u16 [%address45], %r0;",
                          "st.global.u16 [%address45+64], %part46;", "shr.u32 %part47, %r1, 16;",
                          "st.global.u16 [%address45+16], %r1;", "st.global.u16 [%address45+80], %part47;"));
}

TEST(Wmma, products_are_two_beside_or_below_one_another) {
  const std::string c = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}", one = "{%r0, %r1, %r2, %r3}";
  EXPECT_THAT(lowered_lines("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 " + c + ", " + one +
                            ", {%r4, %r5, %r6, %r7}, " + c + ";\nret;"),
              ElementsAre("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, " + one +
                              ", {%r4, %r5}, {%f0, %f1, %f2, %f3};",
                          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f4, %f5, %f6, %f7}, " + one +
                              ", {%r6, %r7}, {%f4, %f5, %f6, %f7};",
                          "ret;"));
  EXPECT_EQ(lowered_lines("wmma.mma.sync.aligned.row.col.m8n32k16.satfinite.s32.s8.s8.s32 " + c + ", {%r0}, " +
                          "{%r4, %r5, %r6, %r7}, " + c + ";\nret;")[1],
            "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%f4, %f5, %f6, %f7}, {%r6, %r7}, {%r0}, "
            "{%f4, %f5, %f6, %f7};");
}

TEST(Wmma, what_a_later_product_reads_is_written_behind_it) {
  const std::string eight = "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}";
  const std::vector<std::string> lines = lowered_lines(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 "
      "{%r2, %r5, %r6, %r7}, " +
      eight + ", " + eight + ", {%r0, %r0, %r5, %r1};\nret;");
  EXPECT_THAT(lines[0], HasSubstr(" {%sum40, %sum41}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r0};"));
  EXPECT_THAT(lines[1], HasSubstr(" {%r6, %r7}, {%r0, %r1, %r2, %r3}, {%r2, %r3}, {%r5, %r1};"));
  EXPECT_EQ(lines[2], "mov.b32 %r2, %sum40;");
  EXPECT_EQ(lines[3], "mov.b32 %r5, %sum41;");
}

TEST(Wmma, spare_registers_of_halves_are_zero_if_anybody_looks) {
  const std::string load =
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd1];\n";
  EXPECT_THAT(lowered_lines(load + "ret;"), Not(Contains(HasSubstr("mov.b32"))));
  EXPECT_THAT(lowered_lines(load + "st.global.u32 [%rd1], %r5;\nret;"), Contains("mov.b32 %r5, 0;"));
}

TEST(Wmma, what_we_do_not_know_is_left) {
  for (const std::string line :
       {"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%rd1];",
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite {%r0}, {%r1}, {%r2}, {%r3};"})
    EXPECT_THAT(lowered_lines(line + "\nret;")[0], HasSubstr("wmma."));
}

}  // namespace wmma_test
}  // namespace warpfork::lower

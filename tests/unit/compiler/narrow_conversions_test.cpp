#include "compiler/narrow_conversions.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace narrow_conversions_test {

TEST(NarrowConversions, go_by_way_of_32_bits) {
  EXPECT_EQ(with_wide_conversions("\tcvt.rzi.u16.f32 \t%rs1, %f1;\n\tst.global.u8 \t[%rd1], %rs1;\n"),
            "\t{ .reg .b32 %wide; cvt.rzi.u32.f32 %wide, %f1; cvt.u16.u32 %rs1, %wide; }\n"
            "\tst.global.u8 \t[%rd1], %rs1;\n");
  EXPECT_EQ(with_wide_conversions("cvt.rzi.s16.f64 \t%rs2, %fd1;"),
            "{ .reg .b32 %wide; cvt.rzi.s32.f64 %wide, %fd1; cvt.u16.u32 %rs2, %wide; }");
  EXPECT_EQ(with_wide_conversions("cvt.rzi.ftz.s16.f32 \t%rs2, %f1;"),
            "{ .reg .b32 %wide; cvt.rzi.ftz.s32.f32 %wide, %f1; cvt.u16.u32 %rs2, %wide; }");
}

TEST(NarrowConversions, of_other_kinds_stay) {
  for (const char* line :
       {"cvt.rzi.u32.f32 %r1, %f1;\n", "cvt.rni.u16.f32 %rs1, %f1;\n", "cvt.u16.u32 %rs1, %r1;\n",
        "cvt.rzi.u16.f16 %rs1, %h1;\n", "", "\n", "// begin inline asm\ncvt.rzi.u16.f32 %rs1, %f1;\n"})
    EXPECT_EQ(with_wide_conversions(line), line);
}

}  // namespace narrow_conversions_test
}  // namespace warpfork::compiler

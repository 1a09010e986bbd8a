#include "compiler/narrow_conversions.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace narrow_conversions_test {

// The LLVM language reference: "fptoui", "fptosi", "llvm.fptoui.sat.*", "freeze".
TEST(NarrowConversions, go_by_way_of_32_bits) {
  EXPECT_EQ(with_wide_conversions("  %3 = fptoui float %2 to i8, !dbg !7\n  ret void\n"),
            "  %warpfork.wide1 = fptoui float %2 to i32, !dbg !7\n"
            "  %warpfork.set1 = freeze i32 %warpfork.wide1, !dbg !7\n"
            "  %3 = trunc i32 %warpfork.set1 to i8, !dbg !7\n"
            "  ret void\n");
  EXPECT_EQ(with_wide_conversions("  %3 = call i16 @llvm.fptosi.sat.i16.f16(half %2) #4"),
            "  %warpfork.wide1 = fptosi half %2 to i32\n"
            "  %warpfork.set1 = freeze i32 %warpfork.wide1\n"
            "  %3 = trunc i32 %warpfork.set1 to i16");
}

TEST(NarrowConversions, of_vectors_likewise) {
  EXPECT_EQ(with_wide_conversions("  %x = fptosi <4 x double> %y to <4 x i8>\n"),
            "  %warpfork.wide1 = fptosi <4 x double> %y to <4 x i32>\n"
            "  %warpfork.set1 = freeze <4 x i32> %warpfork.wide1\n"
            "  %x = trunc <4 x i32> %warpfork.set1 to <4 x i8>\n");
}

TEST(NarrowConversions, of_literals_are_the_nearest_of_32_bits) {
  EXPECT_EQ(with_wide_conversions("  %3 = call i8 @llvm.fptoui.sat.i8.f32(float 3.000000e+02), !dbg !7\n"),
            "  %warpfork.wide1 = call i32 @llvm.fptoui.sat.i32.f32(float 3.000000e+02), !dbg !7\n"
            "  %warpfork.set1 = freeze i32 %warpfork.wide1, !dbg !7\n"
            "  %3 = trunc i32 %warpfork.set1 to i8, !dbg !7\n"
            "declare i32 @llvm.fptoui.sat.i32.f32(float)\n");
  const std::string declaration = "declare i32 @llvm.fptosi.sat.i32.f64(double) #3\n";
  EXPECT_EQ(with_wide_conversions(declaration + "%3 = call i16 @llvm.fptosi.sat.i16.f64(double 1.0)\n"),
            declaration +
                "  %warpfork.wide1 = call i32 @llvm.fptosi.sat.i32.f64(double 1.0)\n"
                "  %warpfork.set1 = freeze i32 %warpfork.wide1\n"
                "%3 = trunc i32 %warpfork.set1 to i16\n");
}

TEST(NarrowConversions, of_32_bits_and_more_are_instructions_unless_of_literals) {
  EXPECT_EQ(with_wide_conversions("  %3 = tail call i64 @llvm.fptosi.sat.i64.f64(double %2), !dbg !7\n"),
            "  %3 = fptosi double %2 to i64, !dbg !7\n");
  for (const char* line :
       {"  %3 = call i32 @llvm.fptoui.sat.i32.f32(float -1.000000e+00)\n", "  %3 = fptoui float %2 to i32, !dbg !7\n",
        "  %3 = call i8 @f(float %2)\n", "  %3 = fptrunc double %2 to float\n", "", "\n", "  %3 = call void"})
    EXPECT_EQ(with_wide_conversions(line), line);
}

}  // namespace narrow_conversions_test
}  // namespace warpfork::compiler

#include "compiler/wide_shifts.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace wide_shifts_test {

// 2^31 is no signed number of 32 bits, and 2^15 none of 16.
TEST(WideShifts, are_no_products_with_negative_numbers) {
  EXPECT_EQ(with_wide_shifts("\tmul.wide.s32 \t%rd10, %r3, -2147483648;\n\tneg.s64 \t%rd11, %rd10;\n"),
            "\tcvt.s64.s32 \t%rd10, %r3;\n\tshl.b64 \t%rd10, %rd10, 31;\n\tneg.s64 \t%rd11, %rd10;\n");
  EXPECT_EQ(with_wide_shifts("mul.wide.s16 %r1, %rs2, -32768;"), "cvt.s32.s16 \t%r1, %rs2;\nshl.b32 \t%r1, %r1, 15;");
}

TEST(WideShifts, other_products_stay) {
  for (const char* line :
       {"mul.wide.s32 %rd1, %r1, 1073741824;\n", "mul.wide.u32 %rd1, %r1, -2147483648;\n", "mul.wide.s32", "", "\n",
        "mul.wide.s32 %rd1, %r1, -32768;\n", "mul.wide.s32 %rd1, %r1, %r2;\n",
        "// begin inline asm\nmul.wide.s32 %rd1, %r1, -2147483648;\n"})
    EXPECT_EQ(with_wide_shifts(line), line);
}

}  // namespace wide_shifts_test
}  // namespace warpfork::compiler

#include "compiler/wide_rotations.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace wide_rotations_test {

TEST(WideRotations, are_by_the_amount_modulo_64) {
  EXPECT_EQ(with_masked_rotations("\tshl.b64 \t%lhs, %rd1, %r1;\n\tsub.u32 \t%amt2, 64, %r1;\n"
                                  "\tshr.b64 \t%rhs, %rd1, %amt2;\n\tadd.u64 \t%rd2, %lhs, %rhs;\n"),
            "\tand.b32 \t%amt2, %r1, 63;\n\tshl.b64 \t%lhs, %rd1, %amt2;\n\tsub.u32 \t%amt2, 64, %amt2;\n"
            "\tshr.b64 \t%rhs, %rd1, %amt2;\n\tadd.u64 \t%rd2, %lhs, %rhs;\n");
  EXPECT_EQ(with_masked_rotations("shr.b64 %lhs, %rd1, %r7;"),
            "and.b32 \t%amt2, %r7, 63;\nshr.b64 \t%lhs, %rd1, %amt2;");
}

TEST(WideRotations, by_a_constant_and_other_shifts_stay) {
  for (const char* line :
       {"shl.b64 %lhs, %rd1, 5;\n", "shl.b64 %rd2, %rd1, %r1;\n", "sub.u32 %amt2, 32, %r1;\n",
        "shl.b32 %lhs, %r2, %r1;\n", "shl.b64", "", "\n", "// begin inline asm\nshl.b64 %lhs, %rd1, %r1;\n"})
    EXPECT_EQ(with_masked_rotations(line), line);
}

}  // namespace wide_rotations_test
}  // namespace warpfork::compiler

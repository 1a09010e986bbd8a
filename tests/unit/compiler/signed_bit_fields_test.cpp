#include "compiler/signed_bit_fields.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace signed_bit_fields_test {

TEST(SignedBitFields, that_reach_past_the_top_bit_are_shifts_that_keep_the_sign) {
  EXPECT_EQ(with_signed_bit_fields("\tbfe.u64 \t%rd3, %rd1, 63, 3;\n"),
            "\tshr.s64 \t%rd3, %rd1, 63;\n\tand.b64 \t%rd3, %rd3, 7;\n");
  EXPECT_EQ(with_signed_bit_fields("bfe.u64 %rd1, %rd1, 40, 34;"),
            "shr.s64 \t%rd1, %rd1, 40;\nand.b64 \t%rd1, %rd1, 17179869183;");
}

TEST(SignedBitFields, that_end_with_the_value_stay) {
  for (const char* line : {"bfe.u64 %rd1, %rd2, 61, 3;\n", "bfe.u64 %rd1, %rd2, 0, 64;\n", "bfe.u32 %r1, %r2, 31, 3;\n",
                           "bfe.s64 %rd1, %rd2, 63, 3;\n", "bfe.u64 %rd1, %rd2, %r3, %r4;\n", "bfe.u64", "", "\n"})
    EXPECT_EQ(with_signed_bit_fields(line), line);
}

TEST(SignedBitFields, of_the_programs_own_assembly_stay) {
  const std::string own = "// begin inline asm\nbfe.u64 %rd1, %rd2, 63, 3;\n// end inline asm\n";
  EXPECT_EQ(with_signed_bit_fields(own), own);
  EXPECT_NE(with_signed_bit_fields(own + "bfe.u64 %rd1, %rd2, 63, 3;\n"), own + "bfe.u64 %rd1, %rd2, 63, 3;\n");
}

}  // namespace signed_bit_fields_test
}  // namespace warpfork::compiler

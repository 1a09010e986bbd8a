#include "compiler/wide_integers.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace wide_integers_test {

TEST(WideIntegers, are_divided_by_calls) {
  EXPECT_EQ(with_wide_integer_calls("  %11 = urem i128 %9, %10, !dbg !20\n"),
            "  %11 = call i128 @__warpfork_urem128(i128 %9, i128 %10), !dbg !20\n");
  EXPECT_EQ(with_wide_integer_calls("  %q = udiv exact i128 %9, 12"),
            "  %q = call i128 @__warpfork_udiv128(i128 %9, i128 12)");
  EXPECT_EQ(with_wide_integer_calls("  %q = sdiv i128 -7, %b\n  %r = srem i128 %a, %q"),
            "  %q = call i128 @__warpfork_sdiv128(i128 -7, i128 %b)\n"
            "  %r = call i128 @__warpfork_srem128(i128 %a, i128 %q)");
}

TEST(WideIntegers, become_numbers_and_come_of_them_by_calls) {
  EXPECT_EQ(with_wide_integer_calls("  %2 = uitofp i128 %1 to double, !dbg !12\n  %3 = sitofp i128 -7 to float"),
            "  %2 = call double @__warpfork_double_from_u128(i128 %1), !dbg !12\n"
            "  %3 = call float @__warpfork_float_from_s128(i128 -7)");
  EXPECT_EQ(with_wide_integer_calls("  %2 = fptoui double %1 to i128, !dbg !12\n  %3 = fptosi float %x to i128\n"),
            "  %2 = call i128 @__warpfork_u128_from_double(double %1), !dbg !12\n"
            "  %3 = call i128 @__warpfork_s128_from_float(float %x)\n");
}

TEST(WideIntegers, of_other_types_stay) {
  for (const char* line :
       {"", "  %1 = udiv i64 %2, %3\n", "  %1 = mul i128 %2, %3\n", "; = udiv\n", "  %1 = uitofp i64 %2 to double\n",
        "  %1 = fptosi float %2 to i32, !dbg !3\n", "; = fptoui\n"})
    EXPECT_EQ(with_wide_integer_calls(line), std::nullopt);
}

}  // namespace wide_integers_test
}  // namespace warpfork::compiler

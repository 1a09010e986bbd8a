#include "compiler/wide_division.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace wide_division_test {

TEST(WideDivision, is_a_call) {
  EXPECT_EQ(with_division_calls("  %11 = urem i128 %9, %10, !dbg !20\n"),
            "  %11 = call i128 @__warpfork_urem128(i128 %9, i128 %10), !dbg !20\n");
  EXPECT_EQ(with_division_calls("  %q = udiv exact i128 %9, 12"),
            "  %q = call i128 @__warpfork_udiv128(i128 %9, i128 12)");
  EXPECT_EQ(with_division_calls("  %q = sdiv i128 -7, %b\n  %r = srem i128 %a, %q"),
            "  %q = call i128 @__warpfork_sdiv128(i128 -7, i128 %b)\n"
            "  %r = call i128 @__warpfork_srem128(i128 %a, i128 %q)");
}

TEST(WideDivision, of_other_types_stays) {
  for (const char* line : {"", "  %1 = udiv i64 %2, %3\n", "  %1 = mul i128 %2, %3\n", "; = udiv\n"})
    EXPECT_EQ(with_division_calls(line), std::nullopt);
}

}  // namespace wide_division_test
}  // namespace warpfork::compiler

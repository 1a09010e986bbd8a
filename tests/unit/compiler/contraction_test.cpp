#include "compiler/contraction.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace contraction_test {

// The LLVM language reference: "Fast-Math Flags".
TEST(Contraction, is_permitted_to_products_and_sums) {
  EXPECT_EQ(with_contraction("  %3 = fmul float %1, %2, !dbg !4\n  %4 = fneg nsz double %3"),
            "  %3 = fmul contract float %1, %2, !dbg !4\n  %4 = fneg contract nsz double %3");
}

TEST(Contraction, is_none_of_what_may_or_cannot) {
  for (const char* line : {"  %3 = fmul contract float %1, %2\n", "  %3 = fadd nnan contract float %1, %2\n",
                           "  %3 = fsub fast float %1, %2\n", "  %3 = fdiv float %1, %2\n", "  %3 = add i32 %1, %2\n",
                           "declare float @fmul(float)\n", ""})
    EXPECT_EQ(with_contraction(line), line);
}

}  // namespace contraction_test
}  // namespace warpfork::compiler

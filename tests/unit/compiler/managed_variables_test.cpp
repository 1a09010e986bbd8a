#include "compiler/managed_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace managed_variables_test {

TEST(ManagedVariables, clangs_error_tells) {
  EXPECT_TRUE(has_managed_variables(
      "a.cu:1:1: \033[0;1;31merror: \033[0m\033[1m__managed__ variables need warpfork/managed_variables.h\033[0m\n"));
  EXPECT_FALSE(has_managed_variables("a.cu:1:1: error: unknown type name '__managed__'\n"));
}

TEST(ManagedVariables, are_known_by_their_section) {
  EXPECT_THAT(managed_names("@x = addrspace(1) global i32 3, section \"warpfork_managed\", align 4\n"
                            "@y = addrspace(1) global i32 3, align 4\n"
                            "@z = external addrspace(1) global [2 x i32], section \"warpfork_managed\", align 4\n"
                            "@s = constant [9 x i8] c\"\\22warpfork\", section \"other\"\n"),
              testing::ElementsAre("x", "z"));
  EXPECT_THAT(managed_names("; x, section \"warpfork_managed\"\n"), testing::IsEmpty());
  EXPECT_THAT(managed_names(""), testing::IsEmpty());
}

TEST(ManagedVariables, say_so_in_ptx) {
  EXPECT_EQ(with_managed_attributes(".visible .global .align 4 .u32 x = 3;\n.extern .global .align 4 .b8 z[];\n"
                                    ".weak .global .align 8 .f64 w;\n.global .align 4 .b8 own[8] = {1, 2};\n",
                                    {"x", "z", "w", "own"}),
            ".visible .global .attribute(.managed) .align 4 .u32 x = 3;\n"
            ".extern .global .attribute(.managed) .align 4 .b8 z[];\n"
            ".weak .global .attribute(.managed) .align 8 .f64 w;\n"
            ".global .attribute(.managed) .align 4 .b8 own[8] = {1, 2};\n");
}

TEST(ManagedVariables, are_no_others) {
  for (const char* line : {"", ".visible .global .align 4 .u32 xy = 3;", ".global .align 8 .u64 p = x;",
                           "\tld.global.u32 \t%r1, [x];", ".visible .entry x("})
    EXPECT_EQ(with_managed_attributes(line, {"x"}), line);
}

}  // namespace managed_variables_test
}  // namespace warpfork::compiler

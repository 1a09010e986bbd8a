#include "compiler/entry_directives.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace entry_directives_test {

// As clang writes kernels with and without launch bounds, and a function.
constexpr const char* kPtx =
    ".target sm_86\n.visible .entry a(\n\t.param .u32 p\n)\n{\n{\nret;\n}\n}\n"
    ".visible .entry b()\n.maxntid 128, 1, 1\n{\nret;\n}\n.func f()\n{\nret;\n}\n.entry c()\n{\nret;\n}\n";

TEST(EntryDirectives, registers_are_limited_where_there_are_no_launch_bounds) {
  EXPECT_EQ(with_register_limit(kPtx, 40),
            ".target sm_86\n.visible .entry a(\n\t.param .u32 p\n)\n.maxnreg 40\n{\n{\nret;\n}\n}\n"
            ".visible .entry b()\n.maxntid 128, 1, 1\n{\nret;\n}\n.func f()\n{\nret;\n}\n"
            ".entry c()\n.maxnreg 40\n{\nret;\n}\n");
}

TEST(EntryDirectives, registers_are_limited_as_the_kernel_says) {
  const std::string own =
      with_limits_of_kernels(".entry a()\n.minnctapersm 16777280\n{\n}\n.entry b()\n.minnctapersm 2\n{\n}");
  EXPECT_EQ(own, ".entry a()\n.maxnreg 64\n{\n}\n.entry b()\n.minnctapersm 2\n{\n}");  // 16777280 = 0x1000000 + 64
  EXPECT_EQ(with_register_limit(own, 40),
            ".entry a()\n.maxnreg 64\n{\n}\n.entry b()\n.minnctapersm 2\n.maxnreg 40\n{\n}");
}

TEST(EntryDirectives, target_is_another) {
  EXPECT_EQ(with_target(".version 7.1\n.target sm_86, debug\nx", 90), ".version 7.1\n.target sm_90\nx");
  EXPECT_EQ(with_target("", 90), "");
}

}  // namespace entry_directives_test
}  // namespace warpfork::compiler

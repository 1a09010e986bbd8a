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

TEST(EntryDirectives, target_is_another) {
  EXPECT_EQ(with_target(".version 7.1\n.target sm_86, debug\nx", 90), ".version 7.1\n.target sm_90\nx");
  EXPECT_EQ(with_target("", 90), "");
}

}  // namespace entry_directives_test
}  // namespace warpfork::compiler

#include "compiler/entry_directives.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace entry_directives_test {

TEST(EntryDirectives, registers_are_limited_as_the_kernel_says) {
  EXPECT_EQ(with_limits_of_kernels(".entry a()\n.minnctapersm 16777280\n{\n}\n.entry b()\n.minnctapersm 2\n{\n}"),
            ".entry a()\n.maxnreg 64\n{\n}\n.entry b()\n.minnctapersm 2\n{\n}");  // 16777280 = 0x1000000 + 64
}

TEST(EntryDirectives, target_is_another) {
  EXPECT_EQ(with_target(".version 7.1\n.target sm_86, debug\nx", 90), ".version 7.1\n.target sm_90\nx");
  EXPECT_EQ(with_target("", 90), "");
}

}  // namespace entry_directives_test
}  // namespace warpfork::compiler

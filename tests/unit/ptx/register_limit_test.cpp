#include "ptx/register_limit.h"

#include <gtest/gtest.h>

namespace warpfork::ptx {
namespace register_limit_test {

TEST(RegisterLimit, is_put_before_the_bodies_of_kernels) {
  EXPECT_EQ(with_register_limit(".visible .entry a(\n\t.param .u32 p\n)\n{\n{\nret;\n}\n}\n.entry c { ret; }\n", 40),
            ".visible .entry a(\n\t.param .u32 p\n)\n.maxnreg 40\n{\n{\nret;\n}\n}\n.entry c .maxnreg 40\n{ ret; }\n");
}

TEST(RegisterLimit, is_not_for_kernels_with_launch_bounds_or_a_limit_of_their_own) {
  for (const char* own : {".maxntid 128, 1, 1", ".reqntid 32", ".maxnreg 64"}) {
    const std::string text = ".entry b()\n" + std::string(own) + "\n{\nret;\n}\n";
    EXPECT_EQ(with_register_limit(text, 40), text);
  }
  EXPECT_EQ(with_register_limit(".entry b() .maxntid 1 {}\n.entry a() .minnctapersm 2 {}", 40),
            ".entry b() .maxntid 1 {}\n.entry a() .minnctapersm 2 .maxnreg 40\n{}");
}

TEST(RegisterLimit, is_not_for_functions_declarations_and_comments) {
  const std::string text = "// .entry a() {\n.func f() { ret; }\n.entry g(.param .u64 p);\n.func h() { ret; }\n";
  EXPECT_EQ(with_register_limit(text, 40), text);
}

TEST(RegisterLimit, leaves_malformed_text_as_it_is) {
  EXPECT_EQ(with_register_limit(".entry a() { ret; } \"", 40), ".entry a() { ret; } \"");
}

}  // namespace register_limit_test
}  // namespace warpfork::ptx

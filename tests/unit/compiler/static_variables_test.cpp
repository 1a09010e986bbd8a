#include "compiler/static_variables.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace static_variables_test {

// As clang 14 writes it where a kernel stands before the host's use.
TEST(StaticVariables, have_one_name_before_and_behind_the_hosts_use) {
  EXPECT_EQ(with_static_names(".extern .global .align 4 .u32 _ZL1x;\n.visible .global .align 4 .u32 "
                              "_ZL1x__static__7e1276dda974bfa = 11;\n\tld.global.u32 \t%r1, [_ZL1x];\n"
                              "\tst.global.u32 \t[_ZL1x__static__7e1276dda974bfa+4], %r1;\n"),
            ".extern .global .align 4 .u32 _ZL1x__static__7e1276dda974bfa;\n.visible .global .align 4 .u32 "
            "_ZL1x__static__7e1276dda974bfa = 11;\n\tld.global.u32 \t%r1, [_ZL1x__static__7e1276dda974bfa];\n"
            "\tst.global.u32 \t[_ZL1x__static__7e1276dda974bfa+4], %r1;\n");
}

TEST(StaticVariables, do_not_change_other_names_and_texts) {
  for (const char* text : {"", "\n", "ld.global.u32 %r1, [_ZL1x];\n", ".visible .entry k() { ret; }"})
    EXPECT_EQ(with_static_names(text), text);
  EXPECT_EQ(with_static_names("a__static__1 ab ba %a $a a"), "a__static__1 ab ba %a $a a__static__1");
}

}  // namespace static_variables_test
}  // namespace warpfork::compiler

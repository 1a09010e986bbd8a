#include "compiler/late_alignment.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace late_alignment_test {

TEST(LateAlignment, clangs_error_tells) {
  EXPECT_TRUE(has_late_attribute("a.cu:1:38: error: an attribute list cannot appear here\n"));
  EXPECT_TRUE(has_late_attribute("a.cu:1:38: error: 'alignas' attribute cannot be applied to types\n"));
  EXPECT_TRUE(
      has_late_attribute("\033[1ma.cu:1:38: \033[0m\033[0;1;31merror: \033[0m\033[1man attribute list cannot "
                         "appear here\033[0m\n"));  // on a terminal
  EXPECT_FALSE(has_late_attribute("a.cu:1:38: error: expected ';'\n"));
}

}  // namespace late_alignment_test
}  // namespace warpfork::compiler

// Which moves take a literal for a register, and which do not.
#include "lower/literal_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace literal_copies_test {

using testing::Contains;

std::vector<std::string> copied(const std::string& body) {
  ptx::Function function = lowered(body);
  copy_literals(function);
  return lines(function);
}

TEST(LiteralCopies, move_the_literal_that_the_block_has_moved) {
  EXPECT_THAT(copied("mov.u32 %r1, 7;\nadd.u32 %r3, %r3, 1;\nmov.u32 %r2, %r1;\nret;"), Contains("mov.u32 %r2, 7;"));
  EXPECT_THAT(copied("mov.u32 %r1, 7;\nmov.u32 %r2, %r1;\nmov.u32 %r3, %r2;\nret;"), Contains("mov.u32 %r3, 7;"));
  EXPECT_THAT(copied("mov.pred %p1, -1;\nmov.pred %p2, %p1;\nret;"), Contains("mov.pred %p2, -1;"));
}

TEST(LiteralCopies, leave_what_may_hold_something_else) {
  for (const std::string body :
       {"mov.u32 %r1, 7;\nadd.u32 %r1, %r1, 1;\nmov.u32 %r2, %r1;\nret;",
        "@%p1 mov.u32 %r1, 7;\nmov.u32 %r2, %r1;\nret;", "mov.u32 %r1, 7;\nL:\nmov.u32 %r2, %r1;\n@%p1 bra L;\nret;",
        "mov.u32 %r1, 7;\n@%p1 ld.global.u32 %r1, [64];\nmov.u32 %r2, %r1;\nret;",
        "mov.f32 %f1, 0f3F800000;\nmov.b32 %r2, %f1;\nret;", "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %r1;\nret;"})
    EXPECT_EQ(copied(body), lowered_lines(body)) << body;
}

TEST(LiteralCopies, under_a_guard_move_it_under_the_guard) {
  EXPECT_THAT(copied("mov.u32 %r1, 7;\n@%p1 mov.u32 %r2, %r1;\nmov.u32 %r3, %r2;\nret;"),
              testing::IsSupersetOf({"@%p1 mov.u32 %r2, 7;", "mov.u32 %r3, %r2;"}));
}

}  // namespace literal_copies_test
}  // namespace warpfork::lower

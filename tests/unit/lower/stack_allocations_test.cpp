// What alloca, stacksave and stackrestore become (PTX ISA, "Stack Manipulation Instructions").
#include "lower/stack_allocations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace stack_allocations_test {

using testing::ElementsAre;

// -16 as a mask; eight bytes are the alignment where none is given.
TEST(StackAllocations, are_rooms_behind_one_another_each_aligned) {
  EXPECT_THAT(lowered_lines("alloca.u64 %rd1, %rd2, 16;\nalloca.u64 %rd3, 24;\nret;"),
              ElementsAre("mov.u64 %stack, %activations;", "add.u64 %part41, %stack, 15;",
                          "and.b64 %rd1, %part41, -16;", "add.u64 %stack, %rd1, %rd2;", "add.u64 %part42, %stack, 7;",
                          "and.b64 %rd3, %part42, -8;", "add.u64 %stack, %rd3, 24;", "ret;"));
}

TEST(StackAllocations, are_those_of_threads_for_which_the_guard_holds) {
  EXPECT_THAT(lowered_lines("@%p1 alloca.u64 %rd1, 8, 1;\nret;"),
              ElementsAre("mov.u64 %stack, %activations;", "add.u64 %part41, %stack, 0;",
                          "@%p1 and.b64 %rd1, %part41, -1;", "@%p1 add.u64 %stack, %rd1, 8;", "ret;"));
}

TEST(StackAllocations, end_where_the_stack_is_put_back) {
  EXPECT_THAT(lowered_lines("stacksave.u64 %rd1;\nstackrestore.u64 %rd1;\nret;"),
              ElementsAre("mov.u64 %stack, %activations;", "mov.u64 %rd1, %stack;", "mov.u64 %stack, %rd1;", "ret;"));
}

TEST(StackAllocations, of_a_function_end_with_its_call) {
  EXPECT_THAT(lowered_lines("call f;\nret;", ".func f { .reg .u64 %a; alloca.u64 %a, 32; ret; }\n"),
              ElementsAre("mov.u64 %stack, %activations;", "mov.u64 %saved, %stack;", "add.u64 %part43, %stack, 7;",
                          "and.b64 %a, %part43, -8;", "add.u64 %stack, %a, 32;", "mov.u64 %stack, %saved;", "ret;"));
}

// Whose calls move the stack.
TEST(StackAllocations, beside_recursive_functions_are_left) {
  const auto code = lowered_lines("alloca.u64 %rd1, 8;\ncall f;\nret;",
                                  ".func f() { .reg .pred %q; @%q ret; call f; bar.sync 1; ret; }\n");
  EXPECT_THAT(code, testing::Contains("alloca.u64 %rd1, 8;"));
}

}  // namespace stack_allocations_test
}  // namespace warpfork::lower

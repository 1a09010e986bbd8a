#include "analysis/scalar_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "unit/base/unwrapped.h"

namespace warpfork::analysis {
namespace scalar_text_test {

using ::testing::HasSubstr;

std::string printed(const std::string& body) {
  const ptx::Module module = ptx::parse(
      ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 n)"
      "{\n.reg .pred %p<3>;\n.reg .b32 %r<6>;\n.shared .b32 common;\n" +
          body + "}\n",
      "kernel.ptx");
  return print_scalars(module.functions[0]);
}

const std::string kGuarded =
    "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\nadd.u32 %r3, %r2, 1;\n"
    "st.shared.u32 [common], %r3;\n";

TEST(ScalarText, says_of_each_instruction_what_it_is_and_why) {
  EXPECT_EQ(printed(kGuarded + "L: ret;\n"),
            R"(rule             scalar instructions   live registers: of a thread, of a warp
divergent           4 of 7     57.1 %          1         1
convergent-only     2 of 7     28.6 %          1         1
divergent, and 32 divides the blocks' x:    4 of 7     57.1 %

  pc  line  class      instruction
   0     8  vector     mov.u32 %r1, %tid.x;
                       reads the thread's index
   1     9  scalar     ld.param.u32 %r2, [n];
   2    10  vector     setp.lt.u32 %p1, %r1, %r2;
                       reads %r1 <- pc 0 reads the thread's index
   3    11  vector     @%p1 bra L;
                       reads %p1 <- pc 2 reads %r1 <- pc 0 reads the thread's
                       index
   4    12  divergent  add.u32 %r3, %r2, 1;
                       threads have parted at pc 3, which reads %p1 <- pc 2
                       reads %r1 <- pc 0 reads the thread's index
   5    13  divergent  st.shared.u32 [common], %r3;
                       threads have parted at pc 3, which reads %p1 <- pc 2
                       reads %r1 <- pc 0 reads the thread's index
   6    14  scalar     ret;
)");
}

TEST(ScalarText, leads_from_a_register_with_two_versions_to_the_branch_that_makes_them) {
  EXPECT_THAT(unwrapped(printed(kGuarded + "L: st.shared.u32 [common], %r3;\nret;\n"), std::string(23, ' ')),
              HasSubstr("writes %r3, written by some threads and read where they have met others (pc 4) <- pc 3 parts "
                        "threads: reads %p1 <- pc 2 reads %r1"));
}

}  // namespace scalar_text_test
}  // namespace warpfork::analysis

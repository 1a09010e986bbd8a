#include "analysis/movable.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace warpfork::analysis {
namespace movable_test {

ptx::Instruction parsed(const std::string& instruction) {
  const ptx::Module module = ptx::parse(
      ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 counter;\n.visible .entry k(.param .u64 p)\n"
      "{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.reg .pred %p<1>;\n" +
          instruction + "\nret;\n}\n",
      "t.ptx");
  return module.functions[0].body[0];
}

TEST(Movable, is_arithmetic_that_depends_on_its_operands_alone) {
  for (const char* text : {"add.u32 %r1, %r2, 1;", "mov.u32 %r1, %tid.x;", "ld.param.u64 %rd1, [p];"})
    EXPECT_TRUE(is_pure(parsed(text))) << text;
}

TEST(Movable, is_nothing_that_reads_what_changes_or_does_something_else) {
  for (const char* text : {"mov.u32 %r1, %clock;", "@%p0 mov.u32 %r1, 1;", "add.cc.u32 %r1, %r2, 1;",
                           "ld.global.u32 %r1, [counter];", "activemask.b32 %r1;", "ret;"})
    EXPECT_FALSE(is_pure(parsed(text))) << text;
}

TEST(Movable, is_constant_where_it_reads_no_register) {
  EXPECT_FALSE(is_constant(parsed("add.u32 %r1, %r2, 1;")));
  for (const char* text : {"mov.u32 %r1, %tid.x;", "ld.param.u64 %rd1, [p];"})
    EXPECT_TRUE(is_constant(parsed(text))) << text;
}

}  // namespace movable_test
}  // namespace warpfork::analysis

// How many registers a machine and a kernel's own directives leave a thread.
#include "lower/register_rules.h"

#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace register_rules_test {

// PTX ISA, "Performance-Tuning Directives": 2 blocks of 256 threads in a core of 32768 registers have 64 each.
TEST(RegisterRules, take_the_smallest_of_the_limits) {
  ptx::Function kernel;
  RegisterRules rules;
  rules.of_core = 32768;
  rules.threads = 1536;
  rules.granularity = 4;
  EXPECT_GE(register_limit(kernel, rules), 255u);
  rules.of_thread = 63;
  EXPECT_EQ(register_limit(kernel, rules), 63u);
  kernel.max_threads = 256;
  kernel.min_blocks = 2;
  EXPECT_EQ(register_limit(kernel, rules), 63u);
  kernel.min_blocks = 5;  // 25.6 each, in fours
  EXPECT_EQ(register_limit(kernel, rules), 24u);
  kernel.max_registers = 16;
  EXPECT_EQ(register_limit(kernel, rules), 16u);
  EXPECT_EQ(enough_registers(rules), 20u);  // 32768 / 1536 = 21.3, in fours
}

// CUDA programming guide, "Launch Bounds": "or a single block if minBlocksPerMultiprocessor is not specified".
TEST(RegisterRules, leave_room_for_one_block_of_the_threads_that_a_kernel_is_bound_to) {
  ptx::Function kernel;
  RegisterRules rules;
  rules.of_core = 32768;
  rules.of_thread = 63;
  kernel.max_threads = 608;
  EXPECT_EQ(register_limit(kernel, rules), 53u);  // 32768 / 608 = 53.9
  rules.lanes = 8;
  EXPECT_EQ(register_limit(kernel, rules), 42u);  // 3 of 19 warps in a lane of 4096
  kernel.max_threads = 0;
  kernel.required_threads = {32, 32, 1};
  EXPECT_EQ(register_limit(kernel, rules), 32u);
}

// 32768 / 1024, and what the kernel says of itself goes before what a launch has.
TEST(RegisterRules, leave_room_for_one_block_of_a_launch_if_the_kernel_does_not_say) {
  ptx::Function kernel;
  RegisterRules rules;
  rules.of_core = 32768;
  rules.block_threads = 1024;
  EXPECT_EQ(register_limit(kernel, rules), 32u);
  kernel.min_blocks = 2;  // of nobody knows how many threads
  EXPECT_EQ(register_limit(kernel, rules), 32u);
  kernel.max_threads = 512;
  EXPECT_EQ(register_limit(kernel, rules), 32u);
  kernel.min_blocks = 1;
  EXPECT_EQ(register_limit(kernel, rules), 64u);
}

/// Each of three threads' values and three of the block's wait for the others, in a block of a warp.
ptx::Function three_and_three() {
  std::string body = "mov.u32 %r0, %tid.x;\n";
  for (const std::string of : {"1", "2", "3"}) {
    body += "ld.global.f32 %f" + of + ", [64];\n";
    body += "add.u32 %r" + of + ", %r0, " + of + ";\nxor.b32 %r" + of + ", %r" + of + ", %r0;\n";
  }
  for (const std::string of : {"1", "2", "3"})
    body += "st.global.f32 [64], %f" + of + ";\nst.global.u32 [64], %r" + of + ";\n";
  ptx::Function kernel = lowered(body + "ret;");
  kernel.max_threads = 32;
  return kernel;
}

RegisterAllocation placed(ptx::Function kernel, unsigned of_core, bool scalars_beside) {
  RegisterRules rules;
  rules.allocate = rules.as_written = true;
  rules.of_core = of_core;
  rules.scalars_beside = scalars_beside;
  return *place_registers(kernel, rules, analysis::UniformityOptions{});
}

// Four registers of 32 threads are the file, so that with three scalar ones beside them there is room for three.
TEST(RegisterRules, take_a_threads_registers_for_the_scalars_that_lie_in_the_same_file) {
  const RegisterAllocation apart = placed(three_and_three(), 4 * 32, false);
  EXPECT_EQ(apart.vector_registers, 4u);
  EXPECT_EQ(apart.scalar_registers, 3u);
  EXPECT_TRUE(apart.spilled.empty());
  const RegisterAllocation beside = placed(three_and_three(), 4 * 32, true);
  EXPECT_LE(beside.vector_registers * 32 + beside.scalar_registers, 4u * 32);
  EXPECT_FALSE(beside.spilled.empty());
  EXPECT_TRUE(placed(three_and_three(), 4 * 32 + 3, true).spilled.empty());
}

// %r1 waits while two values are loaded and stored.
TEST(RegisterRules, leave_the_ptx_as_written_where_the_machine_says_so) {
  const std::string body =
      "mov.u32 %r1, 7;\nld.global.v2.u32 {%r2, %r3}, [64];\nst.global.v2.u32 [64], {%r2, %r3};\n"
      "st.global.u32 [72], %r1;\nret;";
  ptx::Function kernel = lowered(body), as_written = kernel;
  RegisterRules rules;
  rules.allocate = true;
  EXPECT_EQ(place_registers(kernel, rules)->vector_registers, 2u);
  EXPECT_NE(lines(kernel), lowered_lines(body));
  rules.as_written = true;
  EXPECT_EQ(place_registers(as_written, rules)->vector_registers, 3u);
  EXPECT_EQ(lines(as_written), lowered_lines(body));
}

}  // namespace register_rules_test
}  // namespace warpfork::lower

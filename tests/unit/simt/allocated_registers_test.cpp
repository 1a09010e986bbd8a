// Allocated code against the reference, which knows no places: random programs, without a limit and with one that
// makes them spill. A wrong place gives wrong results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fast_run.h"
#include "ptx/parser.h"
#include "random_bodies.h"
#include "simt/loaded_module.h"

namespace warpfork::simt {
namespace allocated_registers_test {

using testing::ElementsAre;

CodeOptions allocated(unsigned limit) {
  CodeOptions code;
  code.registers.allocate = true;
  code.registers.of_thread = limit;
  return code;
}

std::vector<ThreadRegisters> random_threads(Random& random, std::size_t count) {
  std::vector<ThreadRegisters> threads(count);
  for (ThreadRegisters& thread : threads) thread = random_registers(random);
  return threads;
}

void agree(unsigned limit, Grouping grouping, unsigned programs) {
  for (unsigned i = 0; i < programs; ++i) {
    Random random(1000 * limit + i);
    const std::string body = random_program(random, 30);
    const std::vector<ThreadRegisters> threads = random_threads(random, 1 + i % 64);
    const Outcome found = run_fast(body, threads, grouping, i, "", allocated(limit));
    ASSERT_EQ(difference(run_reference(body, threads), found), "") << body;
  }
}

TEST(AllocatedRegisters, give_random_programs_their_results) { agree(0, Grouping::Together, 60); }

// Lanes of other splits hold values of other registers in the same places.
TEST(AllocatedRegisters, give_them_however_the_lanes_are_grouped) { agree(0, Grouping::Scattered, 60); }

TEST(AllocatedRegisters, give_them_with_most_values_in_local_memory) { agree(16, Grouping::Scattered, 60); }

/// A kernel with three values that wait for each other.
const std::string kKernel =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>;\n"
    ".reg .b64 %rd<9>;\nld.param.u64 %rd7, [p];\nld.global.u32 %r5, [%rd7];\nld.global.u64 %rd8, [%rd7+8];\n"
    "st.global.u32 [%rd7+4], %r5;\nst.global.u64 [%rd7+16], %rd8;\nret;\n}\n";

// As nvcc -G and many inlined calls make them: 65,534 is the most without allocation.
TEST(AllocatedRegisters, may_be_declared_by_the_hundred_thousand) {
  std::string kernel = kKernel;
  kernel.replace(kernel.find("%r<9>"), 5, "%r<100009>");
  kernel.replace(kernel.find("st.global.u32"), 0, "add.u32 %r100000, %r5, 1;\nmov.u32 %r5, %r100000;\n");
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(kernel, "k.ptx"), memory, host_instruction_set(), allocated(0));
  EXPECT_LE(module.kernel("k").allocation->vector_registers, 8u);
}

TEST(AllocatedRegisters, are_what_scoreboard_and_banks_see) {
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(kKernel, "k.ptx"), memory, host_instruction_set(), allocated(0));
  const Program& program = module.kernel("k");
  const Instruction &narrow = program.code[1], &wide = program.code[2];
  EXPECT_EQ(program.allocation->vector_registers, 6u);  // the address in 0 and 1, %r5 in 2, %rd8 in 4 and 5
  EXPECT_EQ(narrow.sources[0], 0u);
  EXPECT_EQ(narrow.destinations[0], 2u);
  EXPECT_EQ(wide.destinations[0], 4u);
  EXPECT_THAT(program.register_numbers, ElementsAre(0, 1, 2, 3, 4, 5));
}

// Predicates have a file of their own: P0 is not R0.
TEST(AllocatedRegisters, have_other_numbers_than_predicates) {
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\n"
                                 ".reg .b32 %r<4>;\n.reg .pred %p<2>;\nmov.u32 %r1, %tid.x;\n"
                                 "setp.gt.u32 %p1, %r1, 4;\nselp.u32 %r2, %r1, 7, %p1;\n"
                                 "st.global.u32 [64], %r2;\nret;\n}\n",
                                 "k.ptx"),
                      memory, host_instruction_set(), allocated(0));
  const Program& program = module.kernel("k");
  const Instruction& selects = program.code[2];
  ASSERT_EQ(selects.source_count, 2u);
  EXPECT_EQ(program.allocation->vector_registers, 1u);
  EXPECT_NE(program.register_numbers[selects.sources[0]], program.register_numbers[selects.sources[1]]);
}

TEST(AllocatedRegisters, need_local_memory_where_they_are_spilled) {
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(kKernel, "k.ptx"), memory, host_instruction_set(), allocated(4));
  const Program& program = module.kernel("k");
  EXPECT_LE(program.allocation->vector_registers, 4u);
  EXPECT_GT(program.allocation->spill_bytes, 0u);
  EXPECT_EQ(program.local_bytes, program.allocation->spill_bytes);
}

// Six registers of each of 64 threads are more than 256.
TEST(AllocatedRegisters, are_fewer_for_blocks_that_would_not_fit_otherwise) {
  DeviceMemory memory(1 << 20);
  CodeOptions code = allocated(0);
  code.registers.of_core = 256;
  LoadedModule module(ptx::parse(kKernel, "k.ptx"), memory, host_instruction_set(), code);
  const Program& fitted = module.kernel("k", 64);
  EXPECT_EQ(module.kernel("k").allocation->vector_registers, 6u);
  EXPECT_FALSE(module.kernel("k").is_fitted);
  EXPECT_LE(fitted.allocation->vector_registers, 4u);
  EXPECT_TRUE(fitted.is_fitted);
  EXPECT_NE(fitted.code_place, module.kernel("k").code_place);
  EXPECT_EQ(&module.kernel("k", 64), &fitted);
}

TEST(AllocatedRegisters, stay_as_many_where_instructions_need_more) {
  DeviceMemory memory(1 << 20);
  CodeOptions code = allocated(0);
  code.registers.of_core = 64;
  LoadedModule module(ptx::parse(kKernel, "k.ptx"), memory, host_instruction_set(), code);
  EXPECT_EQ(module.kernel("k", 64).allocation->vector_registers, 6u);
  EXPECT_FALSE(module.kernel("k", 64).is_fitted);
}

TEST(AllocatedRegisters, are_off_unless_they_are_asked_for) {
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(kKernel, "k.ptx"), memory);
  EXPECT_FALSE(module.kernel("k").allocation.has_value());
  EXPECT_EQ(module.kernel("k").code[1].destinations[0], 5u);  // %r5, the register's own number
}

}  // namespace allocated_registers_test
}  // namespace warpfork::simt

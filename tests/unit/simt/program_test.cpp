// What decoding leaves for the core: kinds, registers, control flow, sizes; and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "one_warp.h"
#include "ptx/parser.h"

namespace warpfork::simt {
namespace program_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> names(const Program& program, const std::uint16_t* ids, unsigned count) {
  std::vector<std::string> result;
  for (unsigned i = 0; i < count; ++i) result.push_back(program.function->registers[ids[i]].name);
  return result;
}

TEST(Program, lists_the_registers_that_the_scoreboard_watches) {
  OneWarp warp(
      "@!%p1 ld.global.v2.u32 {%r1, %r2}, [%d3];\nsetp.eq.and.s32 %p2|%p3, %r1, %r2, %p4;\nst.global.u32 [%d4], %r5;");
  const Program& program = warp.program();
  const Instruction &load = program.code[0], &compare = program.code[1], &store = program.code[2];
  EXPECT_EQ(load.kind, InstructionKind::Load);
  EXPECT_EQ(load.access_bytes, 8);
  EXPECT_TRUE(load.guard_negated);
  EXPECT_THAT(names(program, &load.guard_register, 1), ElementsAre("%p1"));
  EXPECT_THAT(names(program, load.sources.data(), load.source_count), ElementsAre("%d3"));
  EXPECT_THAT(names(program, load.destinations.data(), load.destination_count), ElementsAre("%r1", "%r2"));
  EXPECT_THAT(names(program, compare.sources.data(), compare.source_count), ElementsAre("%r1", "%r2", "%p4"));
  EXPECT_THAT(names(program, compare.destinations.data(), compare.destination_count), ElementsAre("%p2", "%p3"));
  EXPECT_THAT(names(program, store.sources.data(), store.source_count), ElementsAre("%d4", "%r5"));
  EXPECT_EQ(program.register_numbers[load.destinations[1]], 2);
}

/// With the kernels bad and worse, which call a function without a body, and what is given.
ptx::Module module_with(const std::string& others) {
  return ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.func g;\n.func f() { call g; ret; }\n"
      ".entry bad() { call f; ret; }\n.entry worse() { call f; ret; }\n" +
          others,
      "m.ptx");
}

TEST(Program, that_cannot_be_executed_leaves_the_other_kernels_of_its_module) {
  DeviceMemory memory(1 << 16);
  LoadedModule module(module_with(".entry good() { ret; }\n"), memory);
  EXPECT_EQ(module.decode_all(), 2u);
  EXPECT_EQ(module.kernel("good").code.size(), 1u);
  EXPECT_EQ(module.kernel("good").code_place, 0u);
  for (const char* name : {"bad", "worse"})
    EXPECT_THAT(
        [&] { module.kernel(name); },
        testing::ThrowsMessage<RefusedKernel>(fmt::format(
            "m.ptx:5: error: instruction 'call': function 'g' has no body in this module\n    kernel: {}", name)));
}

TEST(Program, that_cannot_be_executed_is_refused_with_its_module_where_no_other_can) {
  DeviceMemory memory(1 << 16);
  LoadedModule module(module_with(""), memory);
  EXPECT_THAT([&] { module.decode_all(); },
              testing::ThrowsMessage<RefusedKernel>(HasSubstr("function 'g' has no body")));
}

TEST(Program, only_non_coherent_loads_are_read_only) {
  OneWarp warp("ld.global.nc.u32 %r1, [%d3];\nld.global.u32 %r2, [%d3];");
  EXPECT_TRUE(warp.program().code[0].read_only);
  EXPECT_FALSE(warp.program().code[1].read_only);
}

TEST(Program, knows_whether_a_register_may_be_read_before_it_was_written) {
  EXPECT_FALSE(OneWarp("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, %r1;").program().reads_unwritten);
  EXPECT_TRUE(OneWarp("add.u32 %r2, %r1, %r1;").program().reads_unwritten);
  EXPECT_TRUE(
      OneWarp("setp.eq.u32 %p1, 1, 1;\n@%p1 mov.u32 %r1, 1;\nadd.u32 %r2, %r1, %r1;").program().reads_unwritten);
}

TEST(Program, branches_know_target_and_reconvergence) {
  OneWarp warp("@%p0 bra over;\nadd.u32 %r0, %r0, 1;\nbra over;\nover:\nadd.u32 %r0, %r0, 2;\nbar.sync 3, 64;");
  const Program& program = warp.program();
  EXPECT_EQ(program.code[0].kind, InstructionKind::Branch);
  EXPECT_EQ(program.code[0].target, 3u);
  EXPECT_EQ(program.code[0].reconvergence, 3u);
  EXPECT_FALSE(program.code[1].ends_block);
  EXPECT_TRUE(program.code[2].ends_block);
  EXPECT_EQ(program.code[4].kind, InstructionKind::Barrier);
  EXPECT_EQ(program.code[4].barrier, 3);
  EXPECT_EQ(program.code[4].barrier_threads, 64u);
  EXPECT_EQ(program.code[5].kind, InstructionKind::Exit);
  EXPECT_EQ(program.code[5].reconvergence, kNoPc);
}

TEST(Program, straight_line_ends_before_barriers_branches_and_the_last_instruction_of_a_block) {
  OneWarp warp(
      "add.u32 %r0, %r0, 1;\n@%p0 st.global.u32 [%d4], %r0;\nbar.sync 0;\nmov.u32 %r1, 1;\n"
      "mov.u32 %r2, 2;\nloop:\nadd.u32 %r0, %r0, 1;\n@%p0 bra loop;\nexit;");
  std::vector<unsigned> straight;
  for (const Instruction& instruction : warp.program().code) straight.push_back(instruction.straight);
  straight.resize(8);
  EXPECT_THAT(straight, ElementsAre(2, 1, 0, 1, 0, 1, 0, 0));
}

TEST(Program, threads_may_part_at_guarded_branches_and_where_they_exit) {
  OneWarp warp("@%p0 bra over;\nbra over;\n@%p0 add.u32 %r0, %r0, 1;\nover:\n@%p0 exit;\nbar.sync 0;\nexit;");
  for (Pc pc : {0, 3, 5}) EXPECT_TRUE(warp.program().code[pc].may_part()) << pc;
  for (Pc pc : {1, 2, 4}) EXPECT_FALSE(warp.program().code[pc].may_part()) << pc;
}

TEST(Program, timing_classes_follow_opcode_and_type) {
  OneWarp warp(
      "add.s32 %r0, %r1, %r2;\nfma.rn.f64 %d0, %d1, %d2, %d3;\nxor.b32 %r0, %r1, %r2;\nsin.approx.f32 %r0, "
      "%r1;\ndiv.rn.f32 %r0, %r1, %r2;");
  const auto& code = warp.program().code;
  EXPECT_EQ(code[0].timing, TimingClass::IntAdd);
  EXPECT_EQ(code[1].timing, TimingClass::Fp64Mad);
  EXPECT_EQ(code[2].timing, TimingClass::Simple);
  EXPECT_EQ(code[3].timing, TimingClass::Special);
  EXPECT_EQ(code[4].timing, TimingClass::Fp32Div);
}

TEST(Program, shared_memory_is_static_then_dynamic) {
  OneWarp warp(
      ".shared .align 4 .b8 a[6];\n.shared .align 8 .b8 b[8];\nmov.u64 %d0, a;\nmov.u64 %d1, b;\nmov.u64 %d2, rest;",
      host_instruction_set(), ".extern .shared .align 16 .b8 rest[];");
  warp.run();
  EXPECT_EQ(warp.program().static_shared_bytes, 16u);
  EXPECT_EQ(warp.lane64("%d1"), 8u);
  EXPECT_EQ(warp.lane64("%d2"), 16u);
}

TEST(Program, what_is_not_supported_is_refused_when_the_module_is_loaded) {
  EXPECT_THAT(refusal("barrier.cluster.arrive.acquire;"),
              HasSubstr("error: instruction 'barrier.cluster.arrive.acquire' is not supported"));
  EXPECT_THAT(refusal("barrier.sync.acquire 0;"), HasSubstr("is not supported"));
  EXPECT_THAT(refusal("add.relu.s16x2 %r0, %r1, %r2;"), HasSubstr("is not supported"));
  EXPECT_THAT(refusal("mapa.u64 %d0, %d1, 1;"), HasSubstr("'mapa.u64' is not supported"));
  EXPECT_THAT(refusal("lop3.b32 %r0|%p0, %r1, %r2, %r3, 1;"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("lop3.and.b32 %r0, %r1, %r2, %r3, 1, %p0;"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("bar.sync 16;"), HasSubstr("barrier 16 where 0 to 15 are allowed"));
  EXPECT_THAT(refusal("mapa.u64 %d0, %d1, 1;"), StartsWith("test.ptx:"));
}

TEST(Program, bad_barriers_are_refused_where_they_can_be_seen) {
  EXPECT_THAT(refusal("bar.arrive 0;"), HasSubstr("the number of threads that take part is missing"));
  EXPECT_THAT(refusal("bar.sync 1, 0;"), HasSubstr("0 threads where a multiple of 32 up to 1024 is allowed"));
  EXPECT_THAT(refusal("bar.sync 1, 48;"), HasSubstr("48 threads where a multiple of 32"));
  EXPECT_THAT(refusal("bar.red.popc.u32 %r0, 16, %p0;"), HasSubstr("barrier 16 where 0 to 15 are allowed"));
  EXPECT_THAT(refusal("bar.red.xor.pred %p1, 1, %p0;"), HasSubstr("'bar.red.xor.pred' is not supported"));
}

TEST(Program, barriers_know_form_number_and_threads) {
  OneWarp warp("bar.cta.sync %r1;\nbarrier.arrive 2, %r3;\nbarrier.cta.red.or.aligned.pred %p0, 4, 64, !%p1;");
  const Instruction &sync = warp.program().code[0], &arrive = warp.program().code[1], &red = warp.program().code[2];
  EXPECT_EQ(sync.barrier, Instruction::kBarrierInRegister);
  EXPECT_EQ(sync.barrier_threads, 0u);
  EXPECT_EQ(arrive.barrier_form, BarrierForm::Arrive);
  EXPECT_EQ(arrive.barrier_threads, Instruction::kThreadsInRegister);
  EXPECT_THAT(names(warp.program(), arrive.sources.data(), arrive.source_count), ElementsAre("%r3"));
  EXPECT_EQ(red.barrier_form, BarrierForm::AnyTrue);
  EXPECT_EQ(red.barrier, 4);
  EXPECT_EQ(red.barrier_threads, 64u);
  EXPECT_THAT(names(warp.program(), red.sources.data(), red.source_count), ElementsAre("%p1"));
  EXPECT_THAT(names(warp.program(), red.destinations.data(), red.destination_count), ElementsAre("%p0"));
}

TEST(Program, a_guarded_barrier_to_wait_at_becomes_a_branch_around_it) {
  OneWarp warp(
      "again: @%p0 bar.sync 0;\n@!%p1 bar.red.and.pred %p2, 1, %p3;\n@%p0 bar.arrive 1, 32;\n@%p0 bra "
      "again;\nmembar.gl;");
  const auto& code = warp.program().code;
  EXPECT_EQ(code[0].kind, InstructionKind::Branch);
  EXPECT_TRUE(code[0].guard_negated);
  EXPECT_EQ(code[0].target, 2u);
  EXPECT_EQ(code[0].reconvergence, 2u);
  EXPECT_EQ(code[1].kind, InstructionKind::Barrier);
  EXPECT_EQ(code[1].guard, Instruction::kNoPredicate);
  EXPECT_FALSE(code[2].guard_negated);
  EXPECT_EQ(code[2].target, 4u);
  EXPECT_EQ(code[4].barrier_form, BarrierForm::Arrive);
  EXPECT_NE(code[4].guard, Instruction::kNoPredicate);
  EXPECT_EQ(code[5].target, 0u);
}

TEST(Program, calls_are_inlined_with_their_arguments_in_registers) {
  OneWarp warp(
      "{\n.param .b32 argument;\n.param .b32 back;\nst.param.b32 [argument], %r1;\ncall (back), twice, (argument);\n"
      "ld.param.b32 %r0, [back];\n}\nadd.u32 %r0, %r0, 1;",
      host_instruction_set(),
      ".func (.param .b32 result) twice(.param .b32 value)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [value];\n"
      "add.u32 %r2, %r1, %r1;\nst.param.b32 [result], %r2;\nret;\n}");
  warp.set("%r1", 20);
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 3), 41u);
  for (const Instruction& instruction : warp.program().code) EXPECT_EQ(instruction.space, MemorySpace::None);
}

TEST(Program, indexed_branches_become_comparisons) {
  OneWarp warp("targets: .branchtargets one, two, three;\nbrx.idx %r1, targets;\none:\ntwo:\nret;\nthree:\nret;");
  const auto& code = warp.program().code;
  EXPECT_EQ(code[1].kind, InstructionKind::Branch);
  EXPECT_EQ(code[1].target, 5u);
  EXPECT_EQ(code[4].target, 6u);
  EXPECT_EQ(code[4].guard, Instruction::kNoPredicate);
}

TEST(Program, missing_bodies_are_refused) {
  EXPECT_THAT(refusal("call missing, ();", ".extern .func missing();"), HasSubstr("function 'missing' has no body"));
}

TEST(Program, an_unknown_kernel_names_the_known_ones) {
  OneWarp warp("");
  try {
    warp.module().kernel("kernal");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no kernel 'kernal'\n    kernels of this module: kernel"));
  }
}

Launch launch_of(OneWarp& warp, Dim3 grid, Dim3 block) {
  Launch launch;
  launch.program = &warp.program();
  launch.grid = grid;
  launch.block = block;
  launch.parameters.resize(warp.program().parameter_bytes);
  return launch;
}

TEST(Program, launches_are_checked) {
  OneWarp warp("");
  EXPECT_NO_THROW(validate(launch_of(warp, {1, 1, 1}, {1024, 1, 1})));
  EXPECT_THROW(validate(launch_of(warp, {1, 1, 1}, {1025, 1, 1})), Error);
  EXPECT_THROW(validate(launch_of(warp, {1, 0, 1}, {32, 1, 1})), Error);
  EXPECT_THROW(validate(launch_of(warp, {1, 65536, 1}, {32, 1, 1})), Error);
  Launch launch = launch_of(warp, {1, 1, 1}, {32, 1, 1});
  launch.parameters.pop_back();
  EXPECT_THROW(validate(launch), Error);
}

TEST(Program, device_memory_reuses_holes_and_reads_as_zero) {
  DeviceMemory memory(1024);
  const std::uint64_t first = memory.allocate(500, "first");
  memory.allocate(511, "second");
  EXPECT_THROW(memory.allocate(1, "third"), Error);
  *memory.find(first, 1) = std::byte{7};
  memory.free(first);
  EXPECT_THROW(memory.free(first), Error);
  EXPECT_EQ(memory.allocate(300, "third"), first);
  EXPECT_EQ(*memory.find(first, 1), std::byte{0});
  EXPECT_EQ(memory.find(first + 299, 2), nullptr);
}

TEST(Program, device_memory_keeps_allocations_apart) {
  DeviceMemory memory(4096);
  const std::uint64_t first = memory.allocate(512, "first"), second = memory.allocate(4, "second");
  EXPECT_EQ(second, first + 768);
  EXPECT_EQ(memory.find(first + 512, 1), nullptr);
  EXPECT_NE(memory.describe_nearest(first + 512).find("'first'"), std::string::npos);
}

}  // namespace program_test
}  // namespace warpfork::simt

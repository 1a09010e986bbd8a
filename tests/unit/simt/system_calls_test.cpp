// vprintf, __assertfail, malloc and free as compilers call them (PTX Writer's Guide to Interoperability, "System
// Calls").
#include "simt/system_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_warp.h"
#include "ptx/parser.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {
namespace system_calls_test {

using testing::HasSubstr;

const std::string kDeclarations =
    ".extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 list);\n"
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n"
    ".global .align 1 .b8 message[6] = {110, 32, 60, 32, 51, 0};\n"                       // n < 3
    ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n"                              // a.cu
    ".global .align 1 .b8 function[10] = {118, 111, 105, 100, 32, 107, 40, 41, 0, 0};\n"  // void k()
    ".global .align 1 .b8 numbers[8] = {37, 100, 58, 37, 115, 10, 0, 0};\n"               // %d:%s\n
    ".global .align 1 .b8 open[2] = {65, 66};\n";                                         // AB without an end

/// Prints the lane's number and the text `file`.
const std::string kPrint = R"(
  .local .align 8 .b8 list[16];
  mov.u64 %d0, list;
  cvta.local.u64 %d1, %d0;
  st.local.u32 [%d0], %r1;
  mov.u64 %d2, file;
  cvta.global.u64 %d2, %d2;
  st.local.u64 [%d0 + 8], %d2;
  mov.u64 %d3, numbers;
  cvta.global.u64 %d3, %d3;
  {
    .param .b64 format; .param .b64 rest; .param .b32 status;
    st.param.b64 [format], %d3;
    st.param.b64 [rest], %d1;
    @%p0 call.uni (status), vprintf, (format, rest);
    ld.param.b32 %r2, [status];
  })";

Lanes32 numbered() {
  Lanes32 lanes;
  for (unsigned lane = 0; lane < 32; ++lane) lanes[lane] = 10 + lane;
  return lanes;
}

TEST(SystemCalls, vprintf_prints_lane_by_lane_and_returns_the_number_of_arguments) {
  OneWarp warp(kPrint, host_instruction_set(), kDeclarations);
  warp.set("%r1", numbered());
  warp.set_predicate("%p0", RowLanes(0b1010));
  warp.run();
  EXPECT_EQ(warp.printed(), "11:a.cu\n13:a.cu\n");
  EXPECT_EQ(warp.lane("%r2", 3), 2u);
}

TEST(SystemCalls, one_is_one_instruction_with_its_arguments_in_registers) {
  OneWarp warp(kPrint, host_instruction_set(), kDeclarations);
  const auto& code = warp.program().code;
  // 9 as written, 2 moves of arguments, the call, 1 move of its result, ret
  ASSERT_EQ(code.size(), 13u);
  EXPECT_EQ(code[10].kind, InstructionKind::Arithmetic);
  EXPECT_EQ(code[10].timing, TimingClass::Control);
  EXPECT_EQ(code[10].source_count, 2);
  EXPECT_EQ(code[10].destination_count, 1);
  EXPECT_FALSE(code[10].ends_block);
}

TEST(SystemCalls, no_format_is_minus_one) {
  OneWarp warp("call (%r0), vprintf, (%d0, %d1);", host_instruction_set(), kDeclarations);
  warp.run(RowLanes::first(1));
  EXPECT_EQ(warp.lane("%r0"), ~0u);
  EXPECT_EQ(warp.printed(), "");
}

TEST(SystemCalls, a_pure_virtual_function_is_nothing_to_call) {
  OneWarp warp("call __cxa_pure_virtual;", host_instruction_set(), ".extern .func __cxa_pure_virtual();");
  EXPECT_NO_THROW(warp.run({}));
  EXPECT_THAT([&] { warp.run(); }, testing::ThrowsMessage<Error>(HasSubstr("that the object's class leaves open")));
}

const std::string kHeap =
    ".extern .func (.param .b64 p) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n.global .u32 variable;";

TEST(SystemCalls, malloc_gives_each_lane_memory_of_its_own) {
  OneWarp warp("call (%d0), malloc, (%d1);", host_instruction_set(), kHeap);
  warp.set64("%d1", 100);
  warp.run(RowLanes::first(2));
  EXPECT_EQ(warp.memory().allocation_at(warp.lane64("%d0", 0)).bytes, 100u);
  EXPECT_EQ(warp.memory().allocation_at(warp.lane64("%d0", 1)).bytes, 100u);
  EXPECT_NE(warp.lane64("%d0", 0), warp.lane64("%d0", 1));
}

TEST(SystemCalls, malloc_of_nothing_or_too_much_is_null) {
  OneWarp warp("call (%d0), malloc, (%d1);", host_instruction_set(), kHeap);
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 20, ~std::uint64_t{0}}) {
    warp.set64("%d0", 7);
    warp.set64("%d1", bytes);
    warp.run(RowLanes::first(1));
    EXPECT_EQ(warp.lane64("%d0"), 0u) << bytes;
  }
}

TEST(SystemCalls, free_gives_back_what_malloc_gave_once) {
  OneWarp warp("call (%d0), malloc, (%d1);\ncall free, (%d0);\ncall free, (%d2);", host_instruction_set(), kHeap);
  const std::size_t before = warp.memory().allocations().size();
  warp.set64("%d1", 100);
  warp.set64("%d2", 0);
  EXPECT_NO_THROW(warp.run());
  EXPECT_EQ(warp.memory().allocations().size(), before);
}

TEST(SystemCalls, free_refuses_what_malloc_did_not_give) {
  OneWarp warp("mov.u64 %d0, variable;\ncall free, (%d0);", host_instruction_set(), kHeap);
  EXPECT_THAT([&] { warp.run(); }, testing::ThrowsMessage<Error>(HasSubstr("which is not what malloc gave")));
  OneWarp twice("call (%d0), malloc, (%d1);\ncall free, (%d0);\ncall free, (%d0);", host_instruction_set(), kHeap);
  twice.set64("%d1", 100);
  EXPECT_THAT([&] { twice.run(); }, testing::ThrowsMessage<Error>(HasSubstr("which is not what malloc gave")));
}

std::string fault(const std::string& body) {
  OneWarp warp(body, host_instruction_set(), kDeclarations);
  try {
    warp.run(RowLanes::first(1));
  } catch (const MemoryFault& error) {
    return error.what();
  }
  return "no fault";
}

TEST(SystemCalls, a_text_or_an_argument_that_is_not_there_is_a_fault_with_its_place) {
  EXPECT_THAT(fault("mov.u64 %d0, 16;\ncall vprintf, (%d0, %d1);"), HasSubstr("there is no text at 0x10"));
  EXPECT_THAT(fault("mov.u64 %d0, open;\ncall vprintf, (%d0, %d1);"), HasSubstr("a zero byte at its end"));
  EXPECT_THAT(fault("mov.u64 %d0, numbers;\ncall vprintf, (%d0, %d1);"),
              HasSubstr("thread (0,0,0) of block (0,0,0): printf's format asks for an argument that was not given"));
}

TEST(SystemCalls, assertion_is_told_as_cuda_tells_it_for_each_lane) {
  OneWarp warp(
      "mov.u64 %d0, message;\nmov.u64 %d1, file;\nmov.u64 %d2, function;\nmov.u64 %d3, 1;\n"
      "@%p0 call.uni __assertfail, (%d0, %d1, 12, %d2, %d3);",
      host_instruction_set(), kDeclarations);
  EXPECT_NO_THROW(warp.run());
  warp.set_predicate("%p0", RowLanes(0b1100));
  EXPECT_THAT([&] { warp.run(); }, testing::ThrowsMessage<AssertionFailure>(
                                       "a.cu:12: void k(): block: [0,0,0], thread: [2,0,0] Assertion `n < 3` failed.\n"
                                       "a.cu:12: void k(): block: [0,0,0], thread: [3,0,0] Assertion `n < 3` failed."));
}

/// A module with addresses of 32 bits whose kernel prints 1 as `long` and its own number.
struct Narrow {
  Narrow()
      : module(ptx::parse(R"(.version 6.0
.target sm_20
.address_size 32
.extern .func (.param .b32 status) vprintf (.param .b32 format, .param .b32 list);
.global .align 1 .b8 text[9] = {37, 108, 100, 32, 37, 100, 59, 0, 0};
.entry k()
{
  .local .align 8 .b8 list[8];
  .reg .b32 %r<5>;
  mov.u32 %r0, list;
  cvta.local.u32 %r1, %r0;
  st.local.u32 [%r0], 1;
  mov.u32 %r2, %tid.x;
  st.local.u32 [%r0+4], %r2;
  mov.u32 %r3, text;
  call (%r4), vprintf, (%r3, %r1);
  ret;
})",
                          "narrow.ptx"),
               memory) {
    launch.program = &module.kernel("k");
    launch.memory = &memory;
    launch.block = {3, 1, 1};
  }
  void run() {
    BlockContext block(launch);
    block.start({0, 0, 0});
    for (const Instruction& instruction : launch.program->code)
      if (instruction.handler) instruction.handler(instruction, block.warp(0), block.warp(0).live);
  }

  DeviceMemory memory{1 << 12};
  LoadedModule module;
  Launch launch;
};

TEST(SystemCalls, modules_of_32_bits_pack_what_they_print_in_four_bytes_each) {
  Narrow narrow;
  std::string printed;
  narrow.launch.printed = &printed;
  narrow.run();
  EXPECT_EQ(printed, "1 0;1 1;1 2;");
}

TEST(SystemCalls, nobody_needs_to_listen) {
  Narrow narrow;
  narrow.launch.printed = nullptr;
  EXPECT_NO_THROW(narrow.run());
}

TEST(SystemCalls, a_format_may_lie_in_shared_memory_and_its_texts_in_local_memory) {
  OneWarp warp(
      ".shared .align 8 .b8 f[8];\n.local .align 8 .b8 l[16];\nmov.u32 %r1, 0x7325;\nst.shared.u32 [f], %r1;\n"
      "mov.u64 %d0, f;\ncvta.shared.u64 %d0, %d0;\nmov.u64 %d1, l;\ncvta.local.u64 %d1, %d1;\nadd.u64 %d2, %d1, 8;\n"
      "st.local.u64 [l], %d2;\nmov.u32 %r3, %laneid;\nadd.u32 %r3, %r3, 65;\nst.local.u32 [l+8], %r3;\n"
      "call (%r2), vprintf, (%d0, %d1);",
      host_instruction_set(), kDeclarations);
  warp.run(RowLanes(0b1010));
  EXPECT_EQ(warp.printed(), "BD");  // each lane's own text
}

TEST(SystemCalls, what_cannot_be_decoded_is_refused) {
  const auto refusal = [](const std::string& body) {
    try {
      OneWarp warp(body, host_instruction_set(),
                   kDeclarations + ".extern .func (.param .b64 p) realloc(.param .b64 n);");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(refusal("call (%d0), realloc, (%d1);"), HasSubstr("function 'realloc' has no body"));
  EXPECT_THAT(refusal("call vprintf, (%d0);"), HasSubstr("'vprintf' takes 2 arguments and gives 1 result"));
  EXPECT_THAT(refusal("call vprintf, (%r0, %d0);"), HasSubstr("register %r0 is .b32 where .b64 is read"));
  EXPECT_THAT(refusal("{ .param .b64 a; st.param.b32 [a], %r0; st.param.b32 [a+4], %r0; call vprintf, (a, %d0); }"),
              HasSubstr("an argument is not one number in one register"));
}

}  // namespace system_calls_test
}  // namespace warpfork::simt

#include "x86/decoder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/x86/decoder_forms.h"
#include "x86/code.h"
#include "x86/uop_text.h"

namespace warpfork::x86 {
namespace decoder_test {

using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

std::string message_of(const Bytes& bytes) {
  try {
    decode(0x401000, bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "decoded";
}

StaticInstruction at_401000(const Bytes& bytes) { return decode(0x401000, bytes).instruction; }

TEST(Decoder, makes_of_every_form_the_uops_that_the_table_says) {
  std::size_t forms = 0;
  for (const Form& form : decoder_forms()) {
    const Decoding decoding = decode(0x401000, form.bytes);
    std::vector<std::string> uops;
    for (const Uop& uop : decoding.uops) uops.push_back(with_sorted_sources(to_text(uop, decoding.accesses)));
    EXPECT_EQ(uops, form.uops) << form.assembly;
    ++forms;
  }
  EXPECT_GT(forms, 350u);
}

TEST(Decoder, says_where_branches_go) {  // offsets count from the end of the instruction
  const Bytes je = {0x74, 0xfe}, call = {0xe8, 0x00, 0x01, 0x00, 0x00}, jump_register = {0xff, 0xe3};
  EXPECT_EQ(at_401000(je).branch, BranchKind::Conditional);
  EXPECT_EQ(at_401000(je).target, 0x401000u);
  EXPECT_EQ(at_401000(je).fall_through(), 0x401002u);
  EXPECT_EQ(at_401000(call).branch, BranchKind::Call);
  EXPECT_EQ(at_401000(call).target, 0x401105u);
  EXPECT_EQ(at_401000(jump_register).branch, BranchKind::IndirectJump);
  EXPECT_EQ(at_401000(jump_register).target, 0u);
  EXPECT_EQ(at_401000({0xff, 0xd3}).branch, BranchKind::IndirectCall);
  EXPECT_EQ(at_401000({0xe9, 0, 0, 0, 0}).branch, BranchKind::Jump);
  EXPECT_EQ(at_401000({0xc3}).branch, BranchKind::Return);
  EXPECT_EQ(at_401000({0xe3, 0x10}).branch, BranchKind::Conditional);  // jrcxz
  EXPECT_EQ(at_401000({0x90}).branch, BranchKind::None);
}

/// "sp at access 0 - 8": what the address of that access, less or more so many bytes, is.
std::string stack_access_of(const Bytes& bytes) {
  const StackAccess stack = at_401000(bytes).stack;
  if (stack.of == StackAccess::Register::None) return "";
  const char* name = stack.of == StackAccess::Register::StackPointer ? "sp" : "fp";
  return fmt::format("{} at access {}{:+}", name, stack.access, -stack.offset);
}

// rsp is told as it is behind the instruction: a pop leaves it above what it read.
TEST(Decoder, says_which_accesses_tell_of_the_stack) {
  EXPECT_EQ(stack_access_of({0x50}), "sp at access 0+0");                           // push rax
  EXPECT_EQ(stack_access_of({0xff, 0x74, 0x24, 0x08}), "sp at access 1+0");         // push [rsp + 8]
  EXPECT_EQ(stack_access_of({0x58}), "sp at access 0+8");                           // pop rax
  EXPECT_EQ(stack_access_of({0x66, 0x58}), "sp at access 0+2");                     // pop ax
  EXPECT_EQ(stack_access_of({0xc9}), "sp at access 0+8");                           // leave
  EXPECT_EQ(stack_access_of({0x48, 0x8b, 0x44, 0x24, 0x10}), "sp at access 0-16");  // mov rax, [rsp + 16]
  EXPECT_EQ(stack_access_of({0x48, 0x89, 0x44, 0x24, 0xf8}), "sp at access 0+8");   // mov [rsp - 8], rax
  EXPECT_EQ(stack_access_of({0x48, 0x8b, 0x45, 0xf0}), "fp at access 0+16");        // mov rax, [rbp - 16]
  EXPECT_EQ(stack_access_of({0x48, 0x8b, 0x04, 0x04}), "");                         // mov rax, [rsp + rax]
  EXPECT_EQ(stack_access_of({0x64, 0x48, 0x8b, 0x44, 0x24, 0x08}), "");             // mov rax, fs:[rsp + 8]
  EXPECT_EQ(stack_access_of({0x48, 0x8d, 0x44, 0x24, 0x08}), "");                   // lea rax, [rsp + 8]
  EXPECT_EQ(stack_access_of({0x48, 0x8b, 0x07}), "");                               // mov rax, [rdi]
  EXPECT_EQ(stack_access_of({0x0f, 0xae, 0x44, 0x24, 0x40}), "");                   // fxsave [rsp + 64]
}

TEST(Decoder, marks_what_is_atomic_repeats_or_calls_the_system) {
  EXPECT_TRUE(at_401000({0xf0, 0x48, 0x01, 0x17}).atomic);  // lock add [rdi], rdx
  EXPECT_FALSE(at_401000({0x48, 0x01, 0x17}).atomic);
  EXPECT_TRUE(at_401000({0x48, 0x87, 0x1f}).atomic);   // xchg [rdi], rbx locks without a prefix
  EXPECT_FALSE(at_401000({0x48, 0x87, 0xd8}).atomic);  // xchg rax, rbx
  EXPECT_TRUE(at_401000({0xf3, 0xa4}).repeats);        // rep movsb
  EXPECT_FALSE(at_401000({0xa4}).repeats);
  EXPECT_FALSE(at_401000({0xf3, 0xc3}).repeats);  // rep ret
  EXPECT_TRUE(at_401000({0x0f, 0x05}).system_call);
  EXPECT_TRUE(at_401000({0xcd, 0x80}).system_call);
  EXPECT_FALSE(at_401000({0x0f, 0xa2}).system_call);  // cpuid
}

TEST(Decoder, lists_accesses_in_the_order_in_which_they_happen) {
  const Decoding push = decode(0, Bytes{0xff, 0x37});  // push qword ptr [rdi]
  ASSERT_EQ(push.accesses.size(), 2u);
  EXPECT_FALSE(push.accesses[0].store);
  EXPECT_TRUE(push.accesses[1].store);
  EXPECT_EQ(push.uops[1].access, 1);
  const Decoding state = decode(0, Bytes{0x0f, 0xae, 0x07});  // fxsave [rdi]: 512 bytes
  ASSERT_EQ(state.accesses.size(), 1u);
  EXPECT_EQ(state.accesses[0].bytes, 32);
}

TEST(Decoder, refuses_what_it_cannot_say_the_meaning_of_with_place_and_bytes) {
  EXPECT_THAT(message_of({0x06}), HasSubstr("0x401000: 06: no x86-64 instruction"));  // push es
  EXPECT_THAT(message_of({0x48, 0x8b}), HasSubstr("48 8b: no x86-64 instruction"));   // cut off
  EXPECT_THAT(message_of({}), HasSubstr("no x86-64 instruction"));
  EXPECT_THAT(message_of({0x90, 0x90}), HasSubstr("the first ends after 1 byte"));
  EXPECT_THAT(message_of({0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1}), HasSubstr("AVX-512"));  // vaddps zmm0, zmm0, zmm1
  EXPECT_THAT(message_of({0xc5, 0xf8, 0x92, 0xc8}), HasSubstr("AVX-512"));              // kmovw k1, eax
  EXPECT_THAT(message_of({0xf3, 0x0f, 0x38, 0xd8, 0x07}), HasSubstr("Key Locker"));     // aesencwide128kl [rdi]
  EXPECT_THAT(message_of({0xec}), HasSubstr("input and output"));                       // in al, dx
  EXPECT_THAT(message_of({0x48, 0xcb}), HasSubstr("far branches"));                     // retf
}

TEST(Decoder, finds_the_end_of_an_instruction_and_of_none_that_is_cut_off) {
  const Bytes add_and_ret = {0x48, 0x01, 0xc3, 0xc3};
  EXPECT_EQ(instruction_length(add_and_ret), 3u);
  EXPECT_EQ(instruction_length(std::span(add_and_ret).first(3)), 3u);
  EXPECT_EQ(instruction_length(std::span(add_and_ret).first(2)), 0u);
  EXPECT_EQ(instruction_length({}), 0u);
}

TEST(DecoderCode, decodes_an_instruction_once_and_finds_it_again) {
  Code code;
  const Bytes add = {0x48, 0x01, 0xc3};
  const StaticInstruction& added = code.add(0x401000, add);
  EXPECT_EQ(&code.add(0x401000, add), &added);
  EXPECT_EQ(code.at(0x401000), &added);
  EXPECT_EQ(code.at(0x401001), nullptr);
  EXPECT_EQ(code.size(), 1u);
  EXPECT_THAT(code.bytes(0x401000), ::testing::ElementsAreArray(add));
  EXPECT_TRUE(code.bytes(0x401003).empty());
}

TEST(DecoderCode, refuses_other_bytes_at_a_place_that_it_knows) {
  Code code;
  code.add(0x401000, Bytes{0x90});
  EXPECT_THROW(code.add(0x401000, Bytes{0xc3}), Error);
  EXPECT_THROW(code.add(0x401000, (Bytes{0x48, 0x90})), Error);
  EXPECT_THROW(code.add(0x402000, Bytes{0x06}), Error);
  EXPECT_EQ(code.at(0x402000), nullptr);
}

TEST(DecoderCode, keeps_instructions_and_their_spans_where_they_are_while_it_grows) {
  Code code;
  const Bytes add = {0x48, 0x01, 0x17};  // add [rdi], rdx: three µops, two accesses
  const StaticInstruction& first = code.add(0, add);
  const Uop* const uops = first.uops.data();
  for (std::uint64_t pc = 3; pc < 300'000; pc += 3) code.add(pc, add);
  EXPECT_EQ(code.size(), 100'000u);
  EXPECT_EQ(code.at(0), &first);
  EXPECT_EQ(first.uops.data(), uops);
  for (std::uint64_t pc = 0; pc < 300'000; ++pc) {
    const StaticInstruction* const found = code.at(pc);
    ASSERT_EQ(found != nullptr, pc % 3 == 0);
    if (found == nullptr) continue;
    ASSERT_EQ(found->pc, pc);
    ASSERT_EQ(to_text(found->uops[2], found->accesses), "store8 < rdi t0");
  }
}

}  // namespace decoder_test
}  // namespace warpfork::x86

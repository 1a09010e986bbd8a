// Which dotted words an instruction may have (PTX ISA, syntax of each instruction).
#include "ptx/word_set.h"

#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace word_set_test {

/// "word: what is allowed" of the only instruction of the body.
std::string refusal(const std::string& text) {
  const auto refused = refused_word(parse_instruction(text));
  return refused ? refused->text + ": " + refused->allowed : "taken";
}

TEST(WordSet, depends_on_the_type) {
  EXPECT_EQ(refusal("add.sat.s32 %r0, %r1, %r2;"), "taken");
  EXPECT_EQ(refusal("add.sat.u32 %r0, %r1, %r2;"), "sat: {.cc}");
  EXPECT_EQ(refusal("add.ftz.f32 %f0, %f1, %f2;"), "taken");
  EXPECT_EQ(refusal("add.ftz.f64 %d0, %d1, %d1;"), "ftz: {.rn|.rz|.rm|.rp}");
  EXPECT_EQ(refusal("cvt.rzi.ftz.s32.f32 %r0, %f0;"), "taken");
  EXPECT_EQ(refusal("cvt.rzi.ftz.s32.f64 %r0, %d0;"), "ftz: (.rni|.rzi|.rmi|.rpi){.sat}");
  EXPECT_EQ(refusal("xor.sat.b32 %r0, %r1, %r2;"), "sat: no other word");
}

TEST(WordSet, has_alternatives_of_which_one_is_taken) {
  EXPECT_EQ(refusal("add.rz.f64 %d0, %d1, %d1;"), "taken");
  EXPECT_EQ(refusal("add.rz.rm.f64 %d0, %d1, %d1;"), "rm: {.rn|.rz|.rm|.rp}");
  EXPECT_EQ(refusal("add.sat.sat.s32 %r0, %r1, %r2;"), "sat: {.sat|.cc}");
}

// mma: types of D, A, B and C.
TEST(WordSet, takes_a_word_as_often_as_it_is_an_alternative) {
  const std::string operands = " {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};", words = "mma.sync.aligned.m8n8k16.row.col.";
  EXPECT_EQ(refusal(words + "s32.s8.s8.s32" + operands), "taken");
  EXPECT_EQ(refusal(words + "s32.s8.u8.s32" + operands), "taken");
  EXPECT_EQ(refusal(words + "s32.s8.s8.s8.s32" + operands).substr(0, 4), "s8: ");
  EXPECT_EQ(refusal(words + "row.s32.s8.s8.s32" + operands).substr(0, 5), "row: ");
}

TEST(WordSet, has_alternatives_of_which_one_must_be) {
  const auto missing = [](const char* text) { return missing_word(parse_instruction(text)).value_or("nothing"); };
  EXPECT_EQ(missing("mul.u32 %r0, %r1, %r2;"), ".lo|.hi|.wide");
  EXPECT_EQ(missing("mul.wide.u16 %r0, %h1, %h2;"), "nothing");
  EXPECT_EQ(missing("cvt.f32.f64 %f0, %d0;"), ".rn|.rz|.rm|.rp");
  EXPECT_EQ(missing("cvt.f64.f32 %d0, %f0;"), "nothing");
  EXPECT_EQ(refusal("mul.sat.u32 %r0, %r1, %r2;"), "sat: (.lo|.hi|.wide)");
}

TEST(WordSet, knows_spaces_vectors_and_types_too) {
  EXPECT_EQ(refusal("ld.global.nc.v2.u32 {%r0, %r1}, [%rd0];"), "taken");
  EXPECT_EQ(refusal("ld.shared.nc.u32 %r0, [%r1];").substr(0, 4), "nc: ");
  EXPECT_EQ(refusal("add.global.u32 %r0, %r1, %r2;"), "global: {.cc}");
  EXPECT_EQ(refusal("add.v2.u32 %r0, %r1, %r2;"), "v2: {.cc}");
  EXPECT_EQ(refusal("xor.b32.b32 %r0, %r1, %r2;"), "b32: no other word");
}

TEST(WordSet, is_not_known_of_what_nothing_executes) { EXPECT_EQ(refusal("discard.global.L2 [%rd0], 128;"), "taken"); }

}  // namespace word_set_test
}  // namespace warpfork::ptx

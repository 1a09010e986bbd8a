// Calls and indexed branches (PTX ISA, "call" and "brx.idx") as flat code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwice = ".func (.reg .u32 %out) twice(.reg .u32 %in) { add.u32 %out, %in, %in; ret; }\n";

TEST(Inliner, code_without_calls_stays_as_it_is) {
  EXPECT_THAT(lowered_lines("add.u32 %r0, %r1, 1;\nret;"), ElementsAre("add.u32 %r0, %r1, 1;", "ret;"));
}

TEST(Inliner, registers_of_arguments_and_results_are_moved_around_the_body) {
  EXPECT_THAT(lowered_lines("call (%r0), twice, (%r1);\nret;", kTwice),
              ElementsAre("mov.u32 %in, %r1;", "add.u32 %out, %in, %in;", "mov.u32 %r0, %out;", "ret;"));
}

TEST(Inliner, an_argument_may_be_a_literal) {
  EXPECT_THAT(lowered_lines("call (%r0), twice, (7);\nret;", kTwice)[0], "mov.u32 %in, 7;");
}

TEST(Inliner, each_call_has_registers_of_its_own) {
  const ptx::Function f = lowered("call (%r0), twice, (%r1);\ncall (%r2), twice, (%r3);\nret;", kTwice);
  ASSERT_EQ(f.body.size(), 7u);
  EXPECT_NE(f.body[0].operands[0], f.body[3].operands[0]);
  EXPECT_EQ(f.registers.size(), 40u + 2 * 2);
}

TEST(Inliner, a_return_in_the_middle_jumps_behind_the_body) {
  const std::string early = ".func early() { .reg .pred %q; @%q ret; bar.sync 0; ret; }\n";
  EXPECT_THAT(lowered_lines("call early;\nexit;", early), ElementsAre("@%q bra return; -> 2", "bar.sync 0;", "exit;"));
}

TEST(Inliner, the_guard_of_a_call_jumps_over_the_body) {
  EXPECT_THAT(lowered_lines("@%p1 call (%r0), twice, (%r1);\nret;", kTwice),
              ElementsAre("@!%p1 bra after call; -> 4", "mov.u32 %in, %r1;", "add.u32 %out, %in, %in;",
                          "mov.u32 %r0, %out;", "ret;"));
}

TEST(Inliner, labels_of_the_caller_are_moved_past_what_was_put_in) {
  EXPECT_THAT(lowered_lines("top: call (%r0), twice, (%r1);\nbra top;", kTwice)[3], "bra top; -> 0");
  EXPECT_THAT(lowered_lines("bra end;\ncall (%r0), twice, (%r1);\nend: ret;", kTwice)[0], "bra end; -> 4");
}

TEST(Inliner, labels_of_the_callee_are_moved_to_where_its_copy_is) {
  const std::string loop = ".func spin() { .reg .pred %q; L: @%q bra L; ret; }\n";
  EXPECT_THAT(lowered_lines("exit;\ncall spin;\nret;", loop)[1], "@%q bra L; -> 1");
}

TEST(Inliner, functions_that_call_others_are_put_in_from_the_innermost_on) {
  const std::string outer = kTwice +
                            ".func (.reg .u32 %b) four(.reg .u32 %a) {\n"
                            ".reg .u32 %t; call (%t), twice, (%a); call (%b), twice, (%t); ret; }\n";
  EXPECT_EQ(lowered("call (%r0), four, (%r1);\nret;", outer).body.size(), 1u + 3 + 3 + 1 + 1);
}

TEST(Inliner, shared_variables_are_one_for_all_copies_and_local_ones_each_copys_own) {
  const std::string holder = ".func hold() { .shared .u32 s; .local .u32 l; ret; }\n";
  const ptx::Function f = lowered("call hold;\ncall hold;\nret;", holder);
  int shared = 0, local = 0;
  for (const ptx::Variable& variable : f.variables) ++(variable.space == ptx::StateSpace::Shared ? shared : local);
  EXPECT_EQ(shared, 1);
  EXPECT_EQ(local, 2);
}

TEST(Inliner, an_indexed_branch_compares_with_all_but_its_last_target) {
  const auto code = lowered_lines("brx.idx %r0, T;\nA: exit;\nB: exit;\nC: ret;\nT: .branchtargets A, B, C;");
  EXPECT_THAT(code, ElementsAre("setp.eq.u32 %index, %r0, 0;", "@%index bra A; -> 5", "setp.eq.u32 %index, %r0, 1;",
                                "@%index bra B; -> 6", "bra C; -> 7", "exit;", "exit;", "ret;"));
}

TEST(Inliner, an_indexed_branch_of_one_target_needs_no_comparison) {
  EXPECT_THAT(lowered_lines("brx.idx %r0, T;\nA: ret;\nT: .branchtargets A;"), ElementsAre("bra A; -> 1", "ret;"));
}

TEST(Inliner, system_calls_are_left) {
  const std::string printer = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";
  const auto code = lowered_lines(
      "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;\n"
      "call (r), vprintf, (a, b); ld.param.b32 %r0, [r]; }\nret;",
      printer);
  EXPECT_THAT(code[2], HasSubstr("call (%param"));
  EXPECT_THAT(code[2], HasSubstr("vprintf"));
}

TEST(Inliner, recursion_is_refused_whatever_the_way_round) {
  EXPECT_THAT(refusal("call f;\nret;", ".func f() { call f; ret; }\n"),
              AllOf(HasSubstr("t.ptx:4: error: instruction 'call'"), HasSubstr("function 'f' is recursive")));
  EXPECT_THAT(refusal("call f;\nret;", ".func g();\n.func f() { call g; ret; }\n.func g() { call f; ret; }\n"),
              HasSubstr("is recursive; calls are inlined"));
}

TEST(Inliner, calls_that_name_no_body_are_refused) {
  EXPECT_THAT(refusal("P: .callprototype _ ();\ncall %rd0, P;\nret;"), HasSubstr("indirect calls are not supported"));
  EXPECT_THAT(refusal("call malloc;\nret;", ".extern .func malloc();\n"),
              HasSubstr("function 'malloc' has no body in this module"));
}

TEST(Inliner, a_call_with_other_arguments_than_the_function_has_is_refused) {
  EXPECT_THAT(refusal("call (%r0), twice, (%r1, %r2);\nret;", kTwice),
              HasSubstr("'twice' takes 1 arguments and gives 1 results"));
  EXPECT_THAT(refusal("call twice, (%r1);\nret;", kTwice), HasSubstr("'twice' takes 1 arguments"));
}

TEST(Inliner, an_indexed_branch_under_a_guard_is_refused) {
  EXPECT_THAT(refusal("@%p0 brx.idx %r0, T;\nA: ret;\nT: .branchtargets A;"),
              HasSubstr("only an unguarded branch by a table of this function is supported"));
}

TEST(Inliner, words_are_checked_before_they_could_get_lost) {
  EXPECT_THAT(refusal("ld.param.nc.u64 %rd0, [p];\nret;"), HasSubstr("it cannot be '.nc'"));
  EXPECT_THAT(refusal("mul.u32 %r0, %r1, %r2;\nret;"),
              AllOf(HasSubstr("is incomplete, and PTX has no default for it"), HasSubstr("add: .lo|.hi|.wide")));
}

TEST(Inliner, a_call_tree_that_doubles_forever_ends_in_an_error) {
  std::string functions = ".func f0() {";
  for (int i = 0; i < 4096; ++i) functions += "bar.sync 0;";
  functions += "ret; }\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    functions += ".func f" + std::to_string(i) + "() { call " + below + "; call " + below + "; ret; }\n";
  }
  EXPECT_THAT(refusal("call f11;\nret;", functions), HasSubstr("more than 1048576 instructions after inlining"));
}

}  // namespace
}  // namespace warpfork::lower

// Calls and indexed branches (PTX ISA, "call" and "brx.idx") as flat code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace inliner_test {

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
  const std::string early = ".func early() { .reg .pred %q; @%q ret; membar.gl; ret; }\n";
  EXPECT_THAT(lowered_lines("call early;\nexit;", early), ElementsAre("@%q bra return; -> 2", "membar.gl;", "exit;"));
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

// PTX ISA, "call": arguments are registers, constants or .param variables, whatever the parameter is.
TEST(Inliner, registers_and_literals_are_stored_where_a_parameter_is_a_variable) {
  const std::string next =
      ".func (.param .b32 r) next(.param .b32 a) { .reg .b32 x; ld.param.b32 x, [a]; st.param.b32 [r], x; ret; }\n";
  EXPECT_THAT(lowered_lines("call (%r0), next, (%r1);\nret;", next),
              ElementsAre("mov.b32 %param41, %r1;", "mov.b32 x, %param41;", "mov.b32 %param42, x;",
                          "mov.b32 %r0, %param42;", "ret;"));
  EXPECT_EQ(lowered_lines("call (%r0), next, (7);\nret;", next)[0], "mov.b32 %param41, 7;");
}

TEST(Inliner, what_a_variable_holds_is_loaded_where_a_parameter_is_a_register) {
  EXPECT_THAT(lowered_lines("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
                            "call (b), twice, (a); ld.param.b32 %r0, [b]; }\nret;",
                            kTwice),
              ElementsAre("mov.b32 %param42, %r1;", "mov.b32 %in, %param42;", "add.u32 %out, %in, %in;",
                          "mov.b32 %param43, %out;", "mov.b32 %r0, %param43;", "ret;"));
}

// As clang -O0 reads a structure that a function is given.
TEST(Inliner, a_parameter_whose_address_is_taken_is_read_where_it_lies) {
  const std::string reads =
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b64 %d; .reg .b32 %x;\n"
      "mov.b64 %d, a; ld.param.b32 %x, [%d]; st.param.b32 [r], %x; ret; }\n";
  EXPECT_THAT(lowered_lines("call (%r0), f, (%r1);\nret;", reads),
              ElementsAre("st.local.b32 [f::a#1], %r1;", "mov.b64 %d, f::a#1;", "ld.local.b32 %x, [%d];",
                          "mov.b32 %param42, %x;", "mov.b32 %r0, %param42;", "ret;"));
  EXPECT_THAT(lowered_lines("mov.b64 %rd0, p;\nld.param.u64 %rd1, [%rd0];\nret;")[1], "ld.param.u64 %rd1, [%rd0];");
}

TEST(Inliner, a_result_may_be_discarded) {
  const std::string one = ".func (.param .b32 r) one { st.param.b32 [r], 1; ret; }\n";
  EXPECT_THAT(lowered_lines("call (_), one;\nret;", one), ElementsAre("mov.b32 %param40, 1;", "ret;"));
  EXPECT_THAT(lowered_lines("call (_), twice, (%r1);\nret;", kTwice)[2], "mov.u32 _, %out;");
}

TEST(Inliner, a_parameter_may_be_passed_on) {
  const std::string functions =
      ".func inner(.param .b32 a) { .reg .b32 x; ld.param.b32 x, [a]; st.shared.b32 [0], x; ret; }\n"
      ".func outer(.param .b32 b) { call inner, (b); ret; }\n";
  EXPECT_THAT(lowered_lines("call outer, (%r1);\nret;", functions),
              ElementsAre("mov.b32 %param41, %r1;", "mov.b32 x, %param41;", "st.shared.b32 [0], x;", "ret;"));
}

TEST(Inliner, labels_of_each_copy_lead_into_that_copy) {
  const std::string loop = ".func spin() { .reg .pred %q; @%q ret; L: membar.gl; @%q bra L; ret; }\n";
  EXPECT_THAT(lowered_lines("call spin;\ncall spin;\nret;", loop),
              ElementsAre("@%q bra return; -> 3", "membar.gl;", "@%q bra L; -> 1", "@%q bra return; -> 6", "membar.gl;",
                          "@%q bra L; -> 4", "ret;"));
}

TEST(Inliner, a_body_without_a_return_goes_on_behind_its_call) {
  const std::string open = ".func open() { .reg .pred %q; @%q bra E; membar.gl; E: }\n";
  EXPECT_THAT(lowered_lines("call open;\nexit;", open), ElementsAre("@%q bra E; -> 2", "membar.gl;", "exit;"));
}

TEST(Inliner, exits_stay_exits_and_returns_of_the_entry_returns) {
  const std::string leave = ".func leave() { .reg .pred %q; @%q exit; exit; }\n";
  EXPECT_THAT(lowered_lines("@%p0 ret;\ncall leave;\nret;", leave),
              ElementsAre("@%p0 ret;", "@%q exit;", "exit;", "ret;"));
}

TEST(Inliner, guarded_calls_nest) {
  const std::string functions =
      ".func inner() { bar.sync 1; ret; }\n"
      ".func outer() { .reg .pred %q; @!%q call inner; bar.sync 2; ret; }\n";
  EXPECT_THAT(lowered_lines("L: @%p0 call outer;\nbra L;", functions),
              ElementsAre("@!%p0 bra after call; -> 4", "@%q bra after call; -> 3", "bar.sync 1;", "bar.sync 2;",
                          "bra L; -> 0"));
}

TEST(Inliner, one_function_may_be_reached_by_two_ways) {
  const std::string functions =
      ".func leaf() { bar.sync 0; ret; }\n.func a() { call leaf; ret; }\n.func b() { call leaf; call a; ret; }\n";
  EXPECT_THAT(lowered_lines("call a;\ncall b;\nret;", functions),
              ElementsAre("bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "ret;"));
}

TEST(Inliner, function_without_lines_of_a_source_is_at_the_line_of_its_call) {
  const std::string functions =
      ".func without() { membar.gl; ret; }\n.func with() { call without; .loc 1 7 0\nmembar.gl; ret; }\n";
  const ptx::Function f = lowered(".loc 2 30 0\ncall with;\nret;", functions);
  ASSERT_EQ(f.body.size(), 3u);
  EXPECT_EQ(f.body[0].location.source_file, 2u);
  EXPECT_EQ(f.body[0].location.source_line, 30u);
  EXPECT_EQ(f.body[1].location.source_line, 7u);
}

TEST(Inliner, what_was_put_in_keeps_its_own_lines) {
  const ptx::Function f = lowered("\n\ncall (%r0), twice, (%r1);\nret;", kTwice);
  EXPECT_EQ(f.body[0].location.line, 10u);  // four lines of head, an empty one, two of the entry, two empty ones
  EXPECT_EQ(f.body[1].location.line, 4u);
  EXPECT_EQ(f.body[2].location.line, 10u);
}

TEST(Inliner, variables_of_a_body_are_renamed_wherever_they_stand) {
  const std::string holder =
      ".func hold() { .shared .b32 s[2]; .reg .b64 %a; .reg .b32 %v; mov.u64 %a, s; ld.shared.v2.b32 {%v, _}, [s+0];\n"
      "st.shared.b32 [s+4], %v; ret; }\n";
  EXPECT_THAT(lowered_lines("call hold;\nret;", holder),
              ElementsAre("mov.u64 %a, hold::s;", "ld.shared.v2.b32 {%v, _}, [hold::s];",
                          "st.shared.b32 [hold::s+4], %v;", "ret;"));
}

TEST(Inliner, indexed_branches_of_a_body_lead_to_its_own_labels) {
  const std::string choose =
      ".func choose(.reg .u32 %i) { brx.idx %i, T; A: bar.sync 0; ret; B: bar.sync 1; ret; T: .branchtargets A, B; }\n";
  EXPECT_THAT(lowered_lines("exit;\ncall choose, (%r1);\nret;", choose),
              ElementsAre("exit;", "mov.u32 %i, %r1;", "setp.eq.u32 %index, %i, 0;", "@%index bra A; -> 5",
                          "bra B; -> 7", "bar.sync 0;", "bra return; -> 8", "bar.sync 1;", "ret;"));
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

TEST(Inliner, calls_that_name_no_body_are_refused) {
  EXPECT_THAT(refusal("call malloc;\nret;", ".extern .func malloc();\n"),
              HasSubstr("function 'malloc' has no body in this module"));
}

struct WrongCall {
  const char* functions;
  const char* body;
  const char* cause;
};

void PrintTo(const WrongCall& call, std::ostream* out) { *out << call.body; }

class RefusedCall : public testing::TestWithParam<WrongCall> {};

TEST_P(RefusedCall, is_told_with_its_cause) {
  EXPECT_THAT(refusal(std::string(GetParam().body) + "\nret;", GetParam().functions),
              AllOf(HasSubstr("error: instruction 'call'"), HasSubstr(GetParam().cause)));
}

// PTX ISA, "call": the callee is a .func, and types, sizes and number of arguments are those of its parameters.
const WrongCall kWrongCalls[] = {
    {".entry j { ret; }\n", "call j;", "'j' is an entry; only a .func can be called"},
    {".func f(.param .b32 a) { ret; }\n", "{ .param .b64 x; call f, (x); }", "'x' has 8 bytes where 'a' has 4"},
    {".func f(.param .b8 a[12]) { ret; }\n", "{ .param .b8 x[16]; call f, (x); }", "'x' has 16 bytes where 'a' has 12"},
    {".func (.param .b32 r) f { ret; }\n", "{ .param .b64 x; call (x), f; }", "'x' has 8 bytes where 'r' has 4"},
    {".func f(.param .b64 a) { ret; }\n", "call f, (%r1);", "'%r1' is of type .b32 where 'a' is .b64"},
    {".func f(.param .b32 a) { ret; }\n", "call f, (%rd1);", "'%rd1' is of type .b64 where 'a' is .b32"},
    {".func f(.param .b32 a) { ret; }\n", "call f, (%p1);", "'%p1' is of type .pred where 'a' is .b32"},
    {".func f(.param .b8 a[8]) { ret; }\n", "call f, (%rd1);", "'a' is an array"},
    {".func f(.reg .u32 a) { ret; }\n", "call f, (%rd1);", "'%rd1' is of type .b64 where 'a' is .u32"},
    {".func f(.reg .u32 a) { ret; }\n", "call f, (%f1);", "'%f1' is of type .f32 where 'a' is .u32"},
    {".func (.param .b32 r) f { ret; }\n", "call (%rd1), f;", "'%rd1' is of type .b64 where 'r' is .b32"},
    {".func (.reg .b32 r) f { ret; }\n", "call (%h1), f;", "'%h1' is of type .b16 where 'r' is .b32"},
    {".func f(.param .b64 a) { ret; }\n", "call f, (p);", "'p' is no .param variable of this body"},
    {".global .u32 x;\n.func f(.param .b64 a) { ret; }\n", "call f, (x);", "'x' is no .param variable of this body"},
    {".func (.param .b32 r) f(.param .b32 a) { ret; }\n", "{ .param .b32 x; call (x), f, (x); }",
     "'x' is an argument and a result of one call"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedCall, testing::ValuesIn(kWrongCalls));

TEST(Inliner, arguments_of_eight_bits_may_stand_in_wider_registers) {
  const std::string byte = ".func (.param .b8 r) f(.param .u8 a) { ret; }\n";
  EXPECT_EQ(lowered_lines("call (%r0), f, (%r1);\nret;", byte)[0], "cvt.u32.u8 %param40, %r1;");
  EXPECT_EQ(lowered("call (%h0), f, (%h1);\nret;", byte).body.size(), 3u);
}

TEST(Inliner, an_array_that_is_left_open_takes_a_variable_of_any_size) {
  const std::string any = ".func any(.param .align 8 .b8 a[]) { ret; }\n";
  EXPECT_EQ(lowered("{ .param .align 8 .b8 x[24]; call any, (x); }\nret;", any).body.size(), 1u);
}

// The prototype says what an unknown function looks like, not which one it is.
TEST(Inliner, a_prototype_with_the_name_of_a_function_does_not_make_a_call_direct) {
  EXPECT_THAT(lowered_lines("f: .callprototype _ ();\ncall %rd0, f;\nret;", ".func f() { ret; }\n"),
              ElementsAre("call %rd0;", "ret;"));
}

/// Two functions of one signature, whose addresses are taken, and a third one's with another.
const std::string kNamed = kTwice +
                           ".func (.reg .u32 %b) next(.reg .u32 %a) { add.u32 %b, %a, 1; ret; }\n"
                           ".func other() { ret; }\n.global .u64 table[3] = {next, other, twice};\n";

TEST(Inliner, a_call_through_a_pointer_compares_it_with_all_that_it_may_be) {
  EXPECT_THAT(
      lowered_lines("P: .callprototype (.reg .u32 r) _ (.reg .u32 a);\ncall (%r0), %rd0, (%r1), P;\nret;", kNamed),
      ElementsAre("setp.ne.u64 %callee, %rd0, twice;", "@%callee bra next callee; -> 6", "mov.u32 %in, %r1;",
                  "add.u32 %out, %in, %in;", "mov.u32 %r0, %out;", "bra after call; -> 11",
                  "setp.ne.u64 %callee, %rd0, next;", "@%callee call %rd0;", "mov.u32 %a, %r1;", "add.u32 %b, %a, 1;",
                  "mov.u32 %r0, %b;", "ret;"));
}

TEST(Inliner, a_table_of_targets_says_whom_a_pointer_may_reach) {
  EXPECT_THAT(lowered_lines("T: .calltargets next;\ncall (%r0), %rd0, (%r1), T;\nret;", kNamed),
              ElementsAre("setp.ne.u64 %callee, %rd0, next;", "@%callee call %rd0;", "mov.u32 %a, %r1;",
                          "add.u32 %b, %a, 1;", "mov.u32 %r0, %b;", "ret;"));
}

TEST(Inliner, the_guard_of_a_call_through_a_pointer_jumps_over_all) {
  EXPECT_THAT(
      lowered_lines("P: .callprototype _ ();\n@%p1 call %rd0, P;\nret;", kNamed),
      ElementsAre("@!%p1 bra after call; -> 3", "setp.ne.u64 %callee, %rd0, other;", "@%callee call %rd0;", "ret;"));
}

// PTX ISA, ".alias": a call of the alias is a call of what it stands for.
TEST(Inliner, an_alias_is_called_as_what_it_stands_for) {
  const std::string names = kTwice + ".func (.reg .u32 %out) also(.reg .u32 %in);\n.alias also, twice;\n";
  EXPECT_EQ(lowered_lines("call (%r0), also, (%r1);\nret;", names),
            lowered_lines("call (%r0), twice, (%r1);\nret;", kTwice));
}

TEST(Inliner, a_variable_of_the_entry_does_not_hide_one_of_the_module_from_a_callee) {
  const ptx::Module module =
      ptx::parse(module_text(".shared .u32 x; st.shared.u32 [x], 1; call f;\nret;", ".func f;\n") +
                     ".global .u32 x;\n.func f { st.global.u32 [x], 2; ret; }\n",
                 "t.ptx");
  const auto code = lines(lower(module, *module.find_function("k"), {}));
  EXPECT_EQ(code[0], "st.shared.u32 [k::x], 1;");
  EXPECT_EQ(code[1], "st.global.u32 [x], 2;");
}

TEST(Inliner, results_are_moved_at_the_line_of_their_own_call) {
  const std::string outer =
      kTwice + ".func (.reg .u32 %b) four(.reg .u32 %a) { call (%b), twice, (%a);\ncall (%b), twice, (%b);\nret; }\n";
  const ptx::Function f = lowered("call (%r0), four, (%r1);\nret;", outer);
  ASSERT_EQ(f.body.size(), 9u);
  EXPECT_EQ(f.body[7].location.line, f.body[0].location.line);
  EXPECT_NE(f.body[7].location.line, f.body[6].location.line);
}

TEST(Inliner, a_call_with_other_arguments_than_the_function_has_is_refused) {
  EXPECT_THAT(refusal("call (%r0), twice, (%r1, %r2);\nret;", kTwice),
              HasSubstr("'twice' takes 1 argument and gives 1 result"));
  EXPECT_THAT(refusal("call twice, (%r1);\nret;", kTwice), HasSubstr("'twice' takes 1 argument"));
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

/// Each calls the one before twice; the first has so many barriers, and what else is given.
std::string doubling(int functions, int barriers, const std::string& more = "") {
  std::string text = ".func f0() {" + more;
  for (int i = 0; i < barriers; ++i) text += "bar.sync 0;";
  text += "ret; }\n";
  for (int i = 1; i < functions; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += ".func f" + std::to_string(i) + "() { call " + below + "; call " + below + "; ret; }\n";
  }
  return text;
}

TEST(Inliner, a_call_tree_that_doubles_has_one_copy_of_each_long_function) {
  const auto count = [](const std::vector<std::string>& code, const char* word) {
    return std::ranges::count_if(code, [&](const std::string& line) { return line.find(word) != std::string::npos; });
  };
  const auto short_of_the_limit = lowered_lines("call f4;\nret;", doubling(5, 4000));
  EXPECT_EQ(count(short_of_the_limit, "bar.sync"), 16 * 4000);
  const auto beyond = lowered_lines("call f39;\nret;", doubling(40, 4000));
  EXPECT_EQ(count(beyond, "bar.sync"), 4000);
  EXPECT_LT(beyond.size(), 4000 + 128u * 40);
}

TEST(Inliner, a_call_tree_that_doubles_and_cannot_be_shared_ends_in_an_error) {
  EXPECT_THAT(refusal("call f11;\nret;", doubling(12, 4096, ".reg .b64 %a, %n; stacksave.u64 %a;")),
              HasSubstr("more than 1048576 instructions after inlining\n  each call becomes a copy"));
}

}  // namespace inliner_test
}  // namespace warpfork::lower

// Recursive functions (PTX ISA, "call") as flat code: branches to one copy and back, and what waits on a stack
// meanwhile.
#include "lower/recursion.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace recursion_test {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// n + (n - 1) + … + 0.
const std::string kSum =
    ".func (.reg .u32 %s) sum(.reg .u32 %n) { .reg .pred %q; .reg .u32 %m; mov.u32 %s, 0; setp.eq.u32 %q, %n, 0;\n"
    "@%q ret; sub.u32 %m, %n, 1; call (%s), sum, (%m); add.u32 %s, %s, %n; ret; }\n";

/// Those that contain the word.
std::vector<std::string> with(const std::string& word, const std::vector<std::string>& code) {
  std::vector<std::string> found;
  std::ranges::copy_if(code, std::back_inserter(found),
                       [&](const std::string& line) { return line.find(word) != std::string::npos; });
  return found;
}

TEST(Recursion, is_a_branch_to_the_one_copy_and_one_back_from_its_end) {
  EXPECT_THAT(
      lowered_lines("call (%r0), sum, (%r1);\nret;", kSum),
      ElementsAre("mov.u64 %stack, %activations;", "mov.u32 %n, %r1;", "mov.u32 %return, 0;", "mov.u32 %s, 0;",
                  "setp.eq.u32 %q, %n, 0;", "@%q bra return; -> 17", "sub.u32 %m, %n, 1;", "st.local.b32 [%stack], %n;",
                  "st.local.b32 [%stack+4], %return;", "add.u64 %stack, %stack, 8;", "mov.u32 %n, %m;",
                  "mov.u32 %return, 1;", "bra recursion; -> 3", "sub.u64 %stack, %stack, 8;",
                  "ld.local.b32 %n, [%stack];", "ld.local.b32 %return, [%stack+4];", "add.u32 %s, %s, %n;",
                  "setp.eq.u32 %returns51, %return, 1;", "@%returns51 bra behind call; -> 13", "mov.u32 %r0, %s;",
                  "ret;"));
}

// %m is dead behind the call, and the function does not write %r1 and %r2.
TEST(Recursion, saves_what_is_alive_behind_the_call_and_written_by_the_callee) {
  const auto code = lowered_lines("mov.u32 %r2, 5;\ncall (%r0), sum, (%r1);\nadd.u32 %r0, %r1, %r2;\nret;", kSum);
  EXPECT_THAT(with("st.local", code), ElementsAre("st.local.b32 [%stack], %n;", "st.local.b32 [%stack+4], %return;"));
}

TEST(Recursion, comes_back_to_each_of_its_calls_by_a_number) {
  const std::string twice = ".func f() { .reg .pred %q; @%q ret; call f; bar.sync 1; call f; ret; }\n";
  const auto code = lowered_lines("call f;\nret;", twice);
  EXPECT_THAT(with("mov.u32 %return", code),
              ElementsAre("mov.u32 %return, 0;", "mov.u32 %return, 1;", "mov.u32 %return, 2;"));
  EXPECT_THAT(with("setp", code), ElementsAre(HasSubstr("%return, 1;"), HasSubstr("%return, 2;")));
  EXPECT_THAT(with("behind call", code), ElementsAre(HasSubstr("-> 7"), HasSubstr("-> 14")));
}

TEST(Recursion, of_several_functions_has_one_copy_of_each) {
  const std::string both =
      ".func g();\n.func f() { .reg .pred %q; @%q ret; call g; bar.sync 1; ret; }\n"
      ".func g() { .reg .pred %q; @%q ret; call f; bar.sync 2; call f; ret; }\n";
  const auto code = lowered_lines("call f;\nret;", both);
  EXPECT_THAT(with("bar.sync", code), ElementsAre("bar.sync 2;", "bar.sync 1;"));
  EXPECT_THAT(with("bra recursion", code), ElementsAre("bra recursion; -> 2", "bra recursion; -> 2"));
}

TEST(Recursion, has_copies_of_its_own_for_each_call_from_outside) {
  const auto code = lowered_lines("call (%r0), sum, (%r1);\ncall (%r2), sum, (%r3);\nret;", kSum);
  EXPECT_EQ(with("bra recursion", code).size(), 2u);
  EXPECT_EQ(with("%return, 0;", code).size(), 2u);
  EXPECT_EQ(with("%activations", code).size(), 1u);
}

TEST(Recursion, through_an_alias_is_recursion) {
  const std::string alias = ".func g();\n.func f() { .reg .pred %q; @%q ret; call g; ret; }\n.alias g, f;\n";
  const std::string itself = ".func f() { .reg .pred %q; @%q ret; call f; ret; }\n";
  EXPECT_EQ(lowered_lines("call f;\nret;", alias), lowered_lines("call f;\nret;", itself));
}

TEST(Recursion, through_a_pointer_comes_back_to_the_copy) {
  const std::string itself =
      ".func f();\n.global .u64 pointer = f;\n"
      ".func f() { .reg .b64 %q; P: .callprototype _ (); call %q, P; ret; }\n";
  const auto code = lowered_lines("call f;\nret;", itself);
  EXPECT_THAT(code, Contains("@%callee call %q;"));
  EXPECT_THAT(with("bra recursion", code), ElementsAre("bra recursion; -> 2"));
}

TEST(Recursion, under_a_guard_saves_nothing_for_those_who_jump_over) {
  const auto code = lowered_lines("call f;\nret;", ".func f() { .reg .pred %q; @%q call f; bar.sync 1; ret; }\n");
  EXPECT_EQ(code[2], "@!%q bra after call; -> 9");
  EXPECT_THAT(code[3], StartsWith("st.local"));
  EXPECT_EQ(code[9], "bar.sync 1;");
}

TEST(Recursion, saves_predicates_as_words_and_large_values_first) {
  const std::string all =
      ".func f() { .reg .pred %q, %w; .reg .b64 %d; .reg .b16 %h; mov.u64 %d, 1; mov.u16 %h, 2;\n"
      "setp.eq.u64 %w, %d, 1; @%q call f; @%w st.shared.u64 [0], %d; st.shared.u16 [8], %h; ret; }\n";
  const auto code = lowered_lines("call f;\nret;", all);
  EXPECT_THAT(with("st.local", code),
              ElementsAre("st.local.b64 [%stack], %d;", HasSubstr("b32 [%stack+8], %saved"),
                          "st.local.b32 [%stack+12], %return;", "st.local.b16 [%stack+16], %h;"));
  EXPECT_THAT(with("%w", code), AllOf(Contains(HasSubstr("selp.b32 %saved")), Contains(HasSubstr("setp.ne.u32 %w"))));
  EXPECT_THAT(with("%stack, %stack", code), ElementsAre("add.u64 %stack, %stack, 24;", "sub.u64 %stack, %stack, 24;"));
}

// What is behind the second call alone is not alive at the first.
TEST(Recursion, saves_at_each_call_for_this_call) {
  const std::string two =
      ".func f() { .reg .u32 %a, %b; .reg .pred %q; @%q ret; mov.u32 %a, 1; call f; st.shared.u32 [0], %a;\n"
      "mov.u32 %b, 2; call f; st.shared.u32 [0], %b; ret; }\n";
  EXPECT_THAT(with("st.local", lowered_lines("call f;\nret;", two)),
              ElementsAre("st.local.b32 [%stack], %a;", HasSubstr("%return"), "st.local.b32 [%stack], %b;",
                          HasSubstr("%return")));
}

TEST(Recursion, saves_at_a_call_what_is_read_behind_a_later_one_alone) {
  const std::string later =
      ".func f() { .reg .u32 %a; .reg .pred %q; @%q ret; mov.u32 %a, 1; call f; call f; st.shared.u32 [0], %a; ret; "
      "}\n";
  EXPECT_THAT(with("st.local", lowered_lines("call f;\nret;", later)),
              ElementsAre("st.local.b32 [%stack], %a;", HasSubstr("%return"), "st.local.b32 [%stack], %a;",
                          HasSubstr("%return")));
}

// The second call of g writes nothing of f's, and g saves it where it calls f.
TEST(Recursion, saves_at_a_call_nothing_that_the_callee_leaves_alone) {
  const std::string both =
      ".func g();\n.func f() { .reg .u32 %a; .reg .pred %q; @%q ret; mov.u32 %a, 1; call g; call g;\n"
      "st.shared.u32 [0], %a; ret; }\n.func g() { .reg .pred %q; @%q ret; call f; ret; }\n";
  EXPECT_THAT(with("st.local", lowered_lines("call f;\nret;", both)),
              ElementsAre("st.local.b32 [%stack], %a;", "st.local.b32 [%stack+4], %return;",
                          "st.local.b32 [%stack+8], %return;", "st.local.b32 [%stack], %return;"));
}

TEST(Recursion, reads_all_arguments_before_it_writes_one) {
  const std::string turn = ".func f(.reg .u32 %a, .reg .u32 %b) { .reg .pred %q; @%q ret; call f, (%b, %a); ret; }\n";
  const auto code = lowered_lines("call f, (%r1, %r2);\nret;", turn);
  EXPECT_THAT(with("%passed", code), ElementsAre(HasSubstr("mov.u32 %passed"), HasSubstr("mov.u32 %a, %passed")));
  EXPECT_THAT(code, Contains("mov.u32 %b, %a;"));
}

TEST(Recursion, gives_each_activation_local_variables_of_its_own) {
  const std::string local =
      ".func f() { .reg .pred %q; .local .align 4 .b8 l[12]; .reg .b64 %a; mov.u64 %a, l; @%q call f;\n"
      "st.local.u32 [l+4], 1; cvta.local.u64 %a, l; ret; }\n";
  const ptx::Function f = lowered("call f;\nret;", local);
  const auto code = lines(f);
  EXPECT_THAT(code, AllOf(Contains("add.u64 %a, %frame, 0;"), Contains("st.local.u32 [%frame+4], 1;"),
                          Contains(HasSubstr("cvta.local.u64 %a, %part"))));
  EXPECT_THAT(with("mov.u64 %frame", code), ElementsAre("mov.u64 %frame, %stack;", "mov.u64 %frame, %stack;"));
  EXPECT_THAT(with("%stack, 16;", code), ElementsAre("add.u64 %stack, %stack, 16;", HasSubstr("%stack, 16;"),
                                                     HasSubstr("%stack, 16;"), "sub.u64 %stack, %stack, 16;"));
  EXPECT_THAT(f.variables, ElementsAre(testing::Field(&ptx::Variable::name, "%activations")));
}

TEST(Recursion, has_the_addresses_of_these_variables_as_narrow_and_as_local_as_they_are_read) {
  const std::string local =
      ".func f() { .reg .pred %q; .local .align 4 .b8 l[8]; .reg .b32 %a; @%q call f; mov.u32 %a, l;\n"
      "ld.u32 %a, [l+4]; ret; }\n";
  const auto code = lowered_lines("call f;\nret;", local);
  EXPECT_THAT(with("cvt", code), ElementsAre(HasSubstr("cvt.u32.u64 %part")));
  EXPECT_THAT(code, AllOf(Contains(HasSubstr("mov.u32 %a, %part")), Contains("ld.local.u32 %a, [%frame+4];")));
}

TEST(Recursion, leaves_variables_of_functions_outside_of_the_circle_where_they_are) {
  const std::string leaf =
      ".func leaf() { .local .u32 l; st.local.u32 [l], 1; ret; }\n"
      ".func f() { .reg .pred %q; @%q ret; call leaf; call f; ret; }\n";
  EXPECT_THAT(lowered_lines("call f;\nret;", leaf), Contains("st.local.u32 [leaf::l#3], 1;"));
}

TEST(Recursion, puts_parameters_whose_addresses_are_taken_on_the_stack) {
  const std::string reads =
      ".func f(.param .b32 a) { .reg .b64 %d; .reg .b32 %x; .reg .pred %q; mov.b64 %d, a; ld.param.b32 %x, [%d];\n"
      "@%q call f, (%x); ret; }\n";
  const auto code = lowered_lines("call f, (%r1);\nret;", reads);
  EXPECT_THAT(code, AllOf(Contains("add.u64 %d, %frame, 0;"), Contains("ld.local.b32 %x, [%d];")));
  EXPECT_THAT(with("st.local.b32 [%frame]", code).size(), 2u);
}

TEST(Recursion, has_a_stack_as_large_and_as_wide_as_it_is_told) {
  const ptx::Module module = ptx::parse(".version 3.2\n.target sm_20\n.address_size 32\n" + kSum +
                                            ".entry k() { .reg .u32 %r<2>; call (%r0), sum, (%r1); ret; }\n",
                                        "t.ptx");
  const ptx::Function f = lower(module, *module.find_function("k"), {nullptr, 4096});
  EXPECT_EQ(f.variables.back().bytes, 4096u);
  EXPECT_EQ(lines(f)[0], "mov.u32 %stack, %activations;");
}

TEST(Recursion, costs_what_does_not_recurse_nothing) {
  const ptx::Function f = lowered("@%p0 call f;\nret;", ".func g() { bar.sync 0; ret; }\n.func f() { call g; ret; }\n");
  EXPECT_THAT(f.variables, IsEmpty());
  EXPECT_THAT(lines(f), Each(Not(HasSubstr("%stack"))));
}

TEST(Recursion, of_an_array_without_a_size_is_refused) {
  EXPECT_THAT(refusal("{ .param .align 8 .b8 x[24]; call any, (x); }\nret;",
                      ".func any(.param .align 8 .b8 a[]) { call any, (a); ret; }\n"),
              HasSubstr("function 'any' is recursive, and 'a' has no size"));
}

TEST(Recursion, stands_at_the_line_of_its_call) {
  const ptx::Function f = lowered("call (%r0), sum, (%r1);\nret;", kSum);
  EXPECT_EQ(f.body[7].location.line, 5u);   // saves
  EXPECT_EQ(f.body[15].location.line, 5u);  // and restores
  EXPECT_EQ(f.body[19].location.line, f.body[1].location.line);
}

}  // namespace recursion_test
}  // namespace warpfork::lower

// Heads and bodies of functions, and what is wrong with them (PTX ISA, "Kernel and Function Directives").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace function_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Function function_of(const std::string& text) { return parse_text(kHead + text).functions.at(0); }

/// The text is a module's, behind the head of three lines.
class FunctionError : public testing::TestWithParam<Fault> {};

TEST_P(FunctionError, names_place_cause_and_remedy) { expect_fault(GetParam(), error_of(kHead + GetParam().text)); }

const Fault kHeads[] = {
    {".entry { ret; }", "4:8", "expected the name of the entry, found '{'", ""},
    {".func (.param .b32 r) { ret; }", "4:23", "expected the name of the function, found '{'", ""},
    {".entry k(.param .b32 a { ret; }", "4:24", "expected ')', found '{'", ""},
    {".entry k(.global .b32 a) { ret; }", "4:10", "expected '.param' or '.reg', found '.global'", ""},
    {".entry k(.param .b32) { ret; }", "4:21", "expected the name of a parameter, found ')'", ""},
    {".func f(.reg .v2 .b32 a) { ret; }", "4:23", "a parameter that is a vector register", "pass the elements"},
    {".entry k .maxntid 1,2,3,4 { ret; }", "4:25", "more than 3 numbers after .maxntid", ""},
    {".entry k .maxnreg -1 { ret; }", "4:19", "a number of .maxnreg must be an integer from 1", ""},
    {".entry k .maxnreg 0 { ret; }", "4:19", "a number of .maxnreg must be an integer from 1", ""},
    {".entry k .maxntid 0 { ret; }", "4:19", "a number of .maxntid must be an integer from 1", ""},
    {".entry k .reqntid 32, 0 { ret; }", "4:23", "a number of .reqntid must be an integer from 1", ""},
    {".entry k .maxntid 32 .reqntid 32 { ret; }", "4:22", "'.reqntid' beside '.maxntid'", "an entry has one of them"},
    {".entry k .reqntid 32 .maxntid 64 { ret; }", "4:22", "'.maxntid' beside '.reqntid'", "an entry has one of them"},
    {".entry k(.reg .u32 a) { ret; }", "4:20", "a parameter of an entry in a register", "declare it .param"},
    {".func f;\n.entry f { ret; }", "5:8", "'f' is a function before", "the other declaration is in line 4"},
    {".entry f;\n.func f { ret; }", "5:7", "'f' is an entry before", "the other declaration is in line 4"},
    {".entry k .maxthreads 4 { ret; }", "4:10", "unknown directive '.maxthreads' of a function", "allowed: .maxntid"},
    {".entry k .pragma x; { ret; }", "4:18", "expected a string, found 'x'", ""},
    {".extern .func f { ret; }", "4:17", "expected ';' (an .extern function has no body)", ""},
    {".entry k", "4:9", "expected '{', found the end of the text", ""},
};
INSTANTIATE_TEST_SUITE_P(Heads, FunctionError, testing::ValuesIn(kHeads));

const Fault kRedeclared[] = {
    {".func f(.param .b32 a);\n.func f { ret; }", "5:7", "'f' is declared with other parameters before", "in line 4"},
    {".func f(.param .b32 a);\n.func f(.param .b64 a);", "5:7", "'f' is declared with other parameters before", ""},
    {".func f(.param .b32 a);\n.func f(.reg .b32 a) { ret; }", "5:7", "with other parameters before", ""},
    {".func f(.param .b8 a[8]);\n.func f(.param .b8 a[16]) { ret; }", "5:7", "with other parameters before", ""},
    {".func (.param .b32 r) f;\n.func f { ret; }", "5:7", "'f' is declared with other parameters before", ""},
};
INSTANTIATE_TEST_SUITE_P(Redeclared, FunctionError, testing::ValuesIn(kRedeclared));

TEST(Function, a_declaration_may_call_its_parameters_and_their_types_otherwise) {
  const Module module = parse_text(kHead + ".func f(.param .u32 a);\n.func f(.param .b32 b) { ret; }");
  ASSERT_EQ(module.functions.size(), 1u);
  EXPECT_EQ(module.functions[0].parameters.at(0).name, "b");
}

const Fault kBodies[] = {
    {".entry k {", "4:11", "expected an instruction, a label, a directive or '}'", "the end of the text"},
    {".entry k { ret }", "4:16", "expected an operand, found '}'", ""},
    {".entry k { 5; }", "4:12", "expected an instruction, a label, a directive or '}', found '5'", ""},
    {".entry k { @p: ret; }", "4:13", "'p' is not declared", ""},
    {".entry k { .reg .b32; }", "4:21", "expected the name of a register, found ';'", ""},
    {".entry k { .reg .b32 %r<-1>; }", "4:25", "the number of registers must be an integer from 0", ""},
    {".entry k { .reg .b32 %r<2; }", "4:26", "expected '>', found ';'", ""},
    {".entry k { .reg .b32 a, a; }", "4:25", "'a' is declared twice in this scope", "braces of its own"},
    {".entry k { .reg .b32 r1; .reg .b32 r<3>; }", "4:36", "'r1' is declared twice in this scope", ""},
    {".entry k { .shared .u32 s; .local .u32 s; }", "4:40", "'s' is declared twice in this scope", ""},
    {".entry k { .shared .u32; }", "4:24", "expected the name of a .shared variable, found ';'", ""},
    {".entry k { .file 1 \"a\" }", "4:12", "unexpected directive '.file'", "allowed in a body: .reg"},
    {".entry k { .branchtargets L; }", "4:12", "unexpected directive '.branchtargets'", "it needs a label before it"},
    {".entry k { .callprototype _; }", "4:12", "unexpected directive '.callprototype'", "it needs a label"},
    {".entry k { .loc 1 2; }", "4:20", "expected a constant, found ';'", ""},
    {".entry k { .loc 1 2 3, inlined_into 4 }", "4:24", "unknown word 'inlined_into' of .loc", "inlined_at"},
};
INSTANTIATE_TEST_SUITE_P(Bodies, FunctionError, testing::ValuesIn(kBodies));

const Fault kLabels[] = {
    {".entry k { bra 5; }", "4:16", "expected a label, found '5'", ""},
    {".entry k { bra L; }", "4:16", "label 'L' is not defined", "this function has no labels"},
    {".entry k { A: B: bra C; }", "4:22", "label 'C' is not defined", "labels of this function: A, B"},
    {".entry k { A: ret; A: ret; }", "4:20", "label 'A' is defined twice in this scope", ""},
    {".entry k { { A: ret; } bra A; }", "4:28", "label 'A' is not defined", "this function has no labels"},
    {".entry k { .reg .u32 r; brx.idx r, T; A: ret; }", "4:36", "label 'T' is not defined", "has no tables"},
    {".entry k { .reg .u32 r; brx.idx r, A; A: ret; }", "4:36", "'A' is no table", "name a .branchtargets"},
    {".entry k { bra T; A: ret; T: .branchtargets A; }", "4:16", "'T' is a table", "before an instruction"},
    {".entry k { A: ret; T: .branchtargets A, B; }", "4:41", "label 'B' is not defined", "A"},
    {".entry k { T: .branchtargets 1; }", "4:30", "expected a label, found '1'", ""},
    {".entry k { T: .calltargets 1; }", "4:28", "expected the name of a function, found '1'", ""},
    {".entry k { T: .calltargets nobody; ret; }", "4:28", "'nobody' is not declared", ""},
};
INSTANTIATE_TEST_SUITE_P(Labels, FunctionError, testing::ValuesIn(kLabels));

TEST(FunctionHead, a_limit_of_threads_is_the_product_of_its_extents) {
  EXPECT_EQ(function_of(".entry k .maxntid 256 { ret; }").max_threads, 256u);
  EXPECT_EQ(function_of(".entry k .maxntid 8, 4, 2 { ret; }").max_threads, 64u);
  EXPECT_EQ(function_of(".entry k { ret; }").max_threads, 0u);
}

TEST(FunctionHead, a_product_of_extents_beyond_32_bits_is_no_limit_at_all) {
  EXPECT_EQ(function_of(".entry k .maxntid 65535, 65537 { ret; }").max_threads, 0xffffffffu);
  EXPECT_EQ(function_of(".entry k .maxntid 65536, 65536 { ret; }").max_threads, 0xffffffffu);
  EXPECT_EQ(function_of(".entry k .maxntid 4294967295, 4294967295, 4294967295 { ret; }").max_threads, 0xffffffffu);
}

TEST(FunctionHead, required_extents_that_are_not_written_are_one) {
  EXPECT_EQ(function_of(".entry k .reqntid 32 { ret; }").required_threads, (Dim3{32, 1, 1}));
  EXPECT_EQ(function_of(".entry k .reqntid 4, 5, 6 { ret; }").required_threads, (Dim3{4, 5, 6}));
  EXPECT_EQ(function_of(".entry k { ret; }").required_threads, (Dim3{0, 0, 0}));
}

TEST(FunctionHead, blocks_of_a_cluster_are_kept) {
  EXPECT_EQ(function_of(".entry k .reqnctapercluster 2, 3 { ret; }").cluster, (Dim3{2, 3, 1}));
  EXPECT_EQ(function_of(".entry k { ret; }").cluster, (Dim3{1, 1, 1}));
  const Function k = function_of(".entry k .reqnctapercluster 2 { ret; }");
  EXPECT_THAT(to_text(k), HasSubstr(" .reqnctapercluster 2, 1, 1"));
}

TEST(FunctionHead, directives_that_advise_a_compiler_change_nothing) {
  const Function k = function_of(
      ".entry k .minnctapersm 2 .maxnctapersm 4 .noreturn .explicitcluster .maxclusterrank 8 "
      ".blocksareclusters .abi_preserve 4 .abi_preserve_control 2 .pragma \"nounroll\"; { ret; }");
  EXPECT_EQ(k.max_threads, 0u);
  EXPECT_EQ(k.body.size(), 1u);
}

TEST(FunctionHead, an_entry_without_parameters_may_leave_the_parentheses) {
  EXPECT_THAT(function_of(".entry k { ret; }").parameters, IsEmpty());
  EXPECT_THAT(function_of(".entry k() { ret; }").parameters, IsEmpty());
  EXPECT_EQ(function_of(".entry k { ret; }").parameter_bytes(), 0u);
}

TEST(FunctionHead, a_function_is_an_entry_a_definition_or_a_declaration) {
  EXPECT_TRUE(function_of(".entry k { ret; }").is_entry);
  EXPECT_FALSE(function_of(".func f { ret; }").is_entry);
  EXPECT_FALSE(function_of(".func f { ret; }").is_declaration);
  EXPECT_TRUE(function_of(".func f;").is_declaration);
  EXPECT_TRUE(function_of(".extern .func f;").is_declaration);
}

TEST(FunctionHead, a_declaration_may_end_where_the_next_begins) {
  const Module module = parse_text(kHead +
                                   ".visible .func (.param .s32 r) f (.param .s32 a)\n\n"
                                   ".visible .func (.param .s32 r) f (.param .s32 a) { ret; }\n.extern .func g()\n"
                                   ".global .u32 x;");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_FALSE(module.functions[0].is_declaration);
  EXPECT_TRUE(module.functions[1].is_declaration);
  EXPECT_EQ(module.variables.size(), 1u);
}

TEST(FunctionHead, a_function_knows_where_its_name_stands) {
  const Function k = function_of("\n.visible .entry k { ret; }");
  EXPECT_EQ(k.location.line, 5u);
  EXPECT_EQ(k.location.column, 17u);
}

TEST(FunctionBody, empty_statements_and_braces_are_nothing) {
  EXPECT_THAT(parse_body(";;{}{;}").body, IsEmpty());
  EXPECT_EQ(parse_body("{ { ret; } }").body.size(), 1u);
}

TEST(FunctionBody, a_pragma_is_skipped_wherever_it_stands) {
  EXPECT_EQ(parse_body(".pragma \"nounroll\";\nret;\n.pragma \"a\", \"b\";").body.size(), 1u);
}

TEST(FunctionBody, several_labels_may_name_one_instruction) {
  const Function f = parse_body("bra A; bra B;\nA: B: ret;");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 2u);
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 2u);
}

TEST(FunctionBody, a_table_may_be_used_before_and_behind_its_labels) {
  const Function f = parse_body("T: .branchtargets A, B;\nA: brx.idx %r0, T;\nB: ret;");
  EXPECT_THAT(f.branch_targets.at("T"), ElementsAre(LabelOperand{"A", 0}, LabelOperand{"B", 1}));
}

TEST(FunctionBody, tables_of_two_scopes_may_have_one_name) {
  const Function f =
      parse_body("{ A: brx.idx %r0, T; T: .branchtargets A; }\n{ B: brx.idx %r0, T; C: ret; T: .branchtargets B, C; }");
  EXPECT_EQ(f.branch_targets.size(), 2u);
  EXPECT_EQ(f.branch_targets.at(f.body[1].operands[1].as<SymbolOperand>()->name).size(), 2u);
}

TEST(FunctionBody, call_targets_name_functions_of_the_module) {
  const Module module = parse_text(kHead + ".func f { ret; }\n.func g { ret; }\n.entry k { T: .calltargets f, g; }");
  EXPECT_THAT(module.find_function("k")->call_targets.at("T"), ElementsAre("f", "g"));
}

TEST(FunctionBody, many_labels_are_not_all_shown_but_the_nearest) {
  std::string body = "bra loop_end_9;\n";
  for (int i = 0; i < 9; ++i) body += "loop_end_" + std::to_string(i) + ": \n";
  EXPECT_THAT(body_error(body + "ret;"), HasSubstr("nearest labels of this function: loop_end_"));
}

TEST(FunctionBody, a_function_may_call_itself) {
  const Module module = parse_text(kHead + ".func f { call f; ret; }");
  EXPECT_EQ(module.functions.at(0).body.at(0).operands.at(0).as<SymbolOperand>()->name, "f");
}

TEST(FunctionHead, attributes_may_stand_before_the_name_and_behind_the_parameters) {
  EXPECT_EQ(function_of(".func .attribute(.unified(19, 95)) f { ret; }").name, "f");
  EXPECT_EQ(function_of(".func f(.param .b32 a) .attribute(.unified(0xAB, 0xCD)) { ret; }").parameters.size(), 1u);
  EXPECT_THAT(error_of(kHead + ".func .attribute(.unifed(1, 2)) f { ret; }"), HasSubstr("unknown attribute '.unifed'"));
}

TEST(FunctionBody, a_prototype_of_calls_has_results_parameters_and_directives) {
  const Function k = parse_body(
      "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[12]);\n"
      "Q: .callprototype _ .noreturn;\nR: .callprototype (.reg .u32 a) _ (.reg .u32 b);\nret;");
  EXPECT_EQ(k.prototypes.at("P").returns.size(), 1u);
  ASSERT_EQ(k.prototypes.at("P").parameters.size(), 2u);
  EXPECT_EQ(k.prototypes.at("P").parameters[1].bytes, 12u);
  EXPECT_THAT(k.prototypes.at("Q").parameters, IsEmpty());
  EXPECT_EQ(k.prototypes.at("R").parameters.at(0).space, StateSpace::Register);
}

const Fault kPrototypes[] = {
    {".entry k { P: .callprototype (.param .b32 _); ret; }", "4:45", "expected '_' as the name of the prototype",
     "';'"},
    {".entry k { P: .callprototype _ (.b32 a); ret; }", "4:33", "expected '.param' or '.reg', found '.b32'", ""},
    {".entry k { P: .callprototype _ (.param .b32 a) ret; }", "4:48", "expected ';', found 'ret'", ""},
    {".entry k { call nobody, P; P: .callprototype _; ret; }", "4:17", "'nobody' is not declared", ""},
    {".entry k { .reg .b64 r; call r, P; ret; }", "4:33", "label 'P' is not defined", "this function has no tables"},
    {".entry k { .reg .b64 r; call r, L; L: ret; }", "4:33", "'L' is no table", ".callprototype"},
    {".entry k { .loc 1 2 3, inlined_at 4 5; }", "4:38", "expected a constant, found ';'", ""},
    {".entry k { .loc 1 2 3, 4; }", "4:24", "expected 'function_name' or 'inlined_at', found '4'", ""},
};
INSTANTIATE_TEST_SUITE_P(Prototypes, FunctionError, testing::ValuesIn(kPrototypes));

// PTX ISA, ".loc": the place holds for what follows, up to the next one.
TEST(FunctionBody, a_source_line_holds_until_the_next_one_across_braces) {
  const Function f =
      parse_body("exit;\n.loc 1 7 0\n{ exit; .loc 1 8 0, function_name L+4, inlined_at 1 2 3\nexit; }\nexit;\nL: ret;");
  std::vector<std::uint32_t> lines;
  for (const Instruction& instruction : f.body) lines.push_back(instruction.location.source_line);
  EXPECT_THAT(lines, ElementsAre(0, 7, 8, 8, 8));
}

}  // namespace function_test
}  // namespace warpfork::ptx

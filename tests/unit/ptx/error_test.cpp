#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace error_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ParseError, shows_place_line_caret_and_remedy) {
  EXPECT_EQ(error_of(".version 7.0\n.target sm_70\n.entry k {\n\tbra.uni LBB0_7;\nLBB0_1: ret;\n}\n"),
            "t.ptx:4:10: error: label 'LBB0_7' is not defined\n"
            "    bra.uni LBB0_7;\n"
            "            ^\n"
            "  labels of this function: LBB0_1");
}

TEST(ParseError, names_the_nearest_instruction_and_word) {
  EXPECT_THAT(body_error("ad.s32 %r0, %r1, 2;"), AllOf(HasSubstr("unknown instruction 'ad'"), HasSubstr("add")));
  EXPECT_THAT(body_error("add.s33 %r0, %r1, 2;"), AllOf(HasSubstr("unknown word '.s33'"), HasSubstr(".s32")));
}

TEST(ParseError, names_the_nearest_declared_name) {
  EXPECT_THAT(body_error(".reg .b32 total;\nadd.s32 totl, %r1, 2;"),
              AllOf(HasSubstr("'totl' is not declared"), HasSubstr("total")));
  EXPECT_THAT(body_error("add.s32 %r8, %r1, 2;"), HasSubstr("'%r8' is not declared"));
}

TEST(ParseError, rejects_a_guard_that_is_no_predicate) {
  EXPECT_THAT(body_error("@%r0 ret;"), AllOf(HasSubstr("'%r0' guards"), HasSubstr(".pred")));
}

TEST(ParseError, rejects_names_declared_twice) {
  EXPECT_THAT(body_error(".reg .b32 %r1;"), HasSubstr("declared twice"));
  EXPECT_THAT(body_error("L: ret;\nL: ret;"), HasSubstr("defined twice"));
  EXPECT_THAT(error_of(kHead + ".global .u32 x;\n.global .u32 x;"), HasSubstr("defined twice"));
  EXPECT_THAT(error_of(kHead + ".entry k { ret; }\n.entry k { ret; }"), HasSubstr("defined twice"));
}

TEST(ParseError, rejects_a_wrong_number_of_operands) {
  EXPECT_THAT(body_error("add.s32 %r0, %r1;"), AllOf(HasSubstr("'add' with 2 operands"), HasSubstr("it takes 3")));
  EXPECT_THAT(body_error("ret %r0;"), HasSubstr("'ret' with 1 operand\n"));
}

// What ptxas rejects with "Arguments mismatch".
TEST(ParseError, rejects_registers_that_do_not_fit_the_type) {
  for (const char* text :
       {"add.u32 %r0, %r1, %rd0;", "add.s32 %f0, %f1, %f2;", "mul.wide.u32 %r0, %r1, %r2;", "mov.b32 %r0, %p0;",
        "ld.global.u32 %h0, [%rd0];", "ld.global.u32 %f0, [%rd0];", "popc.b64 %rd0, %rd1;",
        "selp.b32 %r0, %r1, %r2, %r3;", "setp.eq.s32 %r0, %r1, %r2;", "shl.b32 %r0, %r1, %h0;", "cvt.u32.u64 %r0, %r1;",
        "add.s32 %r0, %r1, 1.0;", "add.f32 %f0, %f1, 1;", "ld.global.u32 %r0, %r1;", "add.s32 %r0, [%r1], 1;",
        "ld.global.v2.u32 {%r0}, [%rd0];"})
    EXPECT_THAT(body_error(text), HasSubstr("t.ptx:6:")) << text;
}

// What ptxas accepts: .bX takes any class, loads and conversions a wider register.
TEST(ParseError, accepts_registers_of_a_fitting_type) {
  for (const char* text : {"add.f32 %r0, %r1, %f2;", "and.b32 %f0, %f1, %r2;", "ld.global.u8 %r0, [%rd0];",
                           "ld.global.f32 %rd0, [%rd1];", "ld.global.b32 %d0, [%rd0];", "st.global.u8 [%rd0], %r0;",
                           "cvt.u16.u32 %r0, %r1;", "mov.b32 %r0, 0f3F800000;", "shl.b64 %rd0, %rd1, %r0;"})
    EXPECT_NO_THROW(parse_body(text)) << text;
}

TEST(ParseError, rejects_an_instruction_without_its_type) {
  EXPECT_THAT(body_error("add %r0, %r1, %r2;"), HasSubstr("'add' without a type"));
}

TEST(ParseError, rejects_use_of_tables_as_labels) {
  EXPECT_THAT(body_error("bra T;\nL: ret;\nT: .branchtargets L;"), HasSubstr("'T' is a table"));
  EXPECT_THAT(body_error("brx.idx %r0, L;\nL: ret;"), HasSubstr("'L' is no table"));
}

TEST(ParseError, rejects_wrong_heads) {
  EXPECT_THAT(error_of(""), StartsWith("t.ptx:1:1: error: expected '.version'"));
  EXPECT_THAT(error_of(".version 7.0\n"), HasSubstr("no .target"));
  EXPECT_THAT(error_of(".version 12.0\n.target sm_20\n"), HasSubstr("version 12.0 is not known"));
  EXPECT_THAT(error_of(".version seven\n"), HasSubstr("malformed version"));
  EXPECT_THAT(error_of(".version 7.0\n.target sm_70\n.address_size 48\n"), HasSubstr("32 or 64"));
  EXPECT_THAT(error_of(kHead + ".entri k { ret; }"), HasSubstr("unknown directive '.entri'"));
}

TEST(ParseError, rejects_names_that_never_come) {
  EXPECT_THAT(body_error("call nowhere;"), HasSubstr("'nowhere' is not declared"));
  EXPECT_THAT(error_of(kHead + ".global .u64 x = nowhere;"), HasSubstr("'nowhere' is not declared"));
}

TEST(ParseError, rejects_initialisers_that_do_not_fit) {
  EXPECT_THAT(error_of(kHead + ".global .u32 x[2] = {1, 2, 3};"), HasSubstr("more values"));
  EXPECT_THAT(error_of(kHead + ".global .u32 x = {{1}};"), HasSubstr("more braces"));
  EXPECT_THAT(error_of(kHead + ".global .u32 x[2] = 1;"), HasSubstr("expected '{'"));
  EXPECT_THAT(error_of(kHead + ".global .u32 x = 1.5;"), HasSubstr("floating-point value"));
}

TEST(ParseError, rejects_sizes_that_no_machine_has) {
  EXPECT_THAT(body_error(".reg .b32 %x<4000000000>;"), HasSubstr("too many registers"));
  EXPECT_THAT(error_of(kHead + ".global .b8 x[99999999999999];"), HasSubstr("must be an integer from"));
  EXPECT_THAT(error_of(kHead + ".global .b8 x[1000000][1000000][1000000];"), HasSubstr("is larger than"));
  EXPECT_THAT(error_of(kHead + ".global .align 3 .b8 x;"), HasSubstr("power of two"));
}

TEST(ParseError, rejects_an_open_size_without_initialiser) {
  EXPECT_THAT(error_of(kHead + ".global .u32 x[];"), HasSubstr("size of 'x' is not known"));
}

TEST(ParseError, rejects_prototypes_that_differ) {
  EXPECT_THAT(error_of(kHead + ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }"),
              AllOf(HasSubstr("t.ptx:5:"), HasSubstr("in line 4")));
}

TEST(ParseError, rejects_endless_nesting) {
  EXPECT_THAT(body_error(std::string(100000, '{')), HasSubstr("nested more than"));
  EXPECT_THAT(body_error("mov.b64 " + std::string(100000, '{')), HasSubstr("nested more than"));
  EXPECT_THAT(error_of(kHead + ".global .b8 x[] = " + std::string(100000, '{')), HasSubstr("braces"));
}

TEST(ParseError, shows_a_piece_of_a_very_long_line) {
  const std::string error =
      body_error("/*" + std::string(5000, '-') + "*/ bra nowhere; /*" + std::string(5000, '-') + "*/");
  EXPECT_LT(error.size(), 400u);
  EXPECT_THAT(error, HasSubstr("bra nowhere;"));
}

TEST(ParseError, names_bytes_that_are_no_text) {
  EXPECT_THAT(error_of("\x7f"
                       "ELF"),
              HasSubstr("0x7f"));
}

/// The text is a whole module, as somebody may have written it.
class UsersMistake : public testing::TestWithParam<Fault> {};

TEST_P(UsersMistake, is_told_where_it_is) { expect_fault(GetParam(), error_of(GetParam().text)); }

const Fault kWholeTexts[] = {
    {"__global__ void k(int* p) { *p = 1; }\n", "1:1", "expected '.version' at the beginning of PTX text", ""},
    {"#include <cuda.h>\n", "1:1", "preprocessor directive", "C preprocessor"},
    {"; ModuleID = 'k'\n", "1:1", "expected '.version' at the beginning of PTX text, found ';'", ""},
    {".target sm_70\n.version 7.0\n", "1:1", "expected '.version' at the beginning", "found '.target'"},
    {".version 7.0;\n", "2:1", "the text has no .target", "behind .version"},
    {".version 7.0\n.target sm_70\n.kernel k { ret; }\n", "3:1", "unknown directive '.kernel'", ".entry"},
    {".version 7.0\n.target sm_70\nentry k { ret; }\n", "3:1", "expected a directive, as in '.entry'", "'entry'"},
    {".version 7.0\n.target sm_70\n.visible k { ret; }\n", "3:10", "expected a directive, as in '.entry'", "'k'"},
    {".version 7.0\n.target sm_70\n.entry k(int* p) { ret; }\n", "3:10", "expected '.param' or '.reg'", "'int'"},
    {".version 7.0\n.target sm_70\n.entry k(.param .ptr p) { ret; }\n", "3:22", "expected a type", "as in '.b32'"},
    {".version 7.0\n.target sm_70\n.entry k { ret; }\n}\n", "4:1", "expected a directive", "found '}'"},
    {".version 7.0\n.target sm_70\n.entry k {\nret;\n", "5:1", "expected an instruction, a label", "end of the text"},
};
INSTANTIATE_TEST_SUITE_P(WholeTexts, UsersMistake, testing::ValuesIn(kWholeTexts));

/// The text is a body, which begins in line 6.
class MistakeInBody : public testing::TestWithParam<Fault> {};

TEST_P(MistakeInBody, is_told_where_it_is) { expect_fault(GetParam(), body_error(GetParam().text)); }

const Fault kBodies[] = {
    {"ADD.S32 %r0, %r1, %r2;", "6:1", "unknown instruction 'ADD'", "nearest known: "},
    {"add.s32 %r0, %r1, %r2\nret;", "7:1", "expected ';', found 'ret'", ""},
    {"add.s32 %r0 %r1, %r2;", "6:13", "expected ';', found '%r1'", ""},
    {"add.s32 r0, %r1, %r2;", "6:9", "'r0' is not declared", "%r0"},
    {"add.int %r0, %r1, %r2;", "6:4", "unknown word '.int'", "nearest known words: ."},
    {"add.s32.s32.s32.s32.s32.s32.s32.s32 %r0, %r1, %r2;", "6:32", "'.s32' is one word too many", ""},
    {"adds32 %r0, %r1, %r2;", "6:1", "unknown instruction 'adds32'", "add"},
    {"%r0 = add.s32 %r1, %r2;", "6:1", "unknown instruction '%r0'", ""},
    {"mov %r0, 1;", "6:1", "'mov' without a type", "as in 'add.s32'"},
    {"mov.u32 %r0, %threadid.x;", "6:14", "'%threadid' is not declared", ""},
    {"mov.u32 %r0, threadIdx.x;", "6:23", "expected ';', found '.x'", ""},
    {"mov.u32 %r0, %tid.X;", "6:18", "'%tid' has no component '.X'", ""},
    {"ld.global.u32 [%rd0], %r0;", "6:15", "an address in brackets where a value is expected", "only loads"},
    {"st.global.u32 %r0, [%rd0];", "6:15", "expected an address in brackets", "as in [%rd1+8]"},
    {"ld.global.u32 %r0, [%rd0+%r1];", "6:26", "expected a constant, found '%r1'", ""},
    {"ld.global.u32 %r0, [%rd0*4];", "6:25", "expected ']', found '*'", ""},
    {"ld.global.u32 %r0, (%rd0);", "6:21", "expected a constant, found '%rd0'", ""},
    {"bra [L]; L: ret;", "6:5", "expected a label, found '['", ""},
    {"bra .L; .L: ret;", "6:5", "unknown word '.L'", ""},
    {"@%p0: ret;", "6:5", "expected an instruction, found ':'", ""},
    {"@%p0 %p1 ret;", "6:6", "unknown instruction '%p1'", ""},
    {"if (%p0) ret;", "6:1", "unknown instruction 'if'", ""},
    {".reg .b32 %x[4];", "6:13", "expected ';', found '['", ""},
    {".reg .b32 %x = 1;", "6:14", "expected ';', found '='", ""},
    {".reg %x;", "6:6", "expected a type, as in '.b32', found '%x'", ""},
    {".shared .u32 s<4>[2];", "6:18", "an array or an initial value of variables 's<4>'", "declare them one by one"},
    {".shared .u32 s<65537>;", "6:16", "the number of variables must be an integer from 0 to 65536", ""},
    {".entry inner { ret; }", "6:1", "unexpected directive '.entry'", "allowed in a body: .reg"},
    {"call f(%r0);", "6:7", "expected ';', found '('", ""},
    {"call.uni (%r0) f, (%r1);", "6:16", "expected ',', found 'f'", ""},
    {"add.f32 %f0, %f1, 1.0f;", "6:19", "malformed number", ""},
    {"add.s32 %r0, %r1, 1L;", "6:19", "malformed number", "may end in U only"},
    {"add.s32 %r0, %r1, 'a';", "6:19", "unexpected character", ""},
    {"add.s32 %r0, %r1, 5%3;", "6:20", "expected ';', found '%3'", ""},
};
INSTANTIATE_TEST_SUITE_P(Bodies, MistakeInBody, testing::ValuesIn(kBodies));

}  // namespace error_test
}  // namespace warpfork::ptx

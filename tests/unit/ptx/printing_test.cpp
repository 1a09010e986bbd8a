// Functions and modules as text that reads back as the same (PTX ISA, "Kernel and Function Directives").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The text of a module that holds these declarations.
std::string printed(const std::string& declarations) { return to_text(parse_text(kHead + declarations)); }

/// Text that is the same after it was read and printed again.
class ReadsBack : public testing::TestWithParam<const char*> {};

TEST_P(ReadsBack, as_the_same_text) {
  const std::string once = printed(GetParam());
  EXPECT_EQ(to_text(parse_text(once)), once);
}

INSTANTIATE_TEST_SUITE_P(
    Modules, ReadsBack,
    testing::Values(".visible .global .align 16 .f32 x[2] = {1.0, -2.5};", ".extern .shared .align 8 .b8 pool[];",
                    ".global .u64 p = generic(p)+8;", ".global .u8 b[] = {0xff(f), 0xff00(f)}; .func f { ret; }",
                    ".global .attribute(.managed) .u32 m;", ".global .samplerref s = { filter_mode = linear };",
                    ".file 1 \"a.cu\"\n.entry k { .loc 1 2 3\nexit; .loc 1 4 0\nret; }",
                    ".entry k .reqntid 8, 2 .maxnreg 32 { ret; }", ".entry k .maxntid 256 { ret; }",
                    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);",
                    ".func (.reg .u32 %r) f(.reg .u32 %a) { add.u32 %r, %a, 1; ret; }",
                    ".func (.param .align 8 .b8 r[16]) f(.param .b32 a) { st.param.b64 [r+8], 1; ret; }",
                    ".func f { ret; }\n.func g;\n.alias g, f;", ".entry k { L: bra L; }",
                    ".entry k { .reg .v4 .f32 v; .reg .v2 .b32 w; mov.f32 v.x, v.w; mov.b32 w.y, w.x; }",
                    ".entry k { .reg .b32 a<3>, b, a9; add.u32 a0, a2, b; add.u32 b, a9, 1; }",
                    ".entry k { .local .align 4 .b8 l[12]; .shared .u16 s; .reg .u64 d; mov.u64 d, l+4; }",
                    ".func f { ret; }\n.entry k { T: .calltargets f; P: .callprototype _ (.param .b32 _); }"));

TEST(PrintedModule, keeps_head_and_linkage) {
  const std::string text =
      to_text(parse_text(".version 8.3\n.target sm_90a, debug\n.address_size 32\n"
                         ".extern .global .u32 a;\n.weak .global .u32 b;\n"));
  EXPECT_THAT(text, testing::StartsWith(".version 8.3\n.target sm_90a, debug\n.address_size 32\n"));
  EXPECT_THAT(text, HasSubstr(".extern .global .align 4 .u32 a;\n"));
  EXPECT_THAT(text, HasSubstr(".visible .global .align 4 .u32 b;\n"));
}

TEST(PrintedModule, writes_floats_by_their_bits) {
  EXPECT_THAT(printed(".global .f32 x = 1.0;"), HasSubstr("x = 0f3F800000;"));
  EXPECT_THAT(printed(".global .f64 x = 1.0;"), HasSubstr("x = 0d3FF0000000000000;"));
}

TEST(PrintedModule, declares_functions_before_variables_that_hold_their_addresses) {
  const std::string text = printed(".global .u64 p = f;\n.func f { ret; }");
  EXPECT_LT(text.find(".func f ();"), text.find("p = f;"));
}

TEST(PrintedFunction, folds_registers_that_one_declaration_makes_and_no_others) {
  const std::string text = printed(
      ".entry k { .reg .b32 %r<3>; .reg .f32 %f0; .reg .f32 %f1; .reg .b32 %g1; .reg .b64 %h0; .reg .b32 %h1; }");
  EXPECT_THAT(text, HasSubstr("\t.reg .b32 %r<3>;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .f32 %f<2>;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .b32 %g1;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .b64 %h0;\n\t.reg .b32 %h1;\n"));
}

TEST(PrintedFunction, writes_labels_that_are_used_before_what_they_name) {
  const std::string text = printed(".entry k { bra end; unused: exit; end: }");
  EXPECT_THAT(text, HasSubstr("\texit;\nend:\n}"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
}

TEST(PrintedFunction, writes_a_source_line_where_it_changes) {
  const std::string text = printed(".entry k { .loc 1 7 0\nexit; exit; .loc 1 8 0\nexit; }");
  EXPECT_THAT(text, HasSubstr("\t.loc 1 7 0\n\texit;\n\texit;\n\t.loc 1 8 0\n\texit;\n"));
}

TEST(PrintedFunction, leaves_out_registers_that_are_parameters) {
  EXPECT_THAT(printed(".func f(.reg .u32 %a) { ret; }"), Not(HasSubstr("\t.reg .u32 %a;")));
}

}  // namespace
}  // namespace warpfork::ptx

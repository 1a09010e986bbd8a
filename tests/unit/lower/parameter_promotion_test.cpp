// Function-scope .param variables (PTX ISA, "Device Function Parameters") as registers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> in_scope(const std::string& body) { return lowered_lines("{ " + body + " }\nret;"); }

TEST(ParameterPromotion, a_store_and_a_load_become_moves_of_one_register) {
  EXPECT_THAT(in_scope(".param .b32 a; st.param.b32 [a], %r1; ld.param.b32 %r0, [a];"),
              ElementsAre("mov.b32 %param40, %r1;", "mov.b32 %r0, %param40;", "ret;"));
  EXPECT_THAT(in_scope(".param .b64 a; st.param.b64 [a], %rd1; ld.param.b64 %rd0, [a];"),
              ElementsAre("mov.b64 %param40, %rd1;", "mov.b64 %rd0, %param40;", "ret;"));
}

TEST(ParameterPromotion, parts_of_a_structure_are_registers_of_their_own) {
  const auto code =
      in_scope(".param .align 8 .b8 a[12]; st.param.b32 [a], %r1; st.param.b64 [a+4], %rd1; ld.param.b32 %r0, [a];");
  EXPECT_THAT(code, ElementsAre("mov.b32 %param40, %r1;", "mov.b64 %param41, %rd1;", "mov.b32 %r0, %param40;", "ret;"));
}

TEST(ParameterPromotion, a_vector_is_moved_element_by_element) {
  EXPECT_THAT(in_scope(".param .align 8 .b8 a[8]; st.param.v2.b32 [a], {%r1, %r2}; ld.param.b32 %r0, [a+4];"),
              ElementsAre("mov.b32 %param40, %r1;", "mov.b32 %param41, %r2;", "mov.b32 %r0, %param41;", "ret;"));
}

// PTX ISA, "ld": a narrow element is sign- or zero-extended by its type to the register's width.
TEST(ParameterPromotion, narrow_parts_are_extended_by_the_loads_type) {
  EXPECT_THAT(in_scope(".param .b8 a; st.param.u8 [a], %r1; ld.param.s8 %r0, [a];"),
              ElementsAre("cvt.u32.u8 %param40, %r1;", "cvt.s32.s8 %r0, %param40;", "ret;"));
  EXPECT_THAT(in_scope(".param .b16 a; st.param.b16 [a], %h1; ld.param.u16 %rd0, [a];"),
              ElementsAre("cvt.u32.u16 %param40, %h1;", "cvt.u64.u16 %rd0, %param40;", "ret;"));
}

TEST(ParameterPromotion, a_literal_is_moved_by_the_type_of_the_store) {
  EXPECT_THAT(in_scope(".param .b32 a; st.param.b32 [a], 7;")[0], "mov.b32 %param40, 7;");
  EXPECT_THAT(in_scope(".param .f32 a; st.param.f32 [a], 0f3F800000;")[0], "mov.f32 %param40, 0f3F800000;");
}

TEST(ParameterPromotion, a_guard_stays_at_its_move) {
  EXPECT_THAT(in_scope(".param .b32 a; @!%p1 st.param.b32 [a], %r1;")[0], "@!%p1 mov.b32 %param40, %r1;");
}

TEST(ParameterPromotion, labels_are_moved_where_a_vector_becomes_several) {
  const auto code = lowered_lines("{ .param .align 8 .b8 a[8]; bra end; st.param.v2.b32 [a], {%r1, %r2}; }\nend: ret;");
  EXPECT_THAT(code[0], "bra end; -> 3");
}

TEST(ParameterPromotion, parts_that_overlap_stay_in_memory) {
  const ptx::Function f = lowered("{ .param .align 4 .b8 a[4]; st.param.b32 [a], %r1; ld.param.b8 %r0, [a+1]; }\nret;");
  EXPECT_THAT(lines(f), ElementsAre("st.local.b32 [a], %r1;", "ld.local.b8 %r0, [a+1];", "ret;"));
  EXPECT_EQ(f.variables.at(0).space, ptx::StateSpace::Local);
}

TEST(ParameterPromotion, a_part_of_two_widths_stays_in_memory) {
  EXPECT_THAT(in_scope(".param .align 8 .b8 a[8]; st.param.b64 [a], %rd1; ld.param.b32 %r0, [a];")[0],
              StartsWith("st.local.b64"));
}

TEST(ParameterPromotion, a_variable_whose_address_is_taken_stays_in_memory) {
  const auto code = in_scope(".param .b32 a; st.param.b32 [a], %r1; mov.u64 %rd0, a;");
  EXPECT_THAT(code[0], StartsWith("st.local.b32 [a]"));
}

TEST(ParameterPromotion, the_entrys_own_parameters_are_left_alone) {
  EXPECT_THAT(lowered_lines("ld.param.u64 %rd0, [p];\nret;")[0], "ld.param.u64 %rd0, [p];");
}

TEST(ParameterPromotion, what_is_never_used_leaves_nothing) {
  EXPECT_THAT(lowered("{ .param .b32 a; }\nret;").variables, IsEmpty());
}

TEST(ParameterPromotion, arguments_of_a_call_meet_the_parameters_of_its_body) {
  const std::string next =
      ".func (.param .b32 r) next(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, 1;\n"
      "st.param.b32 [r], %x; ret; }\n";
  const auto code = lowered_lines(
      "{ .param .b32 in; .param .b32 out; st.param.b32 [in], %r1; call (out), next, (in); ld.param.b32 %r0, [out]; }\n"
      "ret;",
      next);
  ASSERT_EQ(code.size(), 6u);
  EXPECT_EQ(code[0].substr(0, 15), "mov.b32 %param4");
  EXPECT_THAT(code[1], HasSubstr("mov.b32 %x, %param4"));
  EXPECT_EQ(code[2], "add.u32 %x, %x, 1;");
}

}  // namespace
}  // namespace warpfork::lower

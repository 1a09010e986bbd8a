// Function-scope .param variables (PTX ISA, "Device Function Parameters") as registers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace parameter_promotion_test {

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

// Of packed structures: little-endian, so that the byte at the lower address is the lower half of the number.
TEST(ParameterPromotion, what_is_not_aligned_in_memory_is_accessed_byte_by_byte) {
  EXPECT_THAT(in_scope(".param .align 1 .b8 a[4]; st.param.b16 [a+1], %r1; ld.param.b8 %r0, [a+2];"),
              ElementsAre("cvt.u32.u16 %param40, %r1;", "st.local.u8 [a+1], %param40;", "shr.b32 %byte41, %param40, 8;",
                          "st.local.u8 [a+2], %byte41;", "ld.local.b8 %r0, [a+2];", "ret;"));
  EXPECT_THAT(in_scope(".param .align 1 .b8 a[4]; st.param.b8 [a+1], %r1; @%p1 ld.param.s16 %r0, [a+1];"),
              ElementsAre("st.local.b8 [a+1], %r1;", "@%p1 ld.local.u8 %param40, [a+1];",
                          "@%p1 ld.local.u8 %byte41, [a+2];", "@%p1 shl.b32 %byte41, %byte41, 8;",
                          "@%p1 or.b32 %param40, %param40, %byte41;", "@%p1 cvt.s32.s16 %r0, %param40;", "ret;"));
}

TEST(ParameterPromotion, a_variable_in_memory_lies_as_its_accesses_need) {
  const ptx::Function f = lowered("{ .param .b8 a[4]; st.param.b32 [a], %r1; ld.param.b8 %r0, [a+1]; }\nret;");
  EXPECT_EQ(f.variables.at(0).alignment, 4u);
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

struct Passage {
  const char* body;
  std::vector<std::string> code;  // but the return
};

void PrintTo(const Passage& passage, std::ostream* out) { *out << passage.body; }

class Promoted : public testing::TestWithParam<Passage> {};

TEST_P(Promoted, becomes_these_moves) {
  std::vector<std::string> expected = GetParam().code;
  expected.push_back("ret;");
  EXPECT_EQ(in_scope(GetParam().body), expected);
}

// PTX ISA, "ld" and "st": a narrower register takes the low bits, a wider one is extended by the type, and bits and
// floats extend as unsigned numbers do.
const Passage kWidths[] = {
    {".param .b16 a; st.param.s16 [a], %r1; ld.param.s16 %rd0, [a];",
     {"cvt.s32.s16 %param40, %r1;", "cvt.s64.s16 %rd0, %param40;"}},
    {".param .b32 a; st.param.u32 [a], %rd1; ld.param.s32 %rd0, [a];",
     {"cvt.u32.u32 %param40, %rd1;", "cvt.s64.s32 %rd0, %param40;"}},
    {".param .b32 a; st.param.f32 [a], %f1; ld.param.b32 %rd0, [a];",
     {"mov.b32 %param40, %f1;", "cvt.u64.u32 %rd0, %param40;"}},
    {".param .b64 a; st.param.u64 [a], %rd1; ld.param.f64 %rd0, [a];",
     {"mov.b64 %param40, %rd1;", "mov.b64 %rd0, %param40;"}},
    {".param .b8 a; st.param.b8 [a], %rd1; ld.param.s8 %h0, [a];",
     {"cvt.u32.u8 %param40, %rd1;", "cvt.s32.s8 %h0, %param40;"}},
};
INSTANTIATE_TEST_SUITE_P(Widths, Promoted, testing::ValuesIn(kWidths));

const Passage kVectors[] = {
    {".param .align 16 .b8 a[16]; st.param.v4.b32 [a], {%r1, 5, %r2, %f1}; ld.param.v2.b32 {%r0, _}, [a+8];",
     {"mov.b32 %param40, %r1;", "mov.b32 %param41, 5;", "mov.b32 %param42, %r2;", "mov.b32 %param43, %f1;",
      "mov.b32 %r0, %param42;", "mov.b32 _, %param43;"}},
    {".param .align 8 .b8 a[16]; @%p1 st.param.v2.f64 [a], {%rd1, 0d3FF0000000000000}; ld.param.b64 %rd0, [a+8];",
     {"@%p1 mov.b64 %param40, %rd1;", "@%p1 mov.f64 %param41, 0d3FF0000000000000;", "mov.b64 %rd0, %param41;"}},
};
INSTANTIATE_TEST_SUITE_P(Vectors, Promoted, testing::ValuesIn(kVectors));

const Passage kInMemory[] = {
    {".param .b32 a; st.param.b32 [a+-4], %r1;", {"st.local.b32 [a+-4], %r1;"}},
    {".param .align 8 .b8 a[8]; st.param.v2.b32 [a], {%r1, %r2}; ld.param.b64 %rd0, [a];",
     {"st.local.v2.b32 [a], {%r1, %r2};", "ld.local.b64 %rd0, [a];"}},
    {".param .b64 a; .param .b32 b; mov.b64 %rd0, b; st.param.b64 [a], %rd0; st.param.b32 [b], %r1;",
     {"mov.b64 %rd0, b;", "mov.b64 %param40, %rd0;", "st.local.b32 [b], %r1;"}},
    {".param .b32 a; ld.u32 %r0, [a];", {"ld.u32 %r0, [a];"}},
};
INSTANTIATE_TEST_SUITE_P(InMemory, Promoted, testing::ValuesIn(kInMemory));

// A piece that ends where the next begins lies beside it; one byte further and both are one piece of memory.
TEST(ParameterPromotion, pieces_may_touch_and_not_overlap) {
  EXPECT_THAT(in_scope(".param .b8 a[8]; st.param.b32 [a], %r1; st.param.b16 [a+4], %h1;")[0], StartsWith("mov.b32"));
  EXPECT_THAT(in_scope(".param .b8 a[8]; st.param.b32 [a], %r1; st.param.b16 [a+3], %h1;")[0], StartsWith("st.local"));
}

TEST(ParameterPromotion, system_calls_are_passed_numbers_in_registers_and_the_addresses_of_structures) {
  const std::string printer = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .align 8 .b8 b[16]);\n";
  const auto code = lowered_lines(
      "{ .param .b64 a; .param .align 8 .b8 b[16]; .param .b32 r; st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;\n"
      "call (r), vprintf, (a, b); ld.param.b32 %r0, [r]; }\nret;",
      printer);
  EXPECT_THAT(code, ElementsAre("mov.b64 %param40, %rd0;", "st.local.b64 [b], %rd1;", "mov.u64 %address42, b;",
                                "call (%param41), vprintf, (%param40, %address42);", "mov.b32 %r0, %param41;", "ret;"));
}

TEST(ParameterPromotion, system_calls_take_variables_of_the_declared_sizes) {
  const std::string printer = ".extern .func vprintf(.param .b64 a, .param .b64 b);\n";
  EXPECT_THAT(refusal("{ .param .b64 a; .param .align 8 .b8 b[16]; call vprintf, (a, b); }\nret;", printer),
              HasSubstr("'b' has 16 bytes where 'b' has 8"));
}

}  // namespace parameter_promotion_test
}  // namespace warpfork::lower

// Functions and modules as text that reads back as the same (PTX ISA, "Kernel and Function Directives").
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace printing_test {

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
                    ".entry k .reqntid 8, 2 .maxnreg 32 { ret; }", ".entry k .maxntid 256 .minnctapersm 2 { ret; }",
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
      ".entry k { .reg .b32 %r<3>; .reg .f32 %f0; .reg .f32 %f1; .reg .b32 %g1; .reg .b64 %h0; .reg .b32 %h1; "
      ".reg .u16 %a10, %a11; }");
  EXPECT_THAT(text, HasSubstr("\t.reg .b32 %r<3>;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .f32 %f<2>;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .b32 %g1;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .b64 %h0;\n\t.reg .b32 %h1;\n"));
  EXPECT_THAT(text, HasSubstr("\t.reg .u16 %a10;\n\t.reg .u16 %a11;\n"));  // who reads %a1<2> looks for %a1
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

/// Random bytes that are not all zero: zeros are no initialiser.
std::vector<std::byte> random_initial(std::uint64_t bytes) {
  std::vector<std::byte> initial;
  for (std::uint64_t i = 0; i < bytes; ++i)
    initial.push_back(static_cast<std::byte>(*rc::gen::arbitrary<unsigned char>()));
  initial[0] |= std::byte{1};
  return initial;
}

/// An address with an offset in some elements; their bytes are zero.
void add_random_relocations(Variable& variable) {
  for (std::uint64_t offset = 0; offset < variable.bytes; offset += 8) {
    if (*rc::gen::arbitrary<bool>()) continue;
    const std::uint64_t mask = *rc::gen::element(~std::uint64_t{0}, std::uint64_t{0xff}, std::uint64_t{0xff00});
    variable.relocations.push_back({offset, *rc::gen::element<std::string>("other", "code"),
                                    *rc::gen::arbitrary<std::int32_t>(), *rc::gen::arbitrary<bool>(), mask});
    std::fill_n(variable.initial.begin() + static_cast<std::ptrdiff_t>(offset), 8, std::byte{0});
  }
}

Variable random_variable() {
  Variable variable;
  variable.name = "v";
  variable.space = *rc::gen::element(StateSpace::Global, StateSpace::Const);
  variable.type = *rc::gen::element(ScalarType::U8, ScalarType::S16, ScalarType::B32, ScalarType::F32, ScalarType::U64,
                                    ScalarType::F64, ScalarType::B64);
  variable.bytes = bytes_of(variable.type) * *rc::gen::inRange<std::uint64_t>(1, 9);
  variable.alignment = 1u << *rc::gen::inRange(0, 9);
  variable.is_visible = *rc::gen::arbitrary<bool>();
  variable.is_managed = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) variable.initial = random_initial(variable.bytes);
  if (!variable.initial.empty() && variable.type == ScalarType::U64) add_random_relocations(variable);
  variable.is_extern = variable.initial.empty() && *rc::gen::arbitrary<bool>();
  return variable;
}

TEST(PrintedModule, any_variable_survives_printing_and_parsing) {
  const Module around = parse_text(kHead + ".global .u32 other;\n.func code { ret; }");
  EXPECT_TRUE(rc::check([&] {
    Module module = around;
    module.variables.push_back(random_variable());
    const std::string text = to_text(module);
    RC_LOG(text);
    const Module read = parse_text(text);
    const Variable &written = module.variables[1], &back = *read.find_variable("v");
    RC_ASSERT(back.space == written.space && back.type == written.type && back.bytes == written.bytes);
    RC_ASSERT(back.alignment == written.alignment && back.is_extern == written.is_extern);
    RC_ASSERT(back.is_visible == written.is_visible && back.is_managed == written.is_managed);
    RC_ASSERT(back.initial == written.initial);
    RC_ASSERT(back.relocations == written.relocations);
  }));
}

std::vector<Variable> random_parameters(const std::string& prefix, bool may_be_registers) {
  std::vector<Variable> list;
  for (int i = 0, count = *rc::gen::inRange(0, 4); i < count; ++i) {
    Variable parameter;
    parameter.name = prefix + std::to_string(i);
    parameter.space = StateSpace::Param;
    parameter.type = *rc::gen::element(ScalarType::B8, ScalarType::U16, ScalarType::F32, ScalarType::S64);
    if (may_be_registers && *rc::gen::arbitrary<bool>()) parameter.space = StateSpace::Register;
    const bool is_array = parameter.space == StateSpace::Param && *rc::gen::arbitrary<bool>();
    parameter.bytes = bytes_of(parameter.type) * (is_array ? *rc::gen::inRange(2u, 6u) : 1);
    parameter.alignment = bytes_of(parameter.type);
    list.push_back(parameter);
  }
  return list;
}

bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& x, const Variable& y) {
    return x.name == y.name && x.space == y.space && x.type == y.type && x.bytes == y.bytes &&
           x.alignment == y.alignment;
  });
}

/// Of a function or an entry that is declared alone.
Function random_head() {
  Function head;
  head.name = "f";
  head.is_declaration = true;
  head.is_entry = *rc::gen::arbitrary<bool>();
  if (!head.is_entry) head.returns = random_parameters("r", true);
  head.parameters = random_parameters("p", !head.is_entry);
  head.max_registers = *rc::gen::element(0u, 16u, 255u);
  if (*rc::gen::arbitrary<bool>())
    head.max_threads = *rc::gen::inRange(1u, 1025u);
  else if (*rc::gen::arbitrary<bool>())
    head.required_threads = {*rc::gen::inRange(1u, 65u), *rc::gen::inRange(1u, 9u), *rc::gen::inRange(1u, 9u)};
  return head;
}

TEST(PrintedFunction, any_head_survives_printing_and_parsing) {
  EXPECT_TRUE(rc::check([] {
    Module module = parse_text(kHead);
    const Function head = random_head();
    module.functions.push_back(head);
    const std::string text = to_text(module);
    RC_LOG(text);
    const Module read = parse_text(text);
    const Function& back = read.functions.at(0);
    RC_ASSERT(same(back.returns, head.returns) && same(back.parameters, head.parameters));
    RC_ASSERT(back.is_entry == head.is_entry && back.is_declaration);
    RC_ASSERT(back.max_threads == head.max_threads && back.max_registers == head.max_registers);
    RC_ASSERT(back.required_threads == head.required_threads);
  }));
}

struct Written {
  const char* text;
  const char* printed;
};

void PrintTo(const Written& written, std::ostream* out) { *out << written.text; }

class Canonical : public testing::TestWithParam<Written> {};

TEST_P(Canonical, is_printed_in_one_form) {
  const Function f = parse_body(std::string(".shared .b32 s[8]; .reg .v2 .b32 v;\n") + GetParam().text);
  EXPECT_EQ(to_text(f.body.at(0), f), GetParam().printed);
}

// By hand: constants as their value, addresses as base and sum of offsets, indices as bytes, vectors as elements.
const Written kOperands[] = {
    {"add.s32 %r0,%r1,(2+3)*4;", "add.s32 %r0, %r1, 20;"},
    {"add.s32 %r0, %r1, 0xffffffff;", "add.s32 %r0, %r1, 4294967295;"},
    {"add.s32 %r0, %r1, 010;", "add.s32 %r0, %r1, 8;"},
    {"add.s64 %rd0, %rd1, 0xffffffffffffffff;", "add.s64 %rd0, %rd1, -1;"},
    {"add.s32 %r0, %r1, - 3;", "add.s32 %r0, %r1, -3;"},
    {"selp.b32 %r0, 3 > 2, !5, ! %p0;", "selp.b32 %r0, 1, 0, !%p0;"},
    {"mul.f32 %f0, %f1, 0F3f800000;", "mul.f32 %f0, %f1, 0f3F800000;"},
    {"mul.f32 %f0, %f1, -1.0;", "mul.f32 %f0, %f1, 0dBFF0000000000000;"},
    {"mul.f64 %d0, %d1, 1.5e0 + 0.5;", "mul.f64 %d0, %d1, 0d4000000000000000;"},
    {"ld.global.u32 %r0, [ %rd0 ];", "ld.global.u32 %r0, [%rd0];"},
    {"ld.global.u32 %r0, [%rd0+0];", "ld.global.u32 %r0, [%rd0];"},
    {"ld.global.u32 %r0, [%rd0 + 0x10 - 4];", "ld.global.u32 %r0, [%rd0+12];"},
    {"ld.global.u32 %r0, [%rd0-8];", "ld.global.u32 %r0, [%rd0+-8];"},
    {"ld.shared.u32 %r0, [s+4*3];", "ld.shared.u32 %r0, [s+12];"},
    {"ld.shared.u32 %r0, s[3];", "ld.shared.u32 %r0, [s+12];"},
    {"suld.b.1d.b32.trap %r0, [%rd0+8-4,{%r1}];", "suld.b.1d.b32.trap %r0, [%rd0+4, {%r1}];"},
    {"ld.shared.u32 %r0, [0x40];", "ld.shared.u32 %r0, [64];"},
    {"mov.u64 %rd0, s[1+1];", "mov.u64 %rd0, s+8;"},
    {"mov.u64 %rd0, s - 4;", "mov.u64 %rd0, s+-4;"},
    {"ld.global.v2.b32 v, [%rd0];", "ld.global.v2.b32 {v.x, v.y}, [%rd0];"},
    {"ld.global.v2.b32 {v.g,_}, [%rd0];", "ld.global.v2.b32 {v.y, _}, [%rd0];"},
    {"mov.u32 %r0,%tid .x;", "mov.u32 %r0, %tid.x;"},
    {"mov.v4.u32 {%r0,%r1,%r2,%r3},%ctaid;",
     "mov.v4.u32 {%r0, %r1, %r2, %r3}, {%ctaid.x, %ctaid.y, %ctaid.z, %ctaid.w};"},
    {"@ ! %p1 exit ;", "@!%p1 exit;"},
    {"setp .lt .s32 %p0 | %p1 , %r0 , WARP_SZ ;", "setp.lt.s32 %p0|%p1, %r0, 32;"},
};
INSTANTIATE_TEST_SUITE_P(Operands, Canonical, testing::ValuesIn(kOperands));

}  // namespace printing_test
}  // namespace warpfork::ptx

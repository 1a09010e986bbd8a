#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace {

TEST(Scopes, inner_registers_shadow_outer_ones_under_a_name_of_their_own) {
  const Function f = parse_body("{ .reg .b32 %r1; mov.u32 %r1, 1; }\nmov.u32 %r1, 2;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "%r1$1");
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).name, "%r1");
}

TEST(Scopes, equal_names_of_sibling_scopes_are_kept_apart) {
  const Function f = parse_body("{ .reg .pred q; setp.eq.s32 q, %r0, 0; }\n{ .reg .pred q; setp.eq.s32 q, %r0, 1; }");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "q");
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).name, "q$1");
}

TEST(Scopes, inner_ranges_shadow_outer_ones) {
  const Function f = parse_body("{ .reg .f32 %r<2>; mov.f32 %r1, 0f00000000; }\nmov.u32 %r1, 2;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).type, ScalarType::F32);
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).type, ScalarType::B32);
}

TEST(Scopes, inner_variables_are_flattened_with_unique_names) {
  const Function f = parse_body("{ .param .b32 a; st.param.b32 [a], 1; }\n{ .param .b64 a; st.param.b64 [a], 2; }");
  ASSERT_EQ(f.variables.size(), 2u);
  EXPECT_EQ(f.variables[0].name, "a");
  EXPECT_EQ(std::get<SymbolOperand>(f.body[1].operands[0].as<AddressOperand>()->base).name, f.variables[1].name);
  EXPECT_NE(f.variables[1].name, "a");
}

TEST(Scopes, a_variable_does_not_take_a_name_of_the_module) {
  const Module module =
      parse_text(kHead + ".global .u32 x;\n.entry k { .shared .u32 x; .reg .u64 %a; mov.u64 %a, x; }");
  EXPECT_EQ(module.functions.at(0).body[0].operands[1].as<SymbolOperand>()->name, "x$1");
}

TEST(Scopes, labels_belong_to_their_braces) {
  const Function f = parse_body("{ L: bra L; }\n{ bra L; L: ret; }");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 0u);
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 2u);
}

TEST(Scopes, a_branch_may_leave_its_braces) {
  const Function f = parse_body("{ bra out; }\nexit;\nout: ret;");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 2u);
}

TEST(Scopes, a_label_may_stand_before_a_brace) {
  const Function f = parse_body("L: { add.s32 %r0, %r0, 1; bra L; }");
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 0u);
}

TEST(Scopes, register_names_need_no_percent_sign) {
  const Function f = parse_body(".reg .b32 counter, $t, _x;\nadd.s32 counter, $t, _x;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "counter");
}

}  // namespace
}  // namespace warpfork::ptx

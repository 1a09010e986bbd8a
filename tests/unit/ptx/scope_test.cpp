#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace {

TEST(Scopes, InnerRegistersShadowOuterOnesUnderANameOfTheirOwn) {
  const Function f = parse_body("{ .reg .b32 %r1; mov.u32 %r1, 1; }\nmov.u32 %r1, 2;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "%r1$1");
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).name, "%r1");
}

TEST(Scopes, EqualNamesOfSiblingScopesAreKeptApart) {
  const Function f = parse_body("{ .reg .pred q; setp.eq.s32 q, %r0, 0; }\n{ .reg .pred q; setp.eq.s32 q, %r0, 1; }");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "q");
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).name, "q$1");
}

TEST(Scopes, InnerRangesShadowOuterOnes) {
  const Function f = parse_body("{ .reg .f32 %r<2>; mov.f32 %r1, 0f00000000; }\nmov.u32 %r1, 2;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).type, ScalarType::F32);
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).type, ScalarType::B32);
}

TEST(Scopes, InnerVariablesAreFlattenedWithUniqueNames) {
  const Function f = parse_body("{ .param .b32 a; st.param.b32 [a], 1; }\n{ .param .b64 a; st.param.b64 [a], 2; }");
  ASSERT_EQ(f.variables.size(), 2u);
  EXPECT_EQ(f.variables[0].name, "a");
  EXPECT_EQ(std::get<SymbolOperand>(f.body[1].operands[0].as<AddressOperand>()->base).name, f.variables[1].name);
  EXPECT_NE(f.variables[1].name, "a");
}

TEST(Scopes, AVariableDoesNotTakeANameOfTheModule) {
  const Module module =
      parse_text(kHead + ".global .u32 x;\n.entry k { .shared .u32 x; .reg .u64 %a; mov.u64 %a, x; }");
  EXPECT_EQ(module.functions.at(0).body[0].operands[1].as<SymbolOperand>()->name, "x$1");
}

TEST(Scopes, LabelsBelongToTheirBraces) {
  const Function f = parse_body("{ L: bra L; }\n{ bra L; L: ret; }");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 0u);
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 2u);
}

TEST(Scopes, ABranchMayLeaveItsBraces) {
  const Function f = parse_body("{ bra out; }\nexit;\nout: ret;");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 2u);
}

TEST(Scopes, ALabelMayStandBeforeABrace) {
  const Function f = parse_body("L: { add.s32 %r0, %r0, 1; bra L; }");
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 0u);
}

TEST(Scopes, RegisterNamesNeedNoPercentSign) {
  const Function f = parse_body(".reg .b32 counter, $t, _x;\nadd.s32 counter, $t, _x;");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "counter");
}

}  // namespace
}  // namespace warpfork::ptx

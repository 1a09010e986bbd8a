#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace scope_test {

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

// PTX ISA, "Parameterized Variable Names".
TEST(Scopes, variables_of_every_space_may_be_numbered) {
  const Module module = parse_text(kHead +
                                   ".shared .u32 t<2>;\n.entry k { .param .u64 %P<2>; .reg .u32 x; "
                                   "st.param.u64 [%P1], 1; ld.shared.u32 x, [t1]; }");
  EXPECT_EQ(module.variables.at(1).name, "t1");
  const Function& f = module.functions.at(0);
  ASSERT_EQ(f.variables.size(), 2u);
  EXPECT_EQ(f.variables[0].name, "%P0");
  EXPECT_EQ(f.variables[1].bytes, 8u);
  EXPECT_EQ(std::get<SymbolOperand>(f.body[0].operands[0].as<AddressOperand>()->base).name, "%P1");
}

TEST(Scopes, a_variable_of_a_body_in_device_memory_is_the_modules_under_another_name) {
  const Module module = parse_text(kHead +
                                   ".global .u32 x;\n.func f() { .const .u32 x = 7; .reg .u32 a; "
                                   "{ .global .u32 x[2]; ld.global.u32 a, x[1]; } ld.const.u32 a, [x]; ret; }");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[1].name, "f$x");
  EXPECT_EQ(module.variables[1].initial.size(), 4u);
  EXPECT_EQ(module.variables[2].name, "f$x$1");
  const Function& f = module.functions.at(0);
  EXPECT_TRUE(f.variables.empty());
  EXPECT_EQ(std::get<SymbolOperand>(f.body[0].operands[1].as<AddressOperand>()->base).name, "f$x$1");
  EXPECT_EQ(f.body[0].operands[1].as<AddressOperand>()->offset, 4);
}

// PTX before 2.0. What functions would share with their callers, they do not have.
TEST(Scopes, registers_of_the_module_are_every_entrys_own) {
  const std::string registers = kHead + ".reg .u32 %r<2>, n;\n";
  const Module module = parse_text(registers +
                                   ".entry a(.param .u32 n) { mov.u32 %r1, 1; ld.param.u32 %r0, [n]; }\n"
                                   ".entry b { mov.u32 n, %r1; }");
  EXPECT_EQ(register_of(module.functions.at(0), module.functions.at(0).body[0].operands[0]).name, "%r1");
  EXPECT_EQ(register_of(module.functions.at(1), module.functions.at(1).body[0].operands[0]).name, "n");
  EXPECT_THAT(error_of(registers + ".func f() { mov.u32 %r1, 1; }"), testing::HasSubstr("'%r1' is not declared"));
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

// PTX ISA, "Parameterized Variable Names": %r<4> declares %r0 to %r3.
TEST(Scopes, a_range_holds_as_many_names_as_it_says) {
  const Function f = parse_body(".reg .u16 a<4>;\nmov.u16 a0, a3;");
  EXPECT_EQ(register_of(f, f.body[0].operands[1]).name, "a3");
  for (const char* name : {"a4", "a03", "a", "a3x"})
    EXPECT_THAT(body_error(".reg .u16 a<4>;\nmov.u16 a0, " + std::string(name) + ";"),
                testing::HasSubstr("'" + std::string(name) + "' is not declared"));
  EXPECT_THROW(parse_body(".reg .u16 a<0>;\nmov.u16 a0, 1;"), Error);
}

TEST(Scopes, a_name_ends_with_its_braces) {
  EXPECT_THAT(body_error("{ .reg .b32 x; }\nmov.b32 x, 1;"), testing::HasSubstr("'x' is not declared"));
  EXPECT_THAT(body_error("{ .shared .b32 s; }\nst.shared.b32 [s], 1;"), testing::HasSubstr("'s' is not declared"));
  EXPECT_THAT(body_error("add.s32 x, x, 1;\n.reg .b32 x;"), testing::HasSubstr("'x' is not declared"));
}

TEST(Scopes, a_variable_may_shadow_a_register_and_a_register_a_variable) {
  const Function f =
      parse_body(".reg .b64 a; .shared .b32 b;\n{ .shared .b32 a; .reg .b64 b; mov.u64 b, a; }\nmov.u64 a, b;");
  EXPECT_EQ(f.body[0].operands[1].as<SymbolOperand>()->name, f.variables[1].name);
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "b$1");
  EXPECT_EQ(f.body[1].operands[1].as<SymbolOperand>()->name, "b");
}

TEST(Scopes, a_declared_register_hides_a_special_one) {
  const Function f = parse_body("{ .reg .u32 %laneid; mov.u32 %r0, %laneid; }\nmov.u32 %r0, %laneid;");
  EXPECT_EQ(register_of(f, f.body[0].operands[1]).name, "%laneid");
  EXPECT_NE(f.body[1].operands[1].as<SpecialRegisterOperand>(), nullptr);
}

TEST(Scopes, labels_and_registers_may_have_one_name) {
  const Function f = parse_body(".reg .pred L;\nL: @L bra L;");
  EXPECT_EQ(f.body[0].operands[0].as<LabelOperand>()->target, 0u);
  EXPECT_EQ(f.registers[f.body[0].guard->predicate].name, "L");
}

TEST(Scopes, a_parameter_may_be_shadowed_in_the_body) {
  const Module module =
      parse_text(kHead + ".entry k(.param .u32 n) { .shared .u32 n; .reg .u32 x; ld.shared.u32 x, [n]; }");
  const Function& f = module.functions.at(0);
  EXPECT_EQ(f.variables.at(0).name, "n$1");
  EXPECT_EQ(std::get<SymbolOperand>(f.body[0].operands[1].as<AddressOperand>()->base).name, "n$1");
}

TEST(Scopes, nest_as_deep_as_200) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '{') + "ret;" + std::string(depth, '}'); };
  EXPECT_EQ(parse_body(nested(199)).body.size(), 1u);
  EXPECT_THAT(body_error(nested(200)), testing::HasSubstr("scopes nested more than 200 deep"));
}

/// A body of labels, branches and braces, and where each branch must lead: to the label of the innermost braces around
/// it that have one of its name, be it before or behind.
class RandomScopes {
 public:
  struct Branch {
    std::size_t instruction;
    std::string label;
    std::vector<int> scopes;  // around it, outermost first
  };

  RandomScopes() {
    scope(0);
    for (const char* name : {"A", "B", "C"})  // so that every branch finds one
      if (places_[0].emplace(name, instructions_).second) text_ += std::string(name) + ": ";
    text_ += "ret;";
  }

  const std::string& text() const { return text_; }
  const std::vector<Branch>& branches() const { return branches_; }

  std::size_t target(const Branch& branch) const {
    for (auto scope = branch.scopes.rbegin(); scope != branch.scopes.rend(); ++scope)
      if (const auto found = places_.at(*scope).find(branch.label); found != places_.at(*scope).end())
        return found->second;
    return kNoPc;
  }

 private:
  void scope(int depth) {
    const int mine = static_cast<int>(places_.size());
    places_[mine];
    around_.push_back(mine);
    for (int i = 0, count = *rc::gen::inRange(0, 6); i < count; ++i) statement(mine, depth);
    around_.pop_back();
  }

  void statement(int mine, int depth) {
    const auto label = *rc::gen::element<std::string>("A", "B", "C");
    const int kind = *rc::gen::inRange(0, depth < 4 ? 3 : 2);
    if (kind == 0 && places_[mine].emplace(label, instructions_).second) {
      text_ += label + ": ";
    } else if (kind <= 1) {
      branches_.push_back({instructions_++, label, around_});
      text_ += "bra " + label + "; ";
    } else {
      text_ += "{ ";
      scope(depth + 1);
      text_ += "} ";
    }
  }

  std::string text_;
  std::size_t instructions_ = 0;
  std::map<int, std::map<std::string, std::size_t>> places_;  // of labels, by scope
  std::vector<int> around_;
  std::vector<Branch> branches_;
};

TEST(Scopes, branches_of_any_braces_lead_to_the_nearest_label_and_still_do_once_printed) {
  EXPECT_TRUE(rc::check([] {
    const RandomScopes random;
    RC_LOG(random.text());
    const Module module = parse_text(entry_text(random.text()));
    const Module again = parse_text(to_text(module));
    for (const auto& branch : random.branches())
      for (const Module* read : {&module, &again}) {
        const Instruction& instruction = read->functions[0].body.at(branch.instruction);
        RC_ASSERT(instruction.operands[0].as<LabelOperand>()->target == random.target(branch));
      }
  }));
}

}  // namespace scope_test
}  // namespace warpfork::ptx

#include "ptx/printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace printer_test {

using testing::HasSubstr;

std::string reprinted(const std::string& instruction) {
  const Function f = parse_body(instruction);
  return to_text(f.body.at(0), f);
}

TEST(Printer, writes_words_in_the_order_of_the_isa) {
  for (const char* text :
       {"@!%p1 ld.volatile.global.v2.f32 {%f1, %f2}, [%rd4+8];", "cvta.to.global.u64 %rd0, %rd1;",
        "cp.async.ca.shared.global [%r0], [%rd0], 16;", "atom.relaxed.gpu.global.add.u32 %r0, [%rd0], %r1;",
        "ld.global.nc.L1::no_allocate.f32 %f0, [%rd0+-4];", "st.shared::cta.u32 [%r0], 5;",
        "vadd.u32.s32.u32.sat %r0, %r1.b2, %r2.h1;", "setp.lt.and.f32 %p0|%p1, %f0, 0f3F800000, !%p2;",
        "sust.b.1d.b32.trap [%rd0, {%r0}], {%r1};", "shfl.sync.bfly.b32 %r0|%p0, %r1, 1, 31, -1;",
        "prefetch.global.L2 [%rd0];", "mov.u32 %r0, %tid.y;", "elect.sync _|%p0, -1;", "bar.sync 0;"})
    EXPECT_EQ(reprinted(text), text);
}

TEST(Printer, folds_registers_into_ranges) {
  EXPECT_THAT(to_text(parse_body("ret;")), HasSubstr("\t.reg .b32 %r<8>;\n"));
}

TEST(Printer, writes_variables_with_their_bytes) {
  const Module module = parse_text(kHead + ".global .u32 a[2] = {1, 2};\n.global .u64 b = generic(a)+4;\n");
  EXPECT_THAT(to_text(module), HasSubstr(".global .align 4 .u32 a[2] = { 1, 2 };\n"
                                         ".global .align 8 .u64 b = generic(a)+4;\n"));
}

TEST(Printer, keeps_tables_prototypes_and_scopes) {
  const std::string text = entry_text(
      "P: .callprototype (.param .b32 _) _ (.param .b64 _);\nT: .branchtargets L, M;\n.reg .v2 .f32 v;\n"
      "{ .reg .pred q; @q bra L; }\n{ .reg .pred q; @q bra L; }\nL: brx.idx %r0, T;\nM: mov.f32 %f0, v.y;");
  const std::string printed = to_text(parse_text(text));
  EXPECT_EQ(to_text(parse_text(printed)), printed);
  EXPECT_THAT(printed, HasSubstr(".reg .v2 .f32 v;"));
}

/// A function with a register of every type that the random instructions may use.
Function random_registers() { return parse_body(".shared .b8 s[64];\nL: ret;"); }

rc::Gen<Operand> scalar_operand(const Function& function) {
  const auto count = static_cast<RegisterId>(function.registers.size());
  const auto literal_kind = rc::gen::element(ImmediateOperand::Kind::Integer, ImmediateOperand::Kind::Float64);
  return rc::gen::oneOf(rc::gen::map(rc::gen::inRange<RegisterId>(0, count),
                                     [](RegisterId id) -> Operand { return RegisterOperand{id}; }),
                        rc::gen::map(rc::gen::inRange<std::uint8_t>(0, 4),
                                     [](std::uint8_t c) -> Operand {
                                       return SpecialRegisterOperand{SpecialRegister::Ntid, c};
                                     }),
                        rc::gen::map(rc::gen::pair(literal_kind, rc::gen::arbitrary<std::uint64_t>()),
                                     [](const auto& literal) -> Operand {
                                       return ImmediateOperand{literal.first, literal.second};
                                     }),
                        rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                                     [](std::uint32_t bits) -> Operand {
                                       return ImmediateOperand{ImmediateOperand::Kind::Float32, bits};
                                     }),
                        rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](std::int32_t by) -> Operand {
                          return SymbolOperand{"s", by};
                        }));
}

rc::Gen<Operand> any_operand(const Function& function) {
  const auto count = static_cast<RegisterId>(function.registers.size());
  const auto elements = rc::gen::container<std::vector<Operand>>(scalar_operand(function));
  const auto address = rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 3), rc::gen::inRange<RegisterId>(0, count),
                                                   rc::gen::arbitrary<std::int64_t>()),
                                    [](const auto& parts) -> Operand {
                                      const auto [kind, id, offset] = parts;
                                      if (kind == 0) return AddressOperand{std::uint64_t{id}, 0};
                                      if (kind == 1) return AddressOperand{id, offset};
                                      return AddressOperand{SymbolOperand{"s"}, offset};
                                    });
  return rc::gen::oneOf(
      scalar_operand(function), address,
      rc::gen::map(elements, [](const std::vector<Operand>& e) -> Operand { return VectorOperand{e}; }));
}

/// wgmma takes any types, modifiers and up to eleven operands of any kind, which makes it the vessel of the property.
Instruction random_instruction(const Function& function) {
  Instruction instruction;
  instruction.opcode = Opcode::Wgmma;
  const auto modifier = rc::gen::suchThat(rc::gen::map(rc::gen::inRange(0, static_cast<int>(Modifier::M64n256k256) + 1),
                                                       [](int i) { return static_cast<Modifier>(i); }),
                                          [](Modifier m) { return m < Modifier::SharedCta || m > Modifier::Param; });
  const auto type = rc::gen::map(rc::gen::inRange(0, static_cast<int>(ScalarType::Surfref) + 1),
                                 [](int i) { return static_cast<ScalarType>(i); });
  for (int i = *rc::gen::inRange(0, 14); i > 0; --i) instruction.modifiers.push_back(*modifier);
  for (int i = *rc::gen::inRange(0, 7); i > 0; --i) instruction.types.push_back(*type);
  instruction.space = *rc::gen::element(StateSpace::Generic, StateSpace::Const, StateSpace::Global, StateSpace::Local,
                                        StateSpace::Param, StateSpace::Shared);
  instruction.vector_width = *rc::gen::element<std::uint8_t>(1, 2, 4, 8);
  const RegisterId last = static_cast<RegisterId>(function.registers.size()) - 1;  // a predicate
  if (*rc::gen::arbitrary<bool>()) instruction.guard = Guard{last, *rc::gen::arbitrary<bool>()};
  const std::size_t operands = *rc::gen::inRange<std::size_t>(0, 12);
  instruction.operands = *rc::gen::container<std::vector<Operand>>(operands, any_operand(function));
  if (operands != 0 && *rc::gen::arbitrary<bool>())  // `_` discards an element of the result
    instruction.operands[0] = VectorOperand{{SinkOperand{}, *scalar_operand(function)}};
  return instruction;
}

TEST(Printer, any_instruction_survives_printing_and_parsing) {
  const Function function = random_registers();
  EXPECT_TRUE(rc::check([&] {
    const Instruction written = random_instruction(function);
    const std::string text = to_text(written, function);
    const Instruction read = parse_body(".shared .b8 s[64];\n" + text).body.at(0);
    RC_LOG(text);
    RC_ASSERT(read.opcode == written.opcode);
    RC_ASSERT(read.modifiers == written.modifiers);
    RC_ASSERT(read.types == written.types);
    RC_ASSERT(read.space == written.space);
    RC_ASSERT(read.vector_width == written.vector_width);
    RC_ASSERT(read.guard == written.guard);
    RC_ASSERT(read.operands == written.operands);
  }));
}

}  // namespace printer_test
}  // namespace warpfork::ptx

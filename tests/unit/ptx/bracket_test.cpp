// What stands in brackets: addresses, and the tuples of textures and surfaces (PTX ISA, "Addresses as Operands",
// "tex").
#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace bracket_test {

/// An entry with a texture, a sampler, a surface and shared memory in sight.
std::string entry(const std::string& body) {
  return kHead +
         ".global .texref t; .global .samplerref s; .global .surfref u;\n.visible .entry k(.param .u64 p) {\n"
         ".shared .b32 m[4]; .reg .b32 %r<6>; .reg .b64 %rd<3>; .reg .f32 %f<8>;\n" +
         body + "\n}\n";
}

Operand operand_of(const std::string& text, std::size_t number) {
  return parse_text(entry(text)).functions.at(0).body.at(0).operands.at(number);
}

/// Address and tuple as the PTX ISA writes them, and as they are printed.
struct Bracket {
  const char* text;
  const char* printed;
};

void PrintTo(const Bracket& bracket, std::ostream* out) { *out << bracket.text; }

class Brackets : public testing::TestWithParam<Bracket> {};

TEST_P(Brackets, are_printed_and_read_back) {
  const Function function = parse_text(entry(GetParam().text)).functions.at(0);
  const std::string printed = to_text(function.body.at(0), function);
  EXPECT_EQ(printed, GetParam().printed);
  EXPECT_EQ(parse_text(entry(printed)).functions.at(0).body.at(0).operands, function.body.at(0).operands);
}

const Bracket kAddresses[] = {
    {"ld.global.u32 %r0, [%rd0];", "ld.global.u32 %r0, [%rd0];"},
    {"ld.global.u32 %r0, [%rd0+0];", "ld.global.u32 %r0, [%rd0];"},
    {"ld.global.u32 %r0, [%rd0 + 8];", "ld.global.u32 %r0, [%rd0+8];"},
    {"ld.global.u32 %r0, [%rd0+-8];", "ld.global.u32 %r0, [%rd0+-8];"},
    {"ld.global.u32 %r0, [%rd0-8];", "ld.global.u32 %r0, [%rd0+-8];"},
    {"ld.shared.u32 %r0, [m+12];", "ld.shared.u32 %r0, [m+12];"},
    {"ld.shared.u32 %r0, [m];", "ld.shared.u32 %r0, [m];"},
    {"ld.param.u64 %rd0, [p];", "ld.param.u64 %rd0, [p];"},
    {"ld.global.u32 %r0, [0x100];", "ld.global.u32 %r0, [256];"},
};
INSTANTIATE_TEST_SUITE_P(Addresses, Brackets, testing::ValuesIn(kAddresses));

const Bracket kTuples[] = {
    {"tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r1}];", "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r1}];"},
    {"tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, s, {%f4,%f5}];",
     "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, s, {%f4, %f5}];"},
    {"tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f4,%f5}];",
     "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}];"},
};
INSTANTIATE_TEST_SUITE_P(Tuples, Brackets, testing::ValuesIn(kTuples));

TEST(Address, of_a_symbol_keeps_its_offset_beside_the_name) {
  const AddressOperand address = *operand_of("ld.shared.u32 %r0, [m+12];", 1).as<AddressOperand>();
  EXPECT_EQ(std::get<SymbolOperand>(address.base), (SymbolOperand{"m", 0}));
  EXPECT_EQ(address.offset, 12);
}

TEST(Address, of_a_literal_is_a_number) {
  const AddressOperand address = *operand_of("ld.global.u32 %r0, [0x100];", 1).as<AddressOperand>();
  EXPECT_EQ(std::get<std::uint64_t>(address.base), 256u);
}

TEST(Tuple, of_a_texture_holds_names_and_coordinates) {
  const VectorOperand tuple = *operand_of("tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, s, {%r1}];", 1).as<VectorOperand>();
  ASSERT_EQ(tuple.elements.size(), 3u);
  EXPECT_EQ(tuple.elements[0].as<SymbolOperand>()->name, "t");
  EXPECT_EQ(tuple.elements[1].as<SymbolOperand>()->name, "s");
  EXPECT_EQ(tuple.elements[2].as<VectorOperand>()->brackets, VectorOperand::Brackets::Braces);
}

class BracketError : public testing::TestWithParam<Fault> {};

TEST_P(BracketError, names_place_cause_and_remedy) { expect_fault(GetParam(), error_of(entry(GetParam().text))); }

const Fault kFaults[] = {
    {"ld.global.u32 %r0, [%rd0;", "7:25", "expected ']'", ""},
    {"ld.global.u32 %r0, [];", "7:21", "", ""},
    {"ld.global.u32 %r0, [1.5];", "7:21", "an address is an integer", ""},
    {"ld.global.u32 %r0, [%q];", "7:21", "'%q' is not declared", ""},
    {"ld.global.u32 %r0, %rd0;", "7:20", "expected an address in brackets", "as in [%rd1+8]"},
    {"add.s32 %r0, [%rd0], 1;", "7:14", "an address in brackets where a value is expected", "only loads"},
};
INSTANTIATE_TEST_SUITE_P(Faults, BracketError, testing::ValuesIn(kFaults));

}  // namespace bracket_test
}  // namespace warpfork::ptx

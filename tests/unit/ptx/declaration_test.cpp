// Variables, parameters and initialisers, and what is wrong with them (PTX ISA, "State Spaces, Types, and Variables").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace declaration_test {

using testing::ElementsAre;

Variable variable_of(const std::string& declaration) { return parse_text(kHead + declaration).variables.at(0); }

std::vector<int> bytes_of(const std::string& declaration) {
  std::vector<int> bytes;
  for (std::byte b : variable_of(declaration).initial) bytes.push_back(std::to_integer<int>(b));
  return bytes;
}

/// The text is a module's, behind the head of three lines.
class DeclarationError : public testing::TestWithParam<Fault> {};

TEST_P(DeclarationError, names_place_cause_and_remedy) { expect_fault(GetParam(), error_of(kHead + GetParam().text)); }

const Fault kDeclarations[] = {
    {".global x;", "4:9", "expected a type, as in '.b32', found 'x'", ""},
    {".global .u32;", "4:13", "expected the name of a variable, found ';'", ""},
    {".global .u32 .u64 x;", "4:14", "'.u64' in a declaration", "one type"},
    {".global .reg .u32 x;", "4:9", "'.reg' in a declaration", "allowed: .align"},
    {".global .pred x;", "4:15", "a variable of type .pred", "predicates live in registers only"},
    {".global .align 0 .u32 x;", "4:16", "an alignment must be an integer from 1", ""},
    {".global .align 24 .u32 x;", "4:16", "an alignment must be a power of two", ""},
    {".global .align x .u32 x;", "4:16", "expected a constant, found 'x'", ""},
    {".global .attribute(.fast) .u32 x;", "4:20", "unknown attribute '.fast'", "allowed: .managed .unified"},
    {".global .attribute(managed) .u32 x;", "4:20", "expected an attribute, found 'managed'", ""},
    {".const[11] .u32 x;", "4:8", "a constant bank must be an integer from 0 to 10", ""},
    {".global .u32 x[1.5];", "4:16", "the size of a dimension must be an integer", ""},
    {".global .u32 x[-1];", "4:16", "the size of a dimension must be an integer", ""},
    {".global .u32 x[2][0];", "4:19", "the size of a dimension must be an integer from 1", ""},
    {".global .u32 x[2][];", "4:19", "expected a constant, found ']'", ""},
    {".shared .u32 x[];", "4:14", "the size of 'x' is not known", "or declare it .extern"},
    {".global .v4 .f64 x[549755813888];", "4:18", "'x' is larger than 1099511627776 bytes", ""},
};
INSTANTIATE_TEST_SUITE_P(Declarations, DeclarationError, testing::ValuesIn(kDeclarations));

const Fault kInitialisers[] = {
    {".global .u32 x = {1, 2};", "4:22", "more values than the variable has elements", "these braces hold 1"},
    {".global .u32 x[2] = {1, 2, 3};", "4:28", "more values", "these braces hold 2"},
    {".global .u32 x[2][2] = {{1, 2, 3}};", "4:32", "more values", "these braces hold 2"},
    {".global .u32 x[2][2] = {1, {2, 3}};", "4:28", "braces in the middle of a row", ""},
    {".global .u32 x[2] = {{1}};", "4:22", "more braces than the variable has dimensions", ""},
    {".global .u32 x[2] = 7;", "4:21", "expected '{' before the values", "found '7'"},
    {".global .u32 x[2] = {1, 2;", "4:26", "expected '}', found ';'", ""},
    {".global .s32 x = 1.5;", "4:18", "a floating-point value for a variable of type .s32", "write an integer"},
    {".global .b64 x = 0f3F800000;", "4:18", "a floating-point value for a variable of type .b64", ""},
    {".global .u64 x = y;", "4:18", "'y' is not declared", "nearest names of this module: x"},
    {".global .u64 x = generic(1);", "4:26", "expected the name of a variable, found '1'", ""},
    {".global .u64 x = generic(x;", "4:27", "expected ')', found ';'", ""},
    {".global .u8 x = 0(x);", "4:17", "the mask of an address is zero", "as in 0xff00(symbol)"},
    {".global .u32 x[2][67108864] = {{}, {1}};", "4:38", "the initialiser reaches beyond 256 MiB", ""},
    {".global .u32 x[134217729] = {1};", "4:14", "are larger than 536870912 bytes", ""},
    {".global .samplerref s = { filter_mode = {1} };", "4:41", "a sampler's field is a word or an integer", ""},
    {".global .samplerref s = { filter_mode linear };", "4:39", "expected '=', found 'linear'", ""},
};
INSTANTIATE_TEST_SUITE_P(Initialisers, DeclarationError, testing::ValuesIn(kInitialisers));

// PTX ISA, "Initializers": only in .global and .const, not of external variables, and for all types but .f16, .f16x2
// and .pred; addresses stand in variables that hold one, and single bytes of them behind a mask.
const Fault kUninitialised[] = {
    {".shared .u32 x = 5;", "4:16", "an initial value of a variable in .shared", "only .global and .const"},
    {".local .u32 x = 5;", "4:15", "an initial value of a variable in .local", "only .global and .const"},
    {".entry k(.param .u32 a = 5) { ret; }", "4:24", "an initial value of a variable in .param", "only .global"},
    {".entry k { .shared .u32 x[2] = {1, 2}; }", "4:30", "an initial value of a variable in .shared", ""},
    {".extern .global .u32 x = 5;", "4:24", "an initial value of a variable that is .extern", "where it is defined"},
    {".global .f16 x = 1.5;", "4:16", "an initial value of type .f16", "declare it .b16 and write the bits"},
    {".global .f16x2 x = 1;", "4:18", "an initial value of type .f16x2", "declare it .b32 and write the bits"},
    {".global .f64 x = x;", "4:18", "the address of 'x' in a variable of type .f64", "declare it .u64"},
    {".global .u16 x[2] = {1, x};", "4:25", "the address of 'x' in a variable of type .u16", "as in 0xff(x)"},
    {".global .u8 x = generic(x);", "4:25", "the address of 'x' in a variable of type .u8", "as in 0xff(x)"},
};
INSTANTIATE_TEST_SUITE_P(Uninitialised, DeclarationError, testing::ValuesIn(kUninitialised));

const Fault kRedefinitions[] = {
    {".extern .global .u32 x;\n.global .u64 x;", "5:14", "'x' is declared otherwise before", "is in line 4"},
    {".extern .global .u32 x;\n.const .u32 x;", "5:13", "'x' is declared otherwise before", "is in line 4"},
    {".extern .global .u32 x[2];\n.global .u32 x[3];", "5:14", "'x' is declared otherwise before", "is in line 4"},
    {".global .u32 x;\n.extern .global .u16 x;", "5:22", "'x' is declared otherwise before", "is in line 4"},
};
INSTANTIATE_TEST_SUITE_P(Redefinitions, DeclarationError, testing::ValuesIn(kRedefinitions));

TEST(Declaration, an_extern_array_may_leave_its_size_to_the_definition) {
  const Module module = parse_text(kHead + ".extern .global .u32 x[];\n.global .b32 x[3];");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables[0].bytes, 12u);
}

TEST(Declaration, an_alignment_is_the_elements_size_where_none_is_given) {
  EXPECT_EQ(variable_of(".global .u8 x;").alignment, 1u);
  EXPECT_EQ(variable_of(".global .f64 x[3];").alignment, 8u);
  EXPECT_EQ(variable_of(".global .v2 .u16 x;").alignment, 4u);
  EXPECT_EQ(variable_of(".global .align 32 .u8 x;").alignment, 32u);
}

TEST(Declaration, several_names_share_type_and_alignment) {
  const Module module = parse_text(kHead + ".global .align 8 .u32 a, b[3], c = 7;");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[1].bytes, 12u);
  EXPECT_EQ(module.variables[2].alignment, 8u);
  EXPECT_EQ(module.variables[2].initial.size(), 4u);
}

TEST(Declaration, linkage_words_are_kept_apart) {
  EXPECT_TRUE(variable_of(".extern .global .u32 x;").is_extern);
  EXPECT_FALSE(variable_of(".extern .global .u32 x;").is_visible);
  for (const char* word : {".visible", ".weak", ".common"})
    EXPECT_TRUE(variable_of(std::string(word) + " .global .u32 x;").is_visible) << word;
  EXPECT_FALSE(variable_of(".global .u32 x;").is_visible);
}

TEST(Declaration, an_attribute_makes_a_variable_managed) {
  EXPECT_TRUE(variable_of(".global .attribute(.managed) .u32 x;").is_managed);
  EXPECT_TRUE(variable_of(".global .attribute(.unified(1, 2), .managed) .u32 x;").is_managed);
  EXPECT_FALSE(variable_of(".global .attribute(.unified(1, 2)) .u32 x;").is_managed);
}

TEST(Declaration, the_bank_of_an_old_constant_means_nothing) {
  EXPECT_EQ(variable_of(".const[3] .u32 x[2];").bytes, 8u);
  EXPECT_EQ(variable_of(".const[3] .u32 x[2];").space, StateSpace::Const);
}

TEST(Declaration, a_variable_knows_where_it_stands) {
  const Variable variable = variable_of("\n  .global .u32 x;");
  EXPECT_EQ(variable.location.line, 5u);
  EXPECT_EQ(variable.location.column, 16u);
}

TEST(Declaration, the_size_of_a_sum_may_be_written_as_one) {
  EXPECT_EQ(variable_of(".global .u8 x[4*8+1];").bytes, 33u);
  EXPECT_EQ(variable_of(".global .u8 x[WARP_SZ];").bytes, 32u);
}

TEST(Initialiser, integers_keep_their_low_bytes) {
  EXPECT_THAT(bytes_of(".global .u16 x = 0x12345;"), ElementsAre(0x45, 0x23));
  EXPECT_THAT(bytes_of(".global .s32 x = -2;"), ElementsAre(0xfe, 0xff, 0xff, 0xff));
  EXPECT_THAT(bytes_of(".global .u64 x = {1};"), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

// IEEE 754: 1.0 is 0x3f800000 and 0x3ff0000000000000, −2.0 is 0xc0000000.
TEST(Initialiser, numbers_become_floats_of_the_variables_width) {
  EXPECT_THAT(bytes_of(".global .f32 x = -2;"), ElementsAre(0, 0, 0, 0xc0));
  EXPECT_THAT(bytes_of(".global .f64 x = 1;"), ElementsAre(0, 0, 0, 0, 0, 0, 0xf0, 0x3f));
  EXPECT_THAT(bytes_of(".global .f64 x = 0f3F800000;"), ElementsAre(0, 0, 0, 0, 0, 0, 0xf0, 0x3f));
  EXPECT_THAT(bytes_of(".global .f32 x = 0d3FF0000000000000;"), ElementsAre(0, 0, 0x80, 0x3f));
  EXPECT_THAT(bytes_of(".global .b32 x = 0f3F800000;"), ElementsAre(0, 0, 0x80, 0x3f));
}

TEST(Initialiser, a_vectors_elements_are_its_innermost_dimension) {
  EXPECT_THAT(bytes_of(".global .v2 .u8 x[2] = {{1, 2}, {3}};"), ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(bytes_of(".global .v4 .u8 x = {1, 2};"), ElementsAre(1, 2, 0, 0));
  EXPECT_EQ(variable_of(".global .v2 .u8 x[] = {{1, 2}, {3, 4}, {5, 6}};").bytes, 6u);
}

TEST(Initialiser, empty_braces_leave_zeros_and_count_as_an_element) {
  EXPECT_EQ(variable_of(".global .u8 x[][2] = {{}, {1}};").bytes, 4u);
  EXPECT_THAT(bytes_of(".global .u8 x[][2] = {{}, {1}};"), ElementsAre(0, 0, 1, 0));
}

TEST(Initialiser, addresses_take_offsets_inside_and_outside_of_generic) {
  const Module module = parse_text(kHead + ".global .u32 a[4];\n.global .u64 p[3] = {a+8-4, generic(a+4)+8, a};");
  EXPECT_THAT(module.variables.at(1).relocations,
              ElementsAre(Relocation{0, "a", 4, false}, Relocation{8, "a", 12, true}, Relocation{16, "a", 0, false}));
}

TEST(Initialiser, only_the_first_dimension_may_be_open) {
  EXPECT_EQ(variable_of(".global .u8 x[][3] = {1, 2, 3, 4};").bytes, 6u);
  EXPECT_EQ(variable_of(".extern .shared .u8 x[];").bytes, 0u);
}

struct Layout {
  const char* declaration;
  std::vector<int> bytes;  // none where all are zero
};

void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.declaration; }

class InitialBytes : public testing::TestWithParam<Layout> {};

TEST_P(InitialBytes, are_those_of_the_rows_and_columns) {
  EXPECT_EQ(bytes_of(GetParam().declaration), GetParam().bytes);
}

// PTX ISA, "Initializers": as in C, row by row, missing ones zero; its example is x[3][2] = { {1,2}, {3} }.
const Layout kLayouts[] = {
    {".global .s8 x[3][2] = { {1,2}, {3} };", {1, 2, 3, 0, 0, 0}},
    {".global .u8 x[2][2][2] = { {{1}, {2}}, {{3, 4}} };", {1, 0, 2, 0, 3, 4, 0, 0}},
    {".global .u8 x[][2][2] = { {{1}}, {{}, {2}} };", {1, 0, 0, 0, 0, 0, 2, 0}},
    {".global .u8 x[][2] = { {1}, {} };", {1, 0, 0, 0}},
    {".global .u8 x[2][3] = { 1, 2, 3, {4} };", {1, 2, 3, 4, 0, 0}},
    {".global .u8 x[2][2] = { {}, {5} };", {0, 0, 5, 0}},
    {".global .u8 x[4] = { 1, 2, };", {1, 2, 0, 0}},
    {".global .u8 x[3] = {};", {}},
    {".global .u8 x[3] = { 0, 0 };", {}},
    {".const .v2 .s16 x[2] = { {-1, 2}, {3} };", {255, 255, 2, 0, 3, 0, 0, 0}},
    {".global .b8 x[2] = { 0xff, 256 + 7 };", {255, 7}},
    {".global .u32 x = 1 << 4 | 3;", {19, 0, 0, 0}},
    {".global .u16 x[2] = { WARP_SZ, ~0 };", {32, 0, 255, 255}},
    {".global .u64 x = -7 % 4;", {1, 0, 0, 0, 0, 0, 0, 0}},
    {".global .f32 x[2] = { .5, -1 };", {0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf}},
    {".global .f32 x = 16777217;", {0, 0, 0x80, 0x4b}},  // 2^24 + 1 lies between two floats, the even one is 2^24
    {".global .f64 x = 0U - 1U;", {0, 0, 0, 0, 0, 0, 0xf0, 0x43}},  // 2^64 - 1, rounded to 2^64
    {".global .b32 x = -0f00000000;", {0, 0, 0, 0x80}},
};
INSTANTIATE_TEST_SUITE_P(All, InitialBytes, testing::ValuesIn(kLayouts));

TEST(Initialiser, a_variable_may_be_called_generic) {
  const Module module = parse_text(kHead + ".global .u32 generic;\n.global .u64 p[2] = {generic, generic+4};");
  EXPECT_THAT(module.variables.at(1).relocations,
              ElementsAre(Relocation{0, "generic", 0, false}, Relocation{8, "generic", 4, false}));
}

TEST(Initialiser, the_offset_of_an_address_may_be_negative_and_a_sum_of_products) {
  const Module module = parse_text(kHead + ".global .u32 a[9];\n.global .u64 p[3] = {a-4, a+2*4+(1-2), generic(a)-8};");
  EXPECT_THAT(module.variables.at(1).relocations,
              ElementsAre(Relocation{0, "a", -4, false}, Relocation{8, "a", 7, false}, Relocation{16, "a", -8, true}));
}

TEST(Declaration, one_declaration_names_variables_of_several_shapes) {
  const Module module = parse_text(kHead + ".const .v2 .f32 a, b[2], c[2][3] = {{{1, 2}}};");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[0].bytes, 8u);
  EXPECT_EQ(module.variables[1].bytes, 16u);
  EXPECT_EQ(module.variables[2].bytes, 48u);
  EXPECT_EQ(module.variables[2].alignment, 8u);
}

// The largest power of two that is allowed, and the next one.
TEST(Declaration, alignments_go_up_to_65536) {
  EXPECT_EQ(variable_of(".global .align 65536 .u8 x;").alignment, 65536u);
  EXPECT_THAT(error_of(kHead + ".global .align 131072 .u8 x;"), testing::HasSubstr("an integer from 1 to 65536"));
}

TEST(Declaration, pointers_of_parameters_may_say_where_they_point) {
  for (const char* attributes : {".ptr", ".ptr .align 8", ".ptr .shared", ".ptr .global .align 16", ".ptr .surfref"}) {
    const Module module = parse_text(kHead + ".entry k(.param .u64 " + attributes + " p) { ret; }");
    EXPECT_EQ(module.functions.at(0).parameters.at(0).alignment, 8u) << attributes;
    EXPECT_EQ(module.functions.at(0).parameters.at(0).space, StateSpace::Param) << attributes;
  }
}

}  // namespace declaration_test
}  // namespace warpfork::ptx

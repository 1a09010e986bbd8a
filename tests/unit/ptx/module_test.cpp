#include "ptx/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace module_test {

using testing::ElementsAre;
using testing::IsEmpty;

Variable variable_of(const std::string& declaration) { return parse_text(kHead + declaration).variables.at(0); }

std::vector<int> bytes_of_initial(const Variable& variable) {
  std::vector<int> bytes;
  for (std::byte b : variable.initial) bytes.push_back(std::to_integer<int>(b));
  return bytes;
}

TEST(Module, reads_version_target_and_address_size) {
  const Module module = parse_text(".version 8.3\n.target sm_90a, debug\n.address_size 32\n");
  EXPECT_EQ(module.version_major, 8u);
  EXPECT_EQ(module.version_minor, 3u);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.architecture(), 90u);
  EXPECT_THAT(module.target_options, ElementsAre("debug"));
  EXPECT_EQ(module.address_bits, 32u);
}

TEST(Module, infers_the_address_size_of_old_text_from_its_addresses) {
  const std::string head = ".version 1.4\n.target sm_10\n.entry k {\n";
  EXPECT_EQ(parse_text(head + ".reg .u64 %a; .reg .u32 %r; ld.global.u32 %r, [%a];\n}").address_bits, 64u);
  EXPECT_EQ(parse_text(head + ".reg .u32 %a; .reg .u32 %r; ld.global.u32 %r, [%a];\n}").address_bits, 32u);
}

TEST(Module, ignores_the_zero_bytes_that_end_an_image) {
  EXPECT_EQ(parse_text(kHead + std::string(3, '\0')).target, "sm_70");
}

// What editors of some systems put before UTF-8 text.
TEST(Module, ignores_a_byte_order_mark) {
  EXPECT_EQ(parse_text("\xEF\xBB\xBF" + kHead).target, "sm_70");
  EXPECT_THAT(error_of("\xEF\xBB\xBF.target sm_20"), testing::StartsWith("t.ptx:1:1: error: expected '.version'"));
  EXPECT_THAT(error_of("\xEF\xBB.version 7.0"), testing::HasSubstr("unexpected byte 0xef"));
}

TEST(Module, keeps_source_files_and_skips_debug_sections) {
  const Module module =
      parse_text(kHead + ".file 1 \"a.cu\", 123, 45\n.section .debug_str {\nL: .b8 95,90\n}\n.file 2 \"b.h\"\n");
  EXPECT_EQ(module.source_files.at(1), "a.cu");
  EXPECT_EQ(module.source_files.at(2), "b.h");
}

TEST(Module, sizes_variables_by_type_vector_and_dimensions) {
  const Variable table = variable_of(".visible .const .align 16 .f64 t[2][3];");
  EXPECT_EQ(table.bytes, 48u);
  EXPECT_EQ(table.alignment, 16u);
  EXPECT_EQ(table.space, StateSpace::Const);
  EXPECT_TRUE(table.is_visible);
  const Variable vectors = variable_of(".global .v4 .f32 v[2];");
  EXPECT_EQ(vectors.bytes, 32u);
  EXPECT_EQ(vectors.alignment, 16u);
}

TEST(Module, leaves_the_size_of_extern_shared_memory_open) {
  const Variable dynamic = variable_of(".extern .shared .align 8 .b8 pool[];");
  EXPECT_EQ(dynamic.bytes, 0u);
  EXPECT_TRUE(dynamic.is_extern);
}

TEST(Module, fills_initialisers_in_little_endian_order) {
  EXPECT_THAT(bytes_of_initial(variable_of(".global .u16 x[3] = {0x0102, 3};")), ElementsAre(2, 1, 3, 0, 0, 0));
  EXPECT_THAT(bytes_of_initial(variable_of(".global .f32 x = 1.0;")), ElementsAre(0, 0, 0x80, 0x3f));
  EXPECT_THAT(bytes_of_initial(variable_of(".global .f32 x = 0f3F800000;")), ElementsAre(0, 0, 0x80, 0x3f));
}

TEST(Module, puts_nested_braces_into_rows) {
  EXPECT_THAT(bytes_of_initial(variable_of(".global .u8 x[2][3] = {{1}, {2, 3}};")), ElementsAre(1, 0, 0, 2, 3, 0));
  EXPECT_THAT(bytes_of_initial(variable_of(".global .u8 x[2][2] = {1, 2, 3, 4};")), ElementsAre(1, 2, 3, 4));
}

TEST(Module, takes_an_empty_first_dimension_from_the_initialiser) {
  EXPECT_EQ(variable_of(".global .u32 x[] = {1, 2, 3};").bytes, 12u);
  EXPECT_EQ(variable_of(".global .u8 x[][2] = {{1, 2}, {3}};").bytes, 4u);
}

TEST(Module, keeps_no_bytes_of_zeros) {
  EXPECT_THAT(variable_of(".global .u32 x[4] = {0, 0, 0, 0};").initial, IsEmpty());
}

TEST(Module, notes_addresses_in_initialisers) {
  const Module module = parse_text(kHead + ".global .u32 a;\n.global .u64 b[3] = {7, generic(a)+4, a};\n");
  EXPECT_THAT(module.variables.at(1).relocations,
              ElementsAre(Relocation{8, "a", 4, true}, Relocation{16, "a", 0, false}));
  EXPECT_EQ(module.variables.at(1).initial.size(), 24u);
}

TEST(Module, notes_masked_addresses) {
  const Module module = parse_text(kHead + ".global .u32 a;\n.global .u8 b[] = {0xff(a), 0xff00(generic(a))};\n");
  EXPECT_THAT(module.variables.at(1).relocations,
              ElementsAre(Relocation{0, "a", 0, false, 0xff}, Relocation{1, "a", 0, true, 0xff00}));
}

TEST(Module, accepts_a_functions_address_before_the_function) {
  const Module module = parse_text(kHead + ".global .u64 f[1] = {later};\n.func later { ret; }\n");
  EXPECT_EQ(module.variables.at(0).relocations.at(0).symbol, "later");
}

TEST(Module, keeps_sampler_fields) {
  const Variable sampler =
      variable_of(".global .samplerref s = { addr_mode_0 = clamp_to_edge, filter_mode = linear };");
  EXPECT_THAT(sampler.sampler_fields, ElementsAre(std::pair<std::string, std::string>{"addr_mode_0", "clamp_to_edge"},
                                                  std::pair<std::string, std::string>{"filter_mode", "linear"}));
}

TEST(Module, takes_a_definition_for_its_extern_declaration) {
  const Module module = parse_text(kHead + ".extern .global .u32 x;\n.visible .global .u32 x = 5;\n");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_FALSE(module.variables[0].is_extern);
}

TEST(Module, lays_out_parameters_by_their_alignment) {
  const Module module =
      parse_text(kHead + ".entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .u16 d) { ret; }");
  const Function& k = module.functions.at(0);
  EXPECT_THAT(k.parameter_offsets(), ElementsAre(0, 8, 16, 36));
  EXPECT_EQ(k.parameter_bytes(), 38u);
}

TEST(Module, reads_pointer_attributes_of_parameters) {
  const Module module = parse_text(kHead + ".entry k(.param .u64 .ptr .global .align 64 a) { ret; }");
  EXPECT_EQ(module.functions.at(0).parameters.at(0).alignment, 8u);
  EXPECT_EQ(module.functions.at(0).parameters.at(0).type, ScalarType::U64);
}

TEST(Module, reads_tuning_directives) {
  const Module module =
      parse_text(kHead +
                 ".entry a .maxntid 16, 4 .maxnreg 32 .pragma \"x\"; { ret; }\n"
                 ".entry b() .reqntid 8, 2 .minnctapersm 4 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n");
  EXPECT_EQ(module.find_function("a")->max_threads, 64u);
  EXPECT_EQ(module.find_function("a")->max_registers, 32u);
  EXPECT_EQ(module.find_function("b")->required_threads, (Dim3{8, 2, 1}));
  EXPECT_EQ(module.find_function("b")->min_blocks, 4u);
}

TEST(Module, puts_a_definition_in_place_of_its_prototype) {
  const Module module = parse_text(kHead +
                                   ".func (.param .b32 r) f (.param .b32 a);\n.entry k { ret; }\n"
                                   ".func (.param .b32 r) f (.param .b32 a) .noreturn { ret; }\n");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_FALSE(module.find_function("f")->is_declaration);
  EXPECT_EQ(module.find_function("f")->returns.at(0).name, "r");
}

TEST(Module, makes_registers_of_register_parameters) {
  const Module module = parse_text(kHead + ".func (.reg .u32 %r) f (.reg .u32 %a) { add.u32 %r, %a, 1; ret; }");
  const Function& f = module.functions.at(0);
  EXPECT_EQ(f.parameters.at(0).space, StateSpace::Register);
  EXPECT_EQ(f.registers.at(1).name, "%a");
}

TEST(Module, keeps_extern_functions_and_aliases) {
  const Module module = parse_text(kHead +
                                   ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                                   ".func g { ret; }\n.alias h, g;\n");
  EXPECT_TRUE(module.find_function("vprintf")->is_declaration);
  EXPECT_EQ(module.aliases.at("h"), "g");
}

}  // namespace module_test
}  // namespace warpfork::ptx

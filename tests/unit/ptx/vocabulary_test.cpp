// The closed vocabularies: every word is found by its text and nothing else is; what the ISA says of each type.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ptx/instruction.h"
#include "ptx/signature.h"
#include "ptx/types.h"

namespace warpfork::ptx {
namespace vocabulary_test {

/// Every word of a vocabulary is found by its text, and no two have one text.
template <typename Word, typename Find>
void finds_itself(std::size_t count, Find find) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto word = static_cast<Word>(i);
    EXPECT_EQ(find(to_string(word)), word) << to_string(word);
    EXPECT_TRUE(texts.insert(to_string(word)).second) << to_string(word);
  }
}

TEST(Vocabulary, every_opcode_is_found_by_its_text) {
  finds_itself<Opcode>(static_cast<std::size_t>(Opcode::Setmaxnreg) + 1, opcode_from);
}

TEST(Vocabulary, every_modifier_is_found_by_its_text) {
  finds_itself<Modifier>(static_cast<std::size_t>(Modifier::M64n256k256) + 1, modifier_from);
}

TEST(Vocabulary, every_type_is_found_by_its_text) {
  finds_itself<ScalarType>(static_cast<std::size_t>(ScalarType::Surfref) + 1, type_from);
}

TEST(Vocabulary, every_special_register_is_found_by_its_text) {
  finds_itself<SpecialRegister>(static_cast<std::size_t>(SpecialRegister::DynamicSmemSize) + 1, special_register_from);
}

TEST(Vocabulary, a_beginning_or_another_case_of_a_word_is_no_word) {
  for (const char* text : {"", "a", "ad", "addd", "ADD", "add ", ".add"}) EXPECT_FALSE(opcode_from(text)) << text;
  for (const char* text : {"", "s3", "s321", "S32", "f31"}) EXPECT_FALSE(type_from(text)) << text;
  for (const char* text : {"", "ti", "tid.x", "%tid"}) EXPECT_FALSE(special_register_from(text)) << text;
  for (const char* text : {"", "rnn", "L1::", "evict_last", "RN"}) EXPECT_FALSE(modifier_from(text)) << text;
}

struct Width {
  const char* type;
  unsigned bits, bytes;
};

// PTX ISA, "Fundamental Types", "Packed Data Types", "Alternate Floating-Point Data Formats".
TEST(Vocabulary, types_are_as_wide_as_the_isa_says) {
  for (const Width& width :
       {Width{"s8", 8, 1},       {"u16", 16, 2},    {"b32", 32, 4},    {"f64", 64, 8},  {"b128", 128, 16},
        Width{"f16x2", 32, 4},   {"bf16", 16, 2},   {"bf16x2", 32, 4}, {"tf32", 32, 4}, {"e4m3", 8, 1},
        Width{"e5m2x2", 16, 2},  {"e2m1", 4, 1},    {"e2m1x2", 8, 1},  {"e3m2", 6, 1},  {"ue8m0", 8, 1},
        Width{"ue8m0x2", 16, 2}, {"pred", 1, 1},    {"s4", 4, 1},      {"b1", 1, 1},    {"u8x4", 32, 4},
        Width{"texref", 64, 8},  {"surfref", 64, 8}}) {
    EXPECT_EQ(bits_of(*type_from(width.type)), width.bits) << width.type;
    EXPECT_EQ(bytes_of(*type_from(width.type)), width.bytes) << width.type;
  }
}

TEST(Vocabulary, floats_are_those_with_an_exponent) {
  for (const char* text : {"f16", "f16x2", "f32", "f64", "f32x2", "bf16", "bf16x2", "tf32", "e4m3", "e5m2x4", "ue8m0"})
    EXPECT_TRUE(is_float(*type_from(text))) << text;
  for (const char* text : {"s32", "u64", "b16", "pred", "u8x4", "b128", "texref", "s4"})
    EXPECT_FALSE(is_float(*type_from(text))) << text;
}

TEST(Vocabulary, signed_types_are_those_named_s) {
  for (const char* text : {"s8", "s16", "s32", "s64", "s8x4", "s16x2", "s4"})
    EXPECT_TRUE(is_signed(*type_from(text))) << text;
  for (const char* text : {"u8", "b32", "f32", "pred", "samplerref", "surfref", "u16x2"})
    EXPECT_FALSE(is_signed(*type_from(text))) << text;
}

TEST(Vocabulary, state_spaces_have_the_names_of_their_dotted_words) {
  EXPECT_EQ(to_string(StateSpace::Global), "global");
  EXPECT_EQ(to_string(StateSpace::Shared), "shared");
  EXPECT_EQ(to_string(StateSpace::Const), "const");
  EXPECT_EQ(to_string(StateSpace::Local), "local");
  EXPECT_EQ(to_string(StateSpace::Param), "param");
  EXPECT_EQ(to_string(StateSpace::Register), "reg");
  EXPECT_EQ(to_string(StateSpace::Texture), "tex");
}

// PTX ISA, "Special Registers": these are declared `.sreg .v4 .u32`, all others are scalars.
TEST(Vocabulary, special_registers_of_positions_have_components) {
  const std::set<std::string_view> vectors{"tid",       "ntid",       "ctaid",         "nctaid",
                                           "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"};
  for (int i = 0; i <= static_cast<int>(SpecialRegister::DynamicSmemSize); ++i) {
    const auto name = static_cast<SpecialRegister>(i);
    EXPECT_EQ(has_components(name), vectors.contains(to_string(name))) << to_string(name);
  }
}

TEST(Vocabulary, selectors_of_video_instructions_survive_their_bits) {
  for (const char* text : {"b0", "b3", "b7", "h0", "h10", "b7210", "h3210"})
    EXPECT_EQ(selector_text(selector_bits(text)), text);
  for (const char* text : {"", "b", "b8", "c0", "b43210", "h1x", "0"}) EXPECT_EQ(selector_bits(text), 0) << text;
}

TEST(Vocabulary, video_instructions_are_vadd_to_vset4) {
  for (const char* text : {"vadd", "vsub", "vmad", "vset", "vadd2", "vavrg4", "vset4"})
    EXPECT_TRUE(is_video(*opcode_from(text))) << text;
  for (const char* text : {"add", "vote", "alloca", "brkpt", "setmaxnreg"})
    EXPECT_FALSE(is_video(*opcode_from(text))) << text;
}

}  // namespace vocabulary_test
}  // namespace warpfork::ptx

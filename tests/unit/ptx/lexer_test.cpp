#include "ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  const Source source(text, "t.ptx");
  Lexer lexer(source);
  std::vector<Token> tokens;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) tokens.push_back(token);
  return tokens;
}

std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(text)) texts.emplace_back(token.text);
  return texts;
}

Token only(std::string_view text) {
  const auto tokens = tokens_of(text);
  EXPECT_EQ(tokens.size(), 1u) << text;
  return tokens.at(0);
}

double as_double(const Token& token) { return std::bit_cast<double>(token.value); }

using testing::ElementsAre;

TEST(Lexer, splits_an_instruction_into_words) {
  EXPECT_THAT(texts_of("@!%p1 add.s32 \t%r1,%r2;"), ElementsAre("@", "!", "%p1", "add", "s32", "%r1", ",", "%r2", ";"));
}

TEST(Lexer, keeps_double_colons_inside_a_dotted_word) {
  EXPECT_THAT(texts_of("ld.L1::evict_last.shared::cta"), ElementsAre("ld", "L1::evict_last", "shared::cta"));
}

TEST(Lexer, takes_dollars_and_underscores_into_identifiers) {
  EXPECT_THAT(texts_of("$L__BB0_2 _Z1fPi _ %r$1"), ElementsAre("$L__BB0_2", "_Z1fPi", "_", "%r$1"));
}

TEST(Lexer, skips_comments_and_old_debug_lines) {
  EXPECT_THAT(texts_of("a // b\n/* c\n d */ e\n@@DWARF .byte 0x2b\nf"), ElementsAre("a", "e", "f"));
}

TEST(Lexer, counts_lines_and_columns_from_one) {
  const auto tokens = tokens_of("a\n  b /* \n */ c");
  EXPECT_EQ(tokens[1].position.line, 2u);
  EXPECT_EQ(tokens[1].position.column, 3u);
  EXPECT_EQ(tokens[2].position.line, 3u);
  EXPECT_EQ(tokens[2].position.column, 5u);
}

TEST(Lexer, reads_integers_of_every_base) {
  EXPECT_EQ(only("0x1F").value, 31u);
  EXPECT_EQ(only("017").value, 15u);
  EXPECT_EQ(only("0b101").value, 5u);
  EXPECT_EQ(only("0").value, 0u);
  EXPECT_EQ(only("18446744073709551615").value, ~std::uint64_t{0});
}

TEST(Lexer, notes_the_unsigned_suffix) {
  EXPECT_TRUE(only("7U").is_unsigned);
  EXPECT_FALSE(only("7").is_unsigned);
}

TEST(Lexer, reads_floats_by_their_bits) {
  EXPECT_EQ(only("0f3F800000").kind, TokenKind::Float32);
  EXPECT_EQ(only("0f3F800000").value, 0x3F800000u);
  EXPECT_EQ(only("0D3ff0000000000000").value, 0x3FF0000000000000u);
}

TEST(Lexer, reads_decimal_floats) {
  EXPECT_EQ(as_double(only("1.5")), 1.5);
  EXPECT_EQ(as_double(only("2e3")), 2000.0);
  EXPECT_EQ(as_double(only("1.")), 1.0);
  EXPECT_EQ(as_double(only(".25e-1")), 0.025);
}

TEST(Lexer, tells_geometries_from_fractions) {
  EXPECT_EQ(only(".2d").kind, TokenKind::Dotted);
  EXPECT_EQ(only(".16x64b").kind, TokenKind::Dotted);
  EXPECT_EQ(only(".5").kind, TokenKind::Float64);
}

TEST(Lexer, rejects_malformed_tokens) {
  for (const char* text : {"08", "0x", "0b2", "12ab", "0f12", "0f123456789", "18446744073709551616", "\"open",
                           "/* open", "`", "1e999", ". x", "#define A 1", "\x01"})
    EXPECT_THROW(tokens_of(text), Error) << text;
}

}  // namespace
}  // namespace warpfork::ptx

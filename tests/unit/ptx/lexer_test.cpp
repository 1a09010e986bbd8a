#include "ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace lexer_test {

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

struct Number {
  const char* text;
  TokenKind kind;
  std::uint64_t value;
};

void PrintTo(const Number& number, std::ostream* out) { *out << number.text; }

class NumberToken : public testing::TestWithParam<Number> {};

TEST_P(NumberToken, is_one_token_of_its_value) {
  EXPECT_EQ(only(GetParam().text).kind, GetParam().kind);
  EXPECT_EQ(only(GetParam().text).value, GetParam().value);
}

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

// PTX ISA 4.5.1: decimal, octal, hexadecimal and binary, up to 64 bits, U behind it or not.
const Number kIntegers[] = {
    {"00", TokenKind::Integer, 0},
    {"0777U", TokenKind::Integer, 511},
    {"0XaFU", TokenKind::Integer, 175},
    {"0B10U", TokenKind::Integer, 2},
    {"9U", TokenKind::Integer, 9},
    {"0xffffffffffffffff", TokenKind::Integer, kAllOnes},
    {"01777777777777777777777", TokenKind::Integer, kAllOnes},
    {"0b1111111111111111111111111111111111111111111111111111111111111111", TokenKind::Integer, kAllOnes},
    {"0x00000000000000000001", TokenKind::Integer, 1},
};
INSTANTIATE_TEST_SUITE_P(Integers, NumberToken, testing::ValuesIn(kIntegers));

// PTX ISA 4.5.2; IEEE 754: 0.5 is 0x3fe0…, 10 is 0x4024…, 1000 is 0x408f4…
const Number kFloats[] = {
    {".5", TokenKind::Float64, 0x3fe0000000000000},    {"0.5", TokenKind::Float64, 0x3fe0000000000000},
    {"5.e-1", TokenKind::Float64, 0x3fe0000000000000}, {"1e1", TokenKind::Float64, 0x4024000000000000},
    {"1E+1", TokenKind::Float64, 0x4024000000000000},  {"010.0", TokenKind::Float64, 0x4024000000000000},
    {".1e4", TokenKind::Float64, 0x408f400000000000},  {"0f7fffFFFF", TokenKind::Float32, 0x7fffffff},
    {"0F80000000", TokenKind::Float32, 0x80000000},    {"0dffffffffffffffff", TokenKind::Float64, kAllOnes},
};
INSTANTIATE_TEST_SUITE_P(Floats, NumberToken, testing::ValuesIn(kFloats));

TEST(Lexer, an_exponent_without_digits_belongs_to_no_number) {
  for (const char* text : {"1e", "1e+", "1.5e-", "2ex"}) EXPECT_THROW(tokens_of(text), Error) << text;
}

TEST(Lexer, lines_of_preprocessors_are_skipped_and_counted) {
  const auto tokens = tokens_of("# 1 \"k.cu\"\na\n#line 7 \"k.cu\"\n  # 3\nb");
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(tokens[0].position.line, 2u);
  EXPECT_EQ(tokens[1].position.line, 5u);
}

TEST(Lexer, a_carriage_return_is_white_space) {
  const auto tokens = tokens_of("a\r\nb // c\r\nd");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[2].text, "d");
  EXPECT_EQ(tokens[2].position.line, 3u);
  EXPECT_EQ(tokens[2].position.column, 1u);
}

TEST(Lexer, two_characters_are_one_operator_where_there_is_one) {
  EXPECT_THAT(texts_of("a<<b<=c<d>>e==f!=g&&h||i|j&k=l!m"),
              ElementsAre("a", "<<", "b", "<=", "c", "<", "d", ">>", "e", "==", "f", "!=", "g", "&&", "h", "||", "i",
                          "|", "j", "&", "k", "=", "l", "!", "m"));
}

// PTX ISA 4.4: a percent sign begins a name where a letter, a digit, _ or $ follows it, else it is the operator.
TEST(Lexer, a_percent_sign_begins_a_name_or_is_an_operator) {
  EXPECT_THAT(texts_of("7 % 3 %3 %_ %$ % (5)"), ElementsAre("7", "%", "3", "%3", "%_", "%$", "%", "(", "5", ")"));
}

TEST(Lexer, a_colon_ends_a_word_unless_another_one_and_a_word_follow) {
  EXPECT_THAT(texts_of("L:.reg"), ElementsAre("L", ":", "reg"));
  EXPECT_THAT(texts_of(".a::b:c"), ElementsAre("a::b", ":", "c"));
  EXPECT_THAT(texts_of(".a:: b"), ElementsAre("a", ":", ":", "b"));
}

// As in C: a backslash takes the meaning of the character behind it, be it a quotation mark or a backslash.
TEST(Lexer, a_string_ends_at_a_quotation_mark_without_a_backslash_of_its_own) {
  EXPECT_THAT(texts_of(R"("a\"b" ;)"), ElementsAre(R"(a\"b)", ";"));
  EXPECT_THAT(texts_of(R"("C:\\" ;)"), ElementsAre(R"(C:\\)", ";"));
}

TEST(Lexer, rejects_malformed_tokens) {
  for (const char* text : {"08", "0x", "0b2", "12ab", "0f12", "0f123456789", "18446744073709551616", "\"open",
                           "/* open", "`", "1e999", ". x", "#define A 1", "\x01"})
    EXPECT_THROW(tokens_of(text), Error) << text;
}

}  // namespace lexer_test
}  // namespace warpfork::ptx

// What is no token, and what the message says of it.
#include <gtest/gtest.h>

#include "ptx/lexer.h"
#include "unit/ptx/fault.h"

namespace warpfork::ptx {
namespace lexer_error_test {

std::string lexer_error(const std::string& text) {
  const Source source(text, "t.ptx");
  Lexer lexer(source);
  try {
    while (lexer.next().kind != TokenKind::End) continue;
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class LexerError : public testing::TestWithParam<Fault> {};

TEST_P(LexerError, names_place_cause_and_remedy) { expect_fault(GetParam(), lexer_error(GetParam().text)); }

const Fault kFaults[] = {
    {"a 08", "1:3", "'8' is not a digit of base 8", ""},
    {"0b102", "1:1", "'2' is not a digit of base 2", ""},
    {"12ab", "1:1", "'a' is not a digit of base 10", ""},
    {"0xg", "1:1", "integer literal without digits", ""},
    {"0b", "1:1", "integer literal without digits", ""},
    {"0x10000000000000000", "1:1", "integer literal does not fit in 64 bits", ""},
    {"02000000000000000000000", "1:1", "integer literal does not fit in 64 bits", ""},
    {"7UL", "1:1", "malformed number", "may end in U only"},
    {"7_", "1:1", "malformed number", ""},
    {"1.5f", "1:1", "malformed number", ""},
    {"1e400", "1:1", "floating-point literal is out of the range of .f64", ""},
    {"0f3F80", "1:1", "a literal that begins with 0f needs 8 hexadecimal digits", ""},
    {"0F3F8000000", "1:1", "a literal that begins with 0F needs 8 hexadecimal digits and no more", ""},
    {"0d3ff", "1:1", "a literal that begins with 0d needs 16 hexadecimal digits", ""},
    {"a\n\"open\n\"", "2:1", "string is not closed", "on the same line"},
    {"a /* b\n c", "1:3", "comment is not closed", "close it with */"},
    {"a . b", "1:3", "a lone '.'", "as in '.reg' or 'add.s32'"},
    {"#define X", "1:1", "preprocessor directive", "run the text through a C preprocessor first"},
    {"a ` b", "1:3", "unexpected character '`'", ""},
    {"\xff", "1:1", "unexpected byte 0xff", "is this a binary file?"},
    {"a\n\n  \x02", "3:3", "unexpected byte 0x02", "PTX is ASCII text"},
};
INSTANTIATE_TEST_SUITE_P(All, LexerError, testing::ValuesIn(kFaults));

}  // namespace lexer_error_test
}  // namespace warpfork::ptx

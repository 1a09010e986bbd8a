// Text of which one token was lost, doubled, or changed places with the next: it is refused at a place in it, or it is
// a module that reads back as it was printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/lexer.h"
#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace damaged_text_test {

/// The text's tokens, each with what stands before it.
std::vector<std::string> pieces(const std::string& text) {
  const Source source(text, "t.ptx");
  std::vector<std::string> pieces;
  Lexer lexer(source);
  std::size_t from = 0;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    const std::size_t end = static_cast<std::size_t>(token.text.data() - source.text().data()) + token.text.size() +
                            (token.kind == TokenKind::String ? 1 : 0);
    pieces.push_back(text.substr(from, end - from));
    from = end;
  }
  return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

std::string lost(std::vector<std::string> pieces, std::size_t place) {
  pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(place));
  return joined(pieces);
}

std::string doubled(std::vector<std::string> pieces, std::size_t place) {
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(place), " " + pieces[place]);
  return joined(pieces);
}

std::string exchanged(std::vector<std::string> pieces, std::size_t place) {
  std::swap(pieces[place], pieces[std::min(place + 1, pieces.size() - 1)]);
  return joined(pieces);
}

using Damage = std::string (*)(std::vector<std::string>, std::size_t);

/// Whether the text is a module; one that is must read back, and one that is not must be refused at a place in it.
bool is_module(const std::string& text) {
  try {
    const std::string printed = to_text(parse_text(text));
    EXPECT_EQ(to_text(parse_text(printed)), printed) << text;
    return true;
  } catch (const Error& error) {
    unsigned line = 0, column = 0;
    EXPECT_EQ(std::sscanf(error.what(), "t.ptx:%u:%u: error: ", &line, &column), 2) << error.what();
    EXPECT_LE(line, static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 1) << error.what();
    return false;
  }
}

/// Tries the damage at every place of the text.
void damage_everywhere(Damage damage, const std::string& text) {
  const std::vector<std::string> whole = pieces(text);
  for (std::size_t place = 0; place < whole.size(); ++place) is_module(damage(whole, place));
}

const std::string kBody = entry_text("@%p0 add.s32 %r0, %r1, 7;");

TEST(DamagedText, is_whole_again_from_its_pieces) { EXPECT_EQ(joined(pieces(kBody)) + "\n", kBody); }

// By hand: guard, name, type, operands, commas, semicolon and brace are each asked for.
TEST(DamagedText, of_one_guarded_instruction_no_token_can_be_lost) {
  const std::vector<std::string> whole = pieces(kBody);
  const auto at = static_cast<std::size_t>(std::find(whole.begin(), whole.end(), "\n@") - whole.begin());
  EXPECT_EQ(whole.size() - at, 11u);
  for (std::size_t place = at; place < whole.size(); ++place)
    EXPECT_FALSE(is_module(lost(whole, place))) << whole[place];
}

class DamagedFile : public testing::TestWithParam<const char*> {
 protected:
  std::string text() const { return file_text(std::string("tests/data/ptx/") + GetParam()); }
};

TEST_P(DamagedFile, is_refused_or_reads_back_with_a_token_lost) { damage_everywhere(lost, text()); }
TEST_P(DamagedFile, is_refused_or_reads_back_with_a_token_doubled) { damage_everywhere(doubled, text()); }
TEST_P(DamagedFile, is_refused_or_reads_back_with_two_tokens_exchanged) { damage_everywhere(exchanged, text()); }

INSTANTIATE_TEST_SUITE_P(Ptx, DamagedFile,
                         testing::Values("reduction_shared.ptx", "atomic_histogram.ptx", "isa14.ptx"));

}  // namespace damaged_text_test
}  // namespace warpfork::ptx

#include "ptx/lexer.h"

#include <bit>
#include <charconv>

namespace warpfork::ptx {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
constexpr bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// 16 and more for what is no digit.
unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

}  // namespace

inline char Lexer::at(std::size_t ahead) const {
  const std::size_t offset = place_.offset + ahead;
  return offset < source_->text().size() ? source_->text()[offset] : '\0';
}

void Lexer::fail(std::string_view message, std::string_view remedy) const { source_->fail(place_, message, remedy); }

/// Within one line.
void Lexer::advance(std::size_t count) {
  place_.offset += count;
  place_.column += static_cast<std::uint32_t>(count);
}

/// Up to, not over, the line's end.
void Lexer::skip_line() {
  const std::size_t end = source_->text().find('\n', place_.offset);
  advance((end == std::string_view::npos ? source_->text().size() : end) - place_.offset);
}

void Lexer::skip_block_comment() {
  const Position begin = place_;
  advance(2);
  while (!starts_with("*/")) {
    if (place_.offset >= source_->text().size()) source_->fail(begin, "comment is not closed", "close it with */");
    if (at() == '\n') {
      ++place_.offset;
      ++place_.line;
      place_.column = 1;
    } else {
      advance(1);
    }
  }
  advance(2);
}

void Lexer::skip_white_space() {
  const std::string_view text = source_->text();
  while (place_.offset < text.size()) {
    const char c = text[place_.offset];
    if (c == '\n') {
      ++place_.offset;
      ++place_.line;
      place_.column = 1;
    } else if (is_white(c)) {
      advance(1);
    } else if (c == '/' && at(1) == '/') {
      skip_line();
    } else if (c == '/' && at(1) == '*') {
      skip_block_comment();
    } else if (c == '@' && starts_with("@@DWARF")) {
      skip_line();
    } else if (c == '#' && (starts_with("#line") || starts_with("# "))) {
      skip_line();
    } else {
      return;
    }
  }
}

Token Lexer::finish(TokenKind kind, std::size_t end) const {
  Token token;
  token.kind = kind;
  token.text = source_->text().substr(place_.offset, end);
  token.position = place_;
  return token;
}

Token Lexer::identifier() {
  std::size_t end = 1;
  while (is_word(at(end))) ++end;
  const Token token = finish(TokenKind::Identifier, end);
  advance(end);
  return token;
}

Token Lexer::dotted() {
  std::size_t end = 1;
  while (is_word(at(end)) || (at(end) == ':' && at(end + 1) == ':' && is_word(at(end + 2))))
    end += at(end) == ':' ? 2 : 1;
  if (end == 1) fail("a lone '.'", "a dot begins a directive or a dotted word, as in '.reg' or 'add.s32'");
  Token token = finish(TokenKind::Dotted, end);
  token.text.remove_prefix(1);
  advance(end);
  return token;
}

Token Lexer::radix_integer(unsigned base, std::size_t first_digit) {
  std::uint64_t value = 0;
  std::size_t end = first_digit;
  for (; digit_value(at(end)) < 16; ++end) {
    const unsigned digit = digit_value(at(end));
    if (digit >= base) fail(fmt::format("'{}' is not a digit of base {}", at(end), base));
    if (value > (~std::uint64_t{0} - digit) / base) fail("integer literal does not fit in 64 bits");
    value = value * base + digit;
  }
  if (end == first_digit && base != 8) fail("integer literal without digits");
  Token token = finish(TokenKind::Integer, end);
  token.value = value;
  if (at(end) == 'U') {
    token.is_unsigned = true;
    ++end;
  }
  if (is_word(at(end))) fail("malformed number", "an integer literal may end in U only");
  advance(end);
  return token;
}

Token Lexer::bits_float(TokenKind kind, std::size_t digits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const unsigned digit = digit_value(at(2 + i));
    if (digit >= 16) fail(fmt::format("a literal that begins with 0{} needs {} hexadecimal digits", at(1), digits));
    value = value * 16 + digit;
  }
  if (is_word(at(2 + digits)))
    fail(fmt::format("a literal that begins with 0{} needs {} hexadecimal digits and no more", at(1), digits));
  Token token = finish(kind, 2 + digits);
  token.value = value;
  advance(2 + digits);
  return token;
}

/// Behind a fraction and an exponent that begin at `from`.
std::size_t Lexer::decimal_end(std::size_t from) const {
  std::size_t end = from;
  if (at(end) == '.') ++end;
  while (is_digit(at(end))) ++end;
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t digits = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
    if (is_digit(at(digits))) {
      end = digits;
      while (is_digit(at(end))) ++end;
    }
  }
  return end;
}

Token Lexer::decimal(std::size_t integer_end) {
  const std::size_t end = decimal_end(integer_end);
  if (is_word(at(end))) fail("malformed number");
  Token token = finish(TokenKind::Float64, end);
  double value = 0;
  const auto parsed = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (parsed.ec != std::errc()) fail("floating-point literal is out of the range of .f64");
  token.value = std::bit_cast<std::uint64_t>(value);
  advance(end);
  return token;
}

Token Lexer::number() {
  if (at() == '0') {
    switch (at(1)) {
      case 'x':
      case 'X':
        return radix_integer(16, 2);
      case 'b':
      case 'B':
        return radix_integer(2, 2);
      case 'f':
      case 'F':
        return bits_float(TokenKind::Float32, 8);
      case 'd':
      case 'D':
        return bits_float(TokenKind::Float64, 16);
      default:
        break;
    }
  }
  std::size_t digits = 0;
  while (is_digit(at(digits))) ++digits;
  if (at(digits) == '.' || at(digits) == 'e' || at(digits) == 'E') return decimal(digits);
  return at() == '0' ? radix_integer(8, 1) : radix_integer(10, 0);
}

Token Lexer::string() {
  std::size_t end = 1;
  while (at(end) != '"') {
    if (place_.offset + end >= source_->text().size() || at(end) == '\n')
      fail("string is not closed", "close it with \" on the same line");
    end += at(end) == '\\' && (at(end + 1) == '"' || at(end + 1) == '\\') ? 2 : 1;
  }
  Token token = finish(TokenKind::String, end);
  token.text.remove_prefix(1);
  advance(end + 1);
  return token;
}

Token Lexer::punctuation() {
  static constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  static constexpr std::string_view kSingles = "{}[]()<>,;:@!|=+-*/%&^~?";
  std::size_t end = 0;
  const char first = at(), second = at(1);
  for (std::string_view pair : kPairs)
    if (first == pair[0] && second == pair[1]) end = 2;
  if (end == 0 && at() != '\0' && kSingles.find(at()) != std::string_view::npos) end = 1;
  if (end == 0) {
    if (at() == '#') fail("preprocessor directive", "run the text through a C preprocessor first");
    const auto byte = static_cast<unsigned char>(at());
    if (byte > ' ' && byte < 0x7f) fail(fmt::format("unexpected character '{}'", at()));
    fail(fmt::format("unexpected byte 0x{:02x}", byte), "PTX is ASCII text; is this a binary file?");
  }
  const Token token = finish(TokenKind::Punctuation, end);
  advance(end);
  return token;
}

/// `.5` and `.5e3` are numbers, `.2d` and `.16x64b` are dotted words.
bool Lexer::at_leading_dot_number() const { return at() == '.' && is_digit(at(1)) && !is_word(at(decimal_end(0))); }

Token Lexer::next() {
  skip_white_space();
  if (place_.offset >= source_->text().size()) return finish(TokenKind::End, 0);
  const char c = at();
  if (is_letter(c) || c == '_' || c == '$' || (c == '%' && is_word(at(1)))) return identifier();
  if (is_digit(c)) return number();
  if (at_leading_dot_number()) return decimal(0);
  if (c == '.') return dotted();
  if (c == '"') return string();
  return punctuation();
}

bool Lexer::skip_past_closing_brace() {
  while (place_.offset < source_->text().size()) {
    const char c = at();
    if (c == '\n') {
      ++place_.offset;
      ++place_.line;
      place_.column = 1;
      continue;
    }
    advance(1);
    if (c == '}') return true;
  }
  return false;
}

}  // namespace warpfork::ptx

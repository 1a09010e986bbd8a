// Splits PTX text into tokens (PTX ISA, "Syntax"): comments, literals, identifiers with $ % _, dotted words.
#pragma once

#include "ptx/token.h"

namespace warpfork::ptx {

/// A cursor over the text; copying it saves the place. Comments, `@@DWARF` lines and `#line` markers count as white
/// space.
class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(&source) {}

  /// The next token; End for ever after the last one. Throws Error for a malformed one.
  Token next();

  /// Moves behind the next `}` without looking at what stands before it. False if there is none.
  bool skip_past_closing_brace();

 private:
  char at(std::size_t ahead = 0) const;
  bool starts_with(std::string_view prefix) const {
    return source_->text().substr(place_.offset, prefix.size()) == prefix;
  }
  void advance(std::size_t count);
  void skip_line();
  void skip_block_comment();
  void skip_white_space();
  Token finish(TokenKind kind, std::size_t end) const;
  Token identifier();
  Token dotted();
  Token number();
  Token radix_integer(unsigned base, std::size_t first_digit);
  Token bits_float(TokenKind kind, std::size_t digits);
  Token decimal(std::size_t integer_end);
  Token string();
  Token punctuation();
  bool at_leading_dot_number() const;
  std::size_t decimal_end(std::size_t from) const;
  [[noreturn]] void fail(std::string_view message, std::string_view remedy = {}) const;

  const Source* source_;
  Position place_;
};

}  // namespace warpfork::ptx

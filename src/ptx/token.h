// A token of PTX text (PTX ISA, "Syntax": identifiers, constants, directives).
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/source.h"

namespace warpfork::ptx {

enum class TokenKind : std::uint8_t { End, Identifier, Dotted, Integer, Float32, Float64, String, Punctuation };

struct Token {
  TokenKind kind = TokenKind::End;
  /// The literal has the suffix U.
  bool is_unsigned = false;
  /// As written; without the dot of a Dotted word and without the quotes of a String.
  std::string_view text;
  /// Bits of an Integer, Float32 or Float64 literal.
  std::uint64_t value = 0;
  Position position;

  bool is(std::string_view punctuation) const {
    return kind == TokenKind::Punctuation && text.front() == punctuation.front() && text == punctuation;
  }
  bool is_dotted(std::string_view word) const { return kind == TokenKind::Dotted && text == word; }
};

}  // namespace warpfork::ptx

#include "base/wrapped.h"

#include <algorithm>
#include <cctype>

namespace warpfork {

namespace {

/// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Where the next word begins that a line may begin with: not within "1 234" or "5.0 %".
std::size_t end_of_word(std::string_view text) {
  std::size_t end = text.find(' ');
  while (end != text.npos && end + 1 < text.size() && end > 0 && is_digit(text[end - 1]) &&
         (text[end + 1] == '%' || is_digit(text[end + 1])))
    end = text.find(' ', end + 1);
  return end;
}

}  // namespace

std::string wrapped(std::string_view text, std::string_view first, std::string_view indent) {
  std::string out, line(first);
  bool is_empty = true;  // no word stands in the line
  while (!text.empty()) {
    const std::string_view word = text.substr(0, end_of_word(text));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!is_empty && width(line) + 1 + width(word) > kTerminalColumns) {
      out += line + '\n';
      line = indent;
      is_empty = true;
    }
    if (!is_empty) line += ' ';
    line += word;
    is_empty = false;
  }
  return out + line + '\n';
}

}  // namespace warpfork

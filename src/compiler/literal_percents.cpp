#include "compiler/literal_percents.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace warpfork::compiler {

namespace {

constexpr std::string_view kRefusal = "invalid % escape in inline assembly string";
constexpr std::array<std::string_view, 3> kAssembly{"asm", "__asm", "__asm__"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The end of the literal in quotes that begins at `at`; of the text if it has none.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Of R"mark(…)mark", whose quote is at `at`.
std::size_t end_of_raw(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  std::string close(1, ')');
  close.append(text.substr(at + 1, open - at - 1)).append(1, '"');
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

/// The end of the token at `at`: a word or number, a literal, or one character.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') return end_of_quoted(text, at);
  if (!is_word(text[at])) return at + 1;
  const bool is_number = !is_letter(text[at]);
  std::size_t end = at + 1;
  while (end < text.size() && (is_word(text[end]) || (is_number && text[end] == '\''))) ++end;
  const bool is_raw = text[end - 1] == 'R' && end < text.size() && text[end] == '"' && end - at <= 3;
  return is_raw ? end_of_raw(text, end) : end;
}

/// The `:` behind the text of the statement whose parenthesis is at `open`; npos if it has no operands.
std::size_t end_of_template(std::string_view text, std::size_t open) {
  int depth = 1;
  for (std::size_t at = open + 1; at < text.size(); at = end_of_token(text, at)) {
    if (text[at] == ':' && depth == 1) return at;
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) break;
  }
  return std::string_view::npos;
}

/// `%c0` and `%c[name]` are an operand in a certain form.
bool is_literal_percent(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && is_letter(text[at + 1]) && (is_letter(text[at + 2]) || text[at + 2] == '.');
}

void append_doubled(std::string& to, std::string_view part) {
  for (std::size_t at = 0; at < part.size(); ++at) {
    to += part[at];
    if (part[at] != '%') continue;
    if (at + 1 < part.size() && part[at + 1] == '%')
      to += part[++at];
    else if (is_literal_percent(part, at))
      to += '%';
  }
}

bool is_assembly(std::string_view word) {
  return std::find(kAssembly.begin(), kAssembly.end(), word) != kAssembly.end();
}

/// The parenthesis of the statement whose `asm` ends at `at`, behind `volatile` and its like; npos if there is none.
std::size_t opening(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_word(text[at]) || std::isspace(static_cast<unsigned char>(text[at])) != 0)) ++at;
  return at < text.size() && text[at] == '(' ? at : std::string_view::npos;
}

}  // namespace

bool has_refused_percents(std::string_view errors) { return errors.find(kRefusal) != std::string_view::npos; }

std::string with_literal_percents(std::string_view preprocessed) {
  std::string all;
  all.reserve(preprocessed.size());
  for (std::size_t at = 0; at < preprocessed.size();) {
    const std::size_t end = end_of_token(preprocessed, at);
    const std::string_view token = preprocessed.substr(at, end - at);
    all += token;
    at = end;
    if (!is_assembly(token)) continue;
    const std::size_t open = opening(preprocessed, at);
    const std::size_t colon = open == std::string_view::npos ? open : end_of_template(preprocessed, open);
    if (colon == std::string_view::npos) continue;
    append_doubled(all, preprocessed.substr(at, colon - at));
    at = colon;
  }
  return all;
}

}  // namespace warpfork::compiler

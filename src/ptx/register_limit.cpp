#include "ptx/register_limit.h"

#include <fmt/format.h>

#include <vector>

#include "ptx/lexer.h"

namespace warpfork::ptx {

namespace {

bool limits(const Token& token) {
  return token.is_dotted("maxntid") || token.is_dotted("reqntid") || token.is_dotted("maxnreg");
}

/// Where the bodies of kernels without limits begin.
std::vector<std::size_t> unlimited_bodies(std::string_view text) {
  const Source source(text, "");
  Lexer lexer(source);
  std::vector<std::size_t> bodies;
  bool in_head = false, is_limited = false;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    if (token.is_dotted("entry")) {
      in_head = true;
      is_limited = false;
    }
    is_limited |= limits(token);
    if (in_head && !is_limited && token.is("{")) bodies.push_back(token.position.offset);
    if (token.is("{") || token.is(";")) in_head = false;
  }
  return bodies;
}

}  // namespace

std::string with_register_limit(std::string_view text, unsigned registers) {
  std::string made;
  std::size_t copied = 0;
  try {
    for (const std::size_t body : unlimited_bodies(text)) {
      made += fmt::format("{}.maxnreg {}\n", text.substr(copied, body - copied), registers);
      copied = body;
    }
  } catch (const Error&) {
    return std::string(text);
  }
  return made.append(text.substr(copied));
}

}  // namespace warpfork::ptx

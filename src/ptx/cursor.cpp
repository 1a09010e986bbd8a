#include "ptx/cursor.h"

namespace warpfork::ptx {

Token Cursor::take() {
  const Token taken = current_;
  current_ = lexer_.next();
  return taken;
}

bool Cursor::accept(std::string_view punctuation) {
  if (!at(punctuation)) return false;
  take();
  return true;
}

bool Cursor::accept_dotted(std::string_view word) {
  if (!at_dotted(word)) return false;
  take();
  return true;
}

void Cursor::expect(std::string_view punctuation) {
  if (!accept(punctuation)) fail_expected(fmt::format("'{}'", punctuation));
}

Token Cursor::expect_identifier(std::string_view what) {
  if (current_.kind != TokenKind::Identifier) fail_expected(what);
  return take();
}

Token Cursor::expect_string(std::string_view what) {
  if (current_.kind != TokenKind::String) fail_expected(what);
  return take();
}

void Cursor::skip_braces() {
  if (!at("{")) fail_expected("'{'");
  const Token open = current_;
  if (!lexer_.skip_past_closing_brace()) fail(open, "'{' is not closed");
  current_ = lexer_.next();
}

void Cursor::fail_expected(std::string_view what) const {
  if (current_.kind == TokenKind::End) fail_here(fmt::format("expected {}, found the end of the text", what));
  const std::string_view dot = current_.kind == TokenKind::Dotted ? "." : "";
  fail_here(fmt::format("expected {}, found '{}{}'", what, dot, current_.text));
}

}  // namespace warpfork::ptx

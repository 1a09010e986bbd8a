// One token of look-ahead over a PTX text, and the errors that every part of the parser shares.
#pragma once

#include <string_view>

#include "ptx/lexer.h"

namespace warpfork::ptx {

/// Copy it to save the place, assign it to go back.
class Cursor {
 public:
  explicit Cursor(const Source& source) : source_(&source), lexer_(source), current_(lexer_.next()) {}

  const Source& source() const { return *source_; }
  const Token& peek() const { return current_; }
  bool at(std::string_view punctuation) const { return current_.is(punctuation); }
  bool at_dotted(std::string_view word) const { return current_.is_dotted(word); }

  /// The current token, and moves on.
  Token take();
  /// Moves on if the current token is this punctuation.
  bool accept(std::string_view punctuation);
  bool accept_dotted(std::string_view word);

  /// These throw Error if the current token is something else; `what` names what is wanted: "a register name".
  void expect(std::string_view punctuation);
  Token expect_identifier(std::string_view what);
  Token expect_string(std::string_view what);

  /// From inside braces whose opening one is the current token: moves behind the closing one.
  void skip_braces();

  [[noreturn]] void fail(const Token& at, std::string_view message, std::string_view remedy = {}) const {
    source_->fail(at.position, message, remedy);
  }
  [[noreturn]] void fail_here(std::string_view message, std::string_view remedy = {}) const {
    fail(current_, message, remedy);
  }
  /// "expected WHAT, found ..." at the current token.
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  const Source* source_;
  Lexer lexer_;
  Token current_;
};

/// Guards recursion against text that nests without end: throws Error beyond the limit.
class Nesting {
 public:
  Nesting(const Cursor& cursor, unsigned& depth) : depth_(depth) {
    if (++depth_ > kLimit) {
      --depth_;
      cursor.fail_here(fmt::format("nested more than {} deep", kLimit));
    }
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  static constexpr unsigned kLimit = 200;
  unsigned& depth_;
};

}  // namespace warpfork::ptx

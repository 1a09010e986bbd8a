// PTX text with a name, and the one way this room reports what is wrong with it (PTX ISA, "Syntax").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace warpfork::ptx {

/// A place in the text; line and column count from 1, offset in bytes from 0.
struct Position {
  std::uint32_t line = 1, column = 1;
  std::size_t offset = 0;
};

/// The text being parsed. Views the caller's memory; must not outlive it.
class Source {
 public:
  Source(std::string_view text, std::string_view name, unsigned warp_size = 32)
      : text_(text), name_(name), warp_size_(warp_size) {}

  std::string_view text() const { return text_; }
  std::string_view name() const { return name_; }
  /// What WARP_SZ stands for.
  unsigned warp_size() const { return warp_size_; }

  /// Throws Error with file, line, column, the line itself, a caret and, if not empty, the remedy. Sample in
  /// base/error.h.
  [[noreturn]] void fail(const Position& at, std::string_view message, std::string_view remedy = {}) const;

 private:
  std::string_view text_, name_;
  unsigned warp_size_;
};

}  // namespace warpfork::ptx

// The one exception type for bad input, and the check for broken invariants of the model.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace warpfork {

/// Bad input of any kind. what() is the whole text for the user: place, cause and, after it, the remedy.
/// Thrown anywhere, caught once in main.
///
/// Printed sample:
///   kernel.ptx:12:9: error: label 'LBB0_7' is not defined
///       bra.uni LBB0_7;
///               ^
///     labels of this function: LBB0_1, LBB0_2
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  template <typename... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

/// What the user is told of any exception: its what(), or, where that names a container of ours, that memory is short.
/// Takes no memory, as there may be none; lives as long as the exception.
const char* message_of(const std::exception& error);

/// A broken invariant of the model: our bug, never the user's. The message holds the state that shows it.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Always-on check. `describe` is called only on failure and returns the text for the InvariantError.
template <typename Describe>
inline void check(bool holds, Describe&& describe) {
  if (!holds) [[unlikely]]
    throw InvariantError(std::forward<Describe>(describe)());
}

}  // namespace warpfork

// Running text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpfork {

inline constexpr std::size_t kTerminalColumns = 80;

/// Lines of at most 80 characters, broken between words: the first one begins with `first`, the others with `indent`.
std::string wrapped(std::string_view text, std::string_view first, std::string_view indent);

}  // namespace warpfork

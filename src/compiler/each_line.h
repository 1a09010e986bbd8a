// PTX as clang writes it, changed line by line.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// The text with `change(line)` in the place of every line; lines come without their ends.
template <typename Change>
std::string each_line(std::string_view text, Change change) {
  std::string changed;
  changed.reserve(text.size());
  while (!text.empty()) {
    const auto end = text.find('\n');
    changed += change(text.substr(0, end));
    if (end == std::string_view::npos) break;
    changed += '\n';
    text.remove_prefix(end + 1);
  }
  return changed;
}

}  // namespace warpfork::compiler

#include "compiler/entry_directives.h"

#include <fmt/format.h>

namespace warpfork::compiler {

namespace {

/// The text with `change(line)` for every line.
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

}  // namespace

std::string with_register_limit(std::string_view ptx, unsigned registers) {
  bool in_head = false, has_bounds = false;
  return each_line(ptx, [&](std::string_view line) -> std::string {
    if (line.find(".entry ") != std::string_view::npos) {
      in_head = true;
      has_bounds = false;
    }
    if (line.starts_with(".maxntid")) has_bounds = true;
    if (!in_head || line != "{") return std::string(line);
    in_head = false;
    return has_bounds ? "{" : fmt::format(".maxnreg {}\n{{", registers);
  });
}

std::string with_target(std::string_view ptx, unsigned architecture) {
  return each_line(ptx, [&](std::string_view line) {
    return line.starts_with(".target ") ? fmt::format(".target sm_{}", architecture) : std::string(line);
  });
}

}  // namespace warpfork::compiler

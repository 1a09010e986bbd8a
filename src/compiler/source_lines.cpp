#include "compiler/source_lines.h"

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kBlanks = " \t";

/// `.loc 1 0 9`, of file, line and column.
bool is_line_zero(std::string_view line) {
  const auto take_word = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    line.remove_prefix(word.size());
    return word;
  };
  if (take_word() != ".loc") return false;
  take_word();
  return take_word() == "0";
}

}  // namespace

std::string without_line_zero(std::string_view ptx) {
  return each_line_of_compiler(
      ptx, [](std::string_view line) { return is_line_zero(line) ? std::optional<std::string>("") : std::nullopt; });
}

}  // namespace warpfork::compiler

// Text as clang writes it, changed line by line.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace warpfork::compiler {

inline bool mentions(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

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

/// The same for lines that the compiler wrote, if `change(line)` is something: assembly of the program's own stays.
template <typename Change>
std::string each_line_of_compiler(std::string_view text, Change change) {
  bool is_the_programs = false;
  return each_line(text, [&](std::string_view line) {
    if (mentions(line, "// begin inline asm")) is_the_programs = true;
    if (mentions(line, "// end inline asm")) is_the_programs = false;
    const std::optional<std::string> other = is_the_programs ? std::nullopt : change(line);
    return other.value_or(std::string(line));
  });
}

/// Takes the first operand off an instruction's, and the comma or semicolon behind it; blanks before it are left out.
inline std::string_view take_operand(std::string_view& operands) {
  const auto end = operands.find_first_of(",;");
  std::string_view operand = operands.substr(0, end);
  operands.remove_prefix(end == std::string_view::npos ? operands.size() : end + 1);
  operand.remove_prefix(std::min(operand.find_first_not_of(" \t"), operand.size()));
  return operand;
}

/// An instruction that stands alone on its line: the blanks before it, its name, and its operands for take_operand().
struct InstructionLine {
  std::string_view before, name, operands;
};

inline InstructionLine instruction_line(std::string_view line) {
  const auto at = std::min(line.find_first_not_of(" \t"), line.size());
  const std::string_view instruction = line.substr(at);
  const auto end = std::min(instruction.find_first_of(" \t"), instruction.size());
  return {line.substr(0, at), instruction.substr(0, end), instruction.substr(end)};
}

}  // namespace warpfork::compiler

#include "ptx/word_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/signature.h"

namespace warpfork::ptx {

namespace {

constexpr std::string_view kNotExecuted = "*";

/// visit(part) for the parts of a text between separators.
template <typename Visit>
void for_parts(std::string_view text, char separator, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_of(ScalarType type, std::string_view name) {
  const std::string_view text = to_string(type);
  if (name == "float") return is_float(type);
  if (name == "int") return !is_float(type) && bits_of(type) >= 8 && text.size() <= 3 && text[0] != 'b';
  return text == name;
}

/// One name of a clause's head: the last types, parted by dots, or the state space.
bool fits(std::string_view name, const Instruction& instruction) {
  if (instruction.space == StateSpace::Generic ? name == "generic" : name == to_string(instruction.space)) return true;
  std::size_t left = instruction.types.size();
  while (!name.empty()) {
    const std::size_t dot = name.rfind('.');
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    if (left == 0 || !is_of(instruction.types[--left], name.substr(begin))) return false;
    name = name.substr(0, begin == 0 ? 0 : dot);
  }
  return true;
}

/// The words of the first clause that fits.
std::string_view clause_of(const Instruction& instruction) {
  std::string_view found;
  bool has_found = false;
  for_parts(signature_of(instruction.opcode).words, ';', [&](std::string_view clause) {
    if (has_found) return;
    const std::size_t colon = clause.find(": ");
    has_found = colon == std::string_view::npos;
    if (!has_found)
      for_parts(clause.substr(0, colon), ' ', [&](std::string_view name) { has_found |= fits(name, instruction); });
    if (has_found) found = colon == std::string_view::npos ? clause : clause.substr(colon + 1);
  });
  return found;
}

/// All words of an instruction but the types that its operands speak of.
std::vector<std::string> words_of(const Instruction& instruction) {
  std::vector<std::string> words;
  if (instruction.space != StateSpace::Generic) words.emplace_back(to_string(instruction.space));
  for (const Modifier modifier : instruction.modifiers) words.emplace_back(to_string(modifier));
  if (instruction.vector_width > 1) words.push_back(fmt::format("v{}", instruction.vector_width));
  for (std::size_t i = types_of(signature_of(instruction.opcode)); i < instruction.types.size(); ++i)
    words.emplace_back(to_string(instruction.types[i]));
  return words;
}

bool has(const Alternatives& group, std::string_view text) {
  return std::any_of(group.words.begin(), group.words.end(), [&](const TakenWord& word) { return word.text == text; });
}

std::string text_of(const Alternatives& group) {
  std::string text;
  for (const TakenWord& word : group.words) text += fmt::format("{}.{}", text.empty() ? "" : "|", word.text);
  return text;
}

std::string text_of(const std::vector<Alternatives>& groups) {
  std::string text;
  for (const Alternatives& group : groups)
    text += fmt::format(fmt::runtime(group.is_mandatory ? "({})" : "{{{}}}"), text_of(group));
  return text.empty() ? "no other word" : text;
}

}  // namespace

std::vector<Alternatives> taken_words(const Instruction& instruction) {
  std::vector<Alternatives> groups;
  if (signature_of(instruction.opcode).words == kNotExecuted) return groups;
  for_parts(clause_of(instruction), ' ', [&](std::string_view group) {
    groups.emplace_back();
    groups.back().is_mandatory = group[0] == '!';
    for_parts(group.substr(groups.back().is_mandatory ? 1 : 0), '|', [&](std::string_view word) {
      const bool changes_nothing = word[0] == '~';
      groups.back().words.push_back({word.substr(changes_nothing ? 1 : 0), changes_nothing});
    });
  });
  return groups;
}

std::optional<RefusedWord> refused_word(const Instruction& instruction) {
  const std::vector<std::string> words = words_of(instruction);
  if (words.empty() || signature_of(instruction.opcode).words == kNotExecuted) return std::nullopt;
  const std::vector<Alternatives> groups = taken_words(instruction);
  std::vector<bool> is_used(groups.size());
  for (const std::string& text : words) {
    std::size_t index = 0;
    while (index < groups.size() && (is_used[index] || !has(groups[index], text))) ++index;
    if (index == groups.size()) return RefusedWord{text, text_of(groups)};
    is_used[index] = true;
  }
  return std::nullopt;
}

std::optional<std::string> missing_word(const Instruction& instruction) {
  const std::vector<std::string> words = words_of(instruction);
  for (const Alternatives& group : taken_words(instruction)) {
    const bool is_there =
        std::any_of(words.begin(), words.end(), [&](const std::string& text) { return has(group, text); });
    if (group.is_mandatory && !is_there) return text_of(group);
  }
  return std::nullopt;
}

}  // namespace warpfork::ptx

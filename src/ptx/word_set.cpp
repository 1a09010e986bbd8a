#include "ptx/word_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

#include "ptx/signature.h"

namespace warpfork::ptx {

namespace {

constexpr std::string_view kNotExecuted = "*";

constexpr std::size_t kOpcodes = 0
#define PTX_OPCODE(name, text) +1
#include "ptx/opcodes.def"
#undef PTX_OPCODE
    ;

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

/// What an opcode takes where one of the heads fits; the last clause has none and always does.
struct Clause {
  std::vector<std::string_view> heads;
  std::vector<Alternatives> groups;

  bool is_for(const Instruction& instruction) const {
    return heads.empty() || std::ranges::any_of(heads, [&](std::string_view name) { return fits(name, instruction); });
  }
};

Alternatives alternatives(std::string_view text) {
  Alternatives group{{}, text[0] == '!'};
  for_parts(text.substr(group.is_mandatory ? 1 : 0), '|', [&](std::string_view word) {
    const bool changes_nothing = word[0] == '~';
    group.words.push_back({word.substr(changes_nothing ? 1 : 0), changes_nothing});
  });
  return group;
}

Clause clause(std::string_view text) {
  Clause read;
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos) {
    for_parts(text.substr(0, colon), ' ', [&](std::string_view name) { read.heads.push_back(name); });
    text.remove_prefix(colon + 1);
  }
  for_parts(text, ' ', [&](std::string_view group) { read.groups.push_back(alternatives(group)); });
  return read;
}

/// Those of the table, read when an opcode is met first.
const std::vector<Clause>& clauses_of(Opcode opcode) {
  struct Entry {
    std::once_flag is_read;
    std::vector<Clause> clauses;
  };
  static std::array<Entry, kOpcodes> entries;
  Entry& entry = entries[static_cast<std::size_t>(opcode)];
  std::call_once(entry.is_read, [&] {
    const std::string_view words = signature_of(opcode).words;
    if (words != kNotExecuted)
      for_parts(words, ';', [&](std::string_view text) { entry.clauses.push_back(clause(text)); });
  });
  return entry.clauses;
}

std::string_view width_text(unsigned elements) { return elements == 2 ? "v2" : elements == 4 ? "v4" : "v8"; }

/// visit(word) for all words of an instruction but the types that its operands speak of.
template <typename Visit>
void for_words(const Instruction& instruction, Visit visit) {
  if (instruction.space != StateSpace::Generic) visit(to_string(instruction.space));
  for (const Modifier modifier : instruction.modifiers) visit(to_string(modifier));
  if (instruction.vector_width > 1) visit(width_text(instruction.vector_width));
  for (std::size_t i = types_of(signature_of(instruction.opcode).operands); i < instruction.types.size(); ++i)
    visit(to_string(instruction.types[i]));
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

const std::vector<Alternatives>& taken_words(const Instruction& instruction) {
  static const std::vector<Alternatives> none;
  for (const Clause& clause : clauses_of(instruction.opcode))
    if (clause.is_for(instruction)) return clause.groups;
  return none;
}

// Both are asked of every instruction that is lowered.

std::optional<RefusedWord> refused_word(const Instruction& instruction) {
  if (signature_of(instruction.opcode).words == kNotExecuted) return std::nullopt;
  const std::vector<Alternatives>& groups = taken_words(instruction);
  std::optional<RefusedWord> refused;
  std::uint64_t used = 0;  // a bit for each group: no clause has so many
  for_words(instruction, [&](std::string_view text) {
    std::size_t index = 0;
    while (index < groups.size() && ((used >> index & 1u) != 0 || !has(groups[index], text))) ++index;
    if (index < groups.size())
      used |= std::uint64_t{1} << index;
    else if (!refused)
      refused = RefusedWord{std::string(text), text_of(groups)};
  });
  return refused;
}

std::optional<std::string> missing_word(const Instruction& instruction) {
  for (const Alternatives& group : taken_words(instruction)) {
    if (!group.is_mandatory) continue;
    bool is_there = false;
    for_words(instruction, [&](std::string_view text) { is_there |= has(group, text); });
    if (!is_there) return text_of(group);
  }
  return std::nullopt;
}

}  // namespace warpfork::ptx

#include "ptx/dotted_words.h"

#include <fmt/ranges.h>

#include <unordered_map>

#include "base/text.h"

namespace warpfork::ptx {

namespace {

struct Meaning {
  std::optional<ScalarType> type;
  std::optional<Modifier> modifier;
  StateSpace space = StateSpace::Generic;
  /// The modifier is written even where the word also gives the space.
  bool is_qualified = false;
};

struct SpaceWord {
  std::string_view text;
  StateSpace space;
  bool is_qualified;
};

constexpr SpaceWord kSpaceWords[] = {
    {"global", StateSpace::Global, false},         {"shared", StateSpace::Shared, false},
    {"local", StateSpace::Local, false},           {"param", StateSpace::Param, false},
    {"const", StateSpace::Const, false},           {"shared::cta", StateSpace::Shared, true},
    {"shared::cluster", StateSpace::Shared, true}, {"param::entry", StateSpace::Param, true},
    {"param::func", StateSpace::Param, true},
};

std::unordered_map<std::string_view, Meaning> all_words() {
  std::unordered_map<std::string_view, Meaning> words;
#define PTX_MODIFIER(name, text) words[text].modifier = Modifier::name;
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
#define PTX_TYPE(name, text, bits) words[text].type = ScalarType::name;
#include "ptx/types.def"
#undef PTX_TYPE
  for (const SpaceWord& word : kSpaceWords) {
    words[word.text].space = word.space;
    words[word.text].is_qualified = word.is_qualified;
  }
  return words;
}

[[noreturn]] void fail_unknown(const Token& word, const Cursor& cursor) {
  std::vector<std::string> known = {"v2", "v4", "v8"};
#define PTX_MODIFIER(name, text) known.emplace_back(text);
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
#define PTX_TYPE(name, text, bits) known.emplace_back(text);
#include "ptx/types.def"
#undef PTX_TYPE
  cursor.fail(word, fmt::format("unknown word '.{}'", word.text),
              fmt::format("nearest known words: .{}", fmt::join(nearest_names(word.text, known), " .")));
}

}  // namespace

std::optional<unsigned> vector_width_from(std::string_view word) {
  if (word.size() != 2 || word[0] != 'v') return std::nullopt;
  if (word[1] == '2' || word[1] == '4' || word[1] == '8') return static_cast<unsigned>(word[1] - '0');
  return std::nullopt;
}

void add_dotted_word(Instruction& instruction, const Token& word, const Cursor& cursor) {
  static const auto words = all_words();
  if (const auto width = vector_width_from(word.text)) {
    instruction.vector_width = static_cast<std::uint8_t>(*width);
    return;
  }
  const auto found = words.find(word.text);
  if (found == words.end()) fail_unknown(word, cursor);
  const Meaning& meaning = found->second;
  if (instruction.types.full() || instruction.modifiers.full())
    cursor.fail(word, fmt::format("'.{}' is one word too many", word.text), "no instruction has so many");
  if (meaning.type) {
    instruction.types.push_back(*meaning.type);
    return;
  }
  const bool gives_space = meaning.space != StateSpace::Generic && instruction.space == StateSpace::Generic;
  if (gives_space) instruction.space = meaning.space;
  if (!gives_space || meaning.is_qualified) instruction.modifiers.push_back(*meaning.modifier);
}

}  // namespace warpfork::ptx

#include "report/words.h"

#include <fmt/format.h>

namespace warpfork::report {

namespace {

struct Word {
  std::string_view word, meaning;
};

constexpr Word kWords[] = {
    {"IPC", "thread instructions (of active lanes) per cycle, of the whole chip"},
    {"idle cycles", "in which a core with a live warp issued nothing"},
    {"lost", "lane-slots (lanes of issued warp instructions) that were idle"},
    {"MPKI", "misses per thousand thread instructions"},
    {"no_warp", "a scheduler had no live warp, while another one of its core had"},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// As a whole word.
bool holds(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::string words_of(std::string_view text) {
  std::string list;
  for (const Word& word : kWords)
    if (holds(text, word.word)) list += fmt::format("  {:<11}  {}\n", word.word, word.meaning);
  return list.empty() ? list : "words\n" + list;
}

}  // namespace warpfork::report

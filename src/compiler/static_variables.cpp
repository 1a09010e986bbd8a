#include "compiler/static_variables.h"

#include <algorithm>
#include <map>

namespace warpfork::compiler {

namespace {

constexpr std::string_view kMark = "__static__";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

/// Of the word that begins here.
std::size_t end_of_word(std::string_view text, std::size_t from) {
  while (from < text.size() && is_word(text[from])) ++from;
  return from;
}

/// visit(text between two words, word)
template <typename Visit>
void for_each_word(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = static_cast<std::size_t>(
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_word) - text.begin());
    const std::size_t end = end_of_word(text, begin);
    visit(text.substr(at, begin - at), text.substr(begin, end - begin));
    at = end;
  }
}

}  // namespace

std::string with_static_names(std::string_view ptx) {
  std::map<std::string_view, std::string_view> names;
  for_each_word(ptx, [&](std::string_view, std::string_view word) {
    if (const auto mark = word.rfind(kMark); mark != std::string_view::npos) names[word.substr(0, mark)] = word;
  });
  if (names.empty()) return std::string(ptx);
  std::string changed;
  for_each_word(ptx, [&](std::string_view between, std::string_view word) {
    const auto name = names.find(word);
    changed.append(between).append(name == names.end() ? word : name->second);
  });
  return changed;
}

}  // namespace warpfork::compiler

#include "compiler/option_lists.h"

#include <string_view>

namespace warpfork::compiler {

namespace {

std::vector<std::string> split(const std::string& list, std::string_view separators, std::string_view escaped,
                               bool keeps_quotes) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && escaped.find(list[i + 1]) != std::string_view::npos) {
      parts.back() += list[++i];
      continue;
    }
    const bool is_quote = list[i] == '"';
    quoted ^= is_quote;
    if (!quoted && separators.find(list[i]) != std::string_view::npos)
      parts.emplace_back();
    else if (!is_quote || keeps_quotes)
      parts.back() += list[i];
  }
  std::erase(parts, "");
  return parts;
}

}  // namespace

std::vector<std::string> list_items(const std::string& list) { return split(list, ",", ",", true); }

std::vector<std::string> list_words(const std::string& list) { return split(list, ", ", ",\"", false); }

}  // namespace warpfork::compiler

#include "compiler/option_files.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/text_file.h"

namespace warpfork::compiler {

namespace {

constexpr std::array<std::string_view, 3> kNames{"-optf", "-options-file", "--options-file"};
constexpr unsigned kDeepest = 16;  // a file that names itself would never end
constexpr std::string_view kWordSeparators = " \t\r\n\f\v";

std::vector<std::string> words_in(const std::string& path) {
  const std::string text = config::read_text(path);
  std::vector<std::string> words;
  bool is_open = false;  // the last word goes on
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_blank = quote == 0 && kWordSeparators.find(text[i]) != std::string_view::npos;
    if (!is_open && !is_blank) words.emplace_back();
    is_open = !is_blank;
    if (is_blank) continue;
    if (text[i] == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else if (quote == 0 && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
    else if (text[i] == quote)
      quote = 0;
    else
      words.back() += text[i];
  }
  if (quote != 0) throw Error("{}: a {} has no counterpart", path, quote);
  return words;
}

void append(std::deque<std::string>& to, std::span<const std::string> words, unsigned depth) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      to.push_back(words[i]);
      continue;
    }
    if (equals == std::string::npos && i + 1 == words.size()) throw Error("warpfork cc: {} needs a value", name);
    std::istringstream files(equals != std::string::npos ? words[i].substr(equals + 1) : words[++i]);
    if (depth == kDeepest) throw Error("warpfork cc: {} {} names itself", name, files.str());
    for (std::string file; std::getline(files, file, ',');) append(to, words_in(file), depth + 1);
  }
}

}  // namespace

std::deque<std::string> with_option_files(std::span<const std::string> words) {
  std::deque<std::string> all;
  append(all, words, 0);
  return all;
}

}  // namespace warpfork::compiler

#include "compiler/dependency_rules.h"

#include <algorithm>

#include "compiler/words.h"
#include "config/text_file.h"
#include "process/output_file.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

std::vector<std::string> DependencyRules::words(const Source& source, const fs::path& file) const {
  std::vector<std::string> words = options_.dependencies;
  if (words.empty()) return words;
  const auto names_target = [](const std::string& word) { return word == "-MT" || word == "-MQ"; };
  if (std::ranges::none_of(words, names_target))
    append(words, {"-MT", options_.output.empty() ? source.path.stem().string() + ".o" : options_.output.string()});
  append(words, {"-MF", file.string()});  // of several the last one counts
  return words;
}

void DependencyRules::take(const Source& source, const fs::path& file) {
  if (!options_.dependencies.empty() && fs::exists(file)) rules_[file_of(source)] += config::read_text(file);
}

void DependencyRules::write() const {
  for (const auto& [path, text] : rules_) process::write_text(path, text);
}

fs::path DependencyRules::file_of(const Source& source) const {
  const auto named = std::ranges::find(options_.dependencies, "-MF");
  if (named != options_.dependencies.end()) return *std::next(named);
  return fs::path(options_.output.empty() ? source.path.filename() : options_.output).replace_extension(".d");
}

}  // namespace warpfork::compiler

#include "compiler/undefined_behaviour.h"

namespace warpfork::compiler {

std::vector<std::string> words_of(const UndefinedBehaviour& impossible, unsigned clang_version) {
  std::vector<std::string> words;
  if (!impossible.unset_values) {
    words.emplace_back("-fno-strict-return");
    // Where a set and an unset value meet on the way to a parameter, clang drops the branch. The option was renamed.
    const char* const noundef = clang_version < 15 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
    if (clang_version != 0) words.insert(words.end(), {"-Xclang", noundef});
  }
  if (!impossible.other_types) words.emplace_back("-fno-strict-aliasing");
  return words;
}

}  // namespace warpfork::compiler

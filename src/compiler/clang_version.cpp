#include "compiler/clang_version.h"

#include <charconv>

#include "config/text_file.h"
#include "process/child_process.h"

namespace warpfork::compiler {

unsigned clang_version(const std::string& compiler, const std::filesystem::path& folder,
                       const process::DeferredSignals& signals) {
  const std::filesystem::path answer = folder / "version";
  if (process::run_child({compiler, {"-dumpversion"}, {}, answer}, signals).status != 0) return 0;
  const std::string text = config::read_text(answer);
  unsigned version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

}  // namespace warpfork::compiler

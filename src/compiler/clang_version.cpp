#include "compiler/clang_version.h"

#include <charconv>

#include "config/text_file.h"
#include "process/child_process.h"

namespace warpfork::compiler {

namespace {

std::string answer_of(const std::string& compiler, const char* question, const std::filesystem::path& folder,
                      const process::DeferredSignals& signals) {
  const std::filesystem::path answer = folder / "version";
  const bool is_told = process::run_child({compiler, {question}, {}, answer}, signals).status == 0;
  return is_told ? config::read_text(answer) : "";
}

}  // namespace

unsigned clang_version(const std::string& compiler, const std::filesystem::path& folder,
                       const process::DeferredSignals& signals) {
  const std::string text = answer_of(compiler, "-dumpversion", folder, signals);
  unsigned version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

std::string clang_name(const std::string& compiler, const std::filesystem::path& folder,
                       const process::DeferredSignals& signals) {
  const std::string text = answer_of(compiler, "--version", folder, signals);
  return text.substr(0, text.find('\n'));
}

}  // namespace warpfork::compiler

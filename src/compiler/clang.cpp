#include "compiler/clang.h"

#include <fmt/ranges.h>

#include "base/error.h"
#include "compiler/clang_version.h"
#include "process/child_process.h"
#include "process/find_program.h"

namespace warpfork::compiler {

namespace {

constexpr int kOldest = 14, kNewest = 99;  // as Debian names them: clang++-NN

std::string find_clang() {
  std::string path = process::find_program("clang++");
  for (int version = kNewest; path.empty() && version >= kOldest; --version)
    path = process::find_program(fmt::format("clang++-{}", version));
  if (path.empty())
    throw Error("warpfork cc: there is no clang: apt install clang, and libclc-NN for the version NN that clang has");
  return path;
}

}  // namespace

Clang::Clang(bool shows_commands) : path_(find_clang()), shows_commands_(shows_commands) {}

unsigned Clang::version() {
  if (!version_) version_ = clang_version(path_, folder_.path(), signals_);
  return *version_;
}

std::string Clang::name() const { return clang_name(path_, folder_.path(), signals_); }

int Clang::run(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& errors) const {
  if (shows_commands_) fmt::print(stderr, "{}\n", fmt::join(words, " "));
  return process::run_child({words[0], {words.begin() + 1, words.end()}, {}, {}, errors}, signals_).status;
}

}  // namespace warpfork::compiler

#include "process/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/temporary_files.h"

namespace warpfork::process {

namespace {

/// As the C++ library looks for it, which does not say what it found.
std::filesystem::path usual_parent() {
  std::error_code failure;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failure);
  if (!failure) return parent;
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* const value = std::getenv(variable))
      throw Error("{}={}: there is no such folder for temporary files{}", variable, value, kTemporaryRemedy);
  throw Error("/tmp: there is no such folder for temporary files{}", kTemporaryRemedy);
}

/// `remedy`: behind the system's reason.
std::filesystem::path made_in(const std::filesystem::path& parent, const char* remedy) {
  std::string pattern = (parent / "warpfork-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw Error("{}: cannot be created: {}{}", pattern, std::strerror(errno), remedy);
  return pattern;
}

}  // namespace

TemporaryFolder::TemporaryFolder() : path_(made_in(usual_parent(), kTemporaryRemedy)) {}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) : path_(made_in(parent, "")) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a folder that stays behind harms nobody
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpfork::process

// The clang that `warpfork cc` calls, with a folder for what goes from one call to the next.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "process/deferred_signals.h"
#include "process/temporary_folder.h"

namespace warpfork::compiler {

class Clang {
 public:
  /// Throws Error if none is installed. `shows_commands`: on standard error, as -v has it.
  explicit Clang(bool shows_commands);

  const std::string& path() const { return path_; }
  /// 14 of "14.0.6"; 0 if it does not say.
  unsigned version();
  /// "Debian clang version 14.0.6".
  std::string name() const;
  /// A temporary file of this name, which is gone when this is.
  std::filesystem::path scratch(const std::string& name) const { return folder_.path() / name; }

  /// Runs these words, of which the first is a program's name; its exit status. `errors`: a file for what it says.
  int run(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& errors = {}) const;

 private:
  std::string path_;
  bool shows_commands_;
  std::optional<unsigned> version_;
  process::DeferredSignals signals_;  // until the temporary files are gone
  process::TemporaryFolder folder_;
};

}  // namespace warpfork::compiler

// Rules for make (-MD, -MMD) of sources whose objects nobody sees, since a program or an archive is made of them at
// once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "compiler/compile_options.h"

namespace warpfork::compiler {

/// Names files and targets as nvcc does: of what -o names, program.d says what `program` depends on; without -o x.d
/// says it of x.o for each source x. Rules of several sources that go into one file are all there.
class DependencyRules {
 public:
  explicit DependencyRules(const CompileOptions& options) : options_(options) {}

  /// What tells clang, which compiles this source, to write its rules into `file`. Nothing where none are wanted.
  std::vector<std::string> words(const Source& source, const std::filesystem::path& file) const;
  /// Takes over what clang has written there.
  void take(const Source& source, const std::filesystem::path& file);
  /// Throws Error for a file that cannot be written.
  void write() const;

 private:
  std::filesystem::path file_of(const Source& source) const;

  const CompileOptions& options_;
  std::map<std::filesystem::path, std::string> rules_;
};

}  // namespace warpfork::compiler

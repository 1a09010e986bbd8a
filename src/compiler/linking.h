// From objects to a program, an archive, or what -dlink writes.
#pragma once

#include <string>
#include <vector>

#include "compiler/clang.h"
#include "compiler/compile_options.h"
#include "compiler/compiler.h"

namespace warpfork::compiler {

/// Each function returns the exit status of what it has called, and throws Error if device code calls what is nowhere.
class Linking {
 public:
  Linking(const CompileOptions& options, const ToolchainPaths& paths, const Clang& clang)
      : options_(options), paths_(paths), clang_(clang) {}

  /// With relocatable device code it is linked twice: the first time tells which objects are in it.
  int program(std::vector<std::string> objects) const;
  int archive(const std::vector<std::string>& objects) const;
  /// What -dlink writes: who registers the objects' device code. It is linked with them by any linker.
  int registration_object() const;

 private:
  std::vector<std::string> words(const std::vector<std::string>& objects, const std::string& output) const;
  int registration(const std::vector<std::string>& words, const std::filesystem::path& linked,
                   const std::string& object) const;

  const CompileOptions& options_;
  const ToolchainPaths& paths_;
  const Clang& clang_;
};

}  // namespace warpfork::compiler

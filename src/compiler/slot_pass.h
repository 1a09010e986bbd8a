// From a source's host code to an object where it has managed variables: clang's passes over it, and what is put
// between them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/clang.h"
#include "compiler/compile_options.h"
#include "compiler/managed_variables.h"

namespace warpfork::compiler {

class SlotPass {
 public:
  SlotPass(const CompileOptions& options, Clang& clang) : options_(options), clang_(clang) {}

  /// What makes clang write LLVM's text of the source, for object(), in the place of an object.
  static std::vector<std::string> words_of_front();
  /// Writes the object of that text. Returns clang's exit status. Throws Error for variables that cannot be.
  int object(const Source& source, const std::filesystem::path& llvm, const std::filesystem::path& object) const;

 private:
  void require_known(const std::string& source, std::string_view llvm, const ManagedNames& names) const;

  const CompileOptions& options_;
  Clang& clang_;
};

}  // namespace warpfork::compiler

// From a source's kernels to PTX: clang's passes over it, and what is mended between and behind them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compiler/clang.h"
#include "compiler/compile_options.h"
#include "compiler/managed_variables.h"

namespace warpfork::compiler {

class DevicePass {
 public:
  DevicePass(const CompileOptions& options, Clang& clang);

  /// Words that have the program see the number of an architecture that clang does not know.
  std::vector<std::string> architecture_words() const;
  /// Writes what clang makes of the source into `ptx`; `front`: the words that both passes over it have, `errors`: a
  /// file for what clang says. Returns clang's exit status. Throws Error if the code calls what nobody has.
  int compile(std::vector<std::string> front, const Source& source, const std::filesystem::path& ptx,
              const std::filesystem::path& errors);
  /// All releases of libclc have the same files, of which the newest was installed last, perhaps for another clang.
  /// Says so on standard error if that is what clang has said.
  void tell_of_other_libclc(const std::string& said);

 private:
  int write_complete_ptx(const std::vector<std::string>& words, const std::filesystem::path& ptx,
                         const std::filesystem::path& errors);
  int write_ptx_of_source(std::vector<std::string> words, const std::filesystem::path& ptx,
                          const std::filesystem::path& errors);
  int write_ptx(const std::vector<std::string>& words, const std::filesystem::path& ptx,
                const std::filesystem::path& errors);
  int write_llvm(std::vector<std::string> words, const std::filesystem::path& llvm,
                 const std::filesystem::path& errors);
  bool write_llvm_with_wide_calls(std::vector<std::string> words, const std::filesystem::path& llvm);
  int write_ptx_of_llvm(const std::filesystem::path& llvm, const std::filesystem::path& ptx,
                        const std::filesystem::path& errors);
  std::string mended(std::string ptx, const Source& source) const;

  const CompileOptions& options_;
  Clang& clang_;
  std::filesystem::path math_;  // empty if libclc is not installed
  ManagedNames managed_;        // of the source that is compiled
};

}  // namespace warpfork::compiler

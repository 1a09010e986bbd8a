// What an ELF file, a program or a library, holds of a CUDA runtime that is linked into it (nvcc's default).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::cuda {

/// Functions that lie in the file, hidden ones too, by its symbol table; none where it was stripped.
struct LinkedFunctions {
  struct Function {
    std::string name;
    std::uint64_t address;  // as linked
  };
  std::vector<Function> of_runtime;  // whose names begin as the runtime's do
  std::set<std::uint64_t> starts;    // of all

  bool have(std::string_view name) const;

  /// Whether the runtime is there: every program and library with kernels calls this function of it.
  bool have_runtime() const { return have("__cudaRegisterFatBinary"); }

  /// The release, as in the name of its shared library: "11.0", "12" or "13". By what only they have: 12 a second
  /// cudaGetDeviceProperties, 11 texture references.
  std::string_view release() const;
};

LinkedFunctions linked_functions(std::span<const std::byte> file);

/// Names that begin so, of symbols that the file needs and does not have, each once.
std::set<std::string> undefined_symbols(std::span<const std::byte> file, std::string_view prefix);

}  // namespace warpfork::cuda

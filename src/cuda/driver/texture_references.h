// Texture references of modules (CUDA Driver API, "Texture Reference Management").
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <string>

#include "cuda/runtime/runtime.h"

namespace warpfork::cuda::driver {

/// A variable of a module, and what the program has set about it in whatever order: it counts at the next launch of one
/// of the module's kernels, and need not fit together before.
struct TextureReference {
  const CodeImage* module = nullptr;
  std::string name;          // in messages
  std::uint64_t record = 0;  // device address of the variable
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC description{};
  CUarray_format format = CU_AD_FORMAT_FLOAT;  // of linear memory that is bound
  unsigned channels = 1;
  bool is_bound = false;
  bool is_written = true;  // kernels see what was set last

  /// Lets kernels see it. Throws ApiError as ImageObjects::write, with a text.
  void write(Runtime& runtime);
};

/// Handles are numbers, never addresses.
class TextureReferences {
 public:
  /// The one of this variable, always the same.
  CUtexref of(const CodeImage& module, const std::string& name, std::uint64_t record);
  /// Throws ApiError: cudaErrorInvalidResourceHandle.
  TextureReference& reference(CUtexref handle);
  /// Before a launch of a kernel of this module. Throws ApiError as TextureReference::write.
  void write(Runtime& runtime, const CodeImage& module);
  void remove_module(const CodeImage& module);

 private:
  std::uintptr_t next_ = 1;
  std::map<CUtexref, TextureReference> references_;
};

}  // namespace warpfork::cuda::driver

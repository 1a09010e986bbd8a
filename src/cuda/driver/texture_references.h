// Texture references of modules (CUDA Driver API, "Texture Reference Management").
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>

#include "cuda/runtime/runtime.h"

namespace warpfork::cuda::driver {

/// A variable of a module, and what the program has set about it in whatever order: it counts at the next launch.
struct TextureReference {
  const CodeImage* module = nullptr;
  std::uint64_t record = 0;  // device address of the variable
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC description{};
  CUarray_format format = CU_AD_FORMAT_FLOAT;  // of memory that is bound
  unsigned channels = 1;
  bool is_bound = false;

  /// Lets kernels see it. Throws ApiError as ImageObjects::write.
  void write(Runtime& runtime) const;
};

/// Handles are numbers, never addresses.
class TextureReferences {
 public:
  /// The one of this variable, always the same.
  CUtexref of(const CodeImage& module, std::uint64_t record);
  /// Throws ApiError: cudaErrorInvalidResourceHandle.
  TextureReference& reference(CUtexref handle);
  void remove_module(const CodeImage& module);

 private:
  std::uintptr_t next_ = 1;
  std::map<CUtexref, TextureReference> references_;
};

}  // namespace warpfork::cuda::driver

// The CUDA arrays of a process (CUDA Runtime API, "Memory Management").
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>

#include "cuda/runtime/cuda_array.h"
#include "cuda/runtime/memory_space.h"

namespace warpfork::cuda {

/// Handles are numbers, never addresses. Throws ApiError(cudaErrorInvalidValue) for what is no array. A texture or
/// surface of an array that was destroyed names memory that is nobody's, or another allocation's, as on real devices.
class CudaArrays {
 public:
  explicit CudaArrays(MemorySpace& memory) : memory_(memory) {}

  /// Throws ApiError: for formats as TexelFormat, with cudaErrorInvalidValue for extents that there are none of, with
  /// cudaErrorMemoryAllocation, and with cudaErrorNotSupported and a text for flags of other kinds of arrays.
  cudaArray_t create(const cudaChannelFormatDesc& description, const cudaExtent& extent, unsigned flags);
  void destroy(cudaArray_t handle);
  const CudaArray& find(cudaArray_const_t handle) const;

 private:
  MemorySpace& memory_;
  std::uintptr_t next_ = 1;
  std::map<cudaArray_const_t, CudaArray> arrays_;
};

}  // namespace warpfork::cuda

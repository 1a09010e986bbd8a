// A CUDA array (CUDA Runtime API, "Memory Management", cudaMalloc3DArray).
#pragma once

#include <driver_types.h>

#include <algorithm>
#include <cstdint>

#include "cuda/runtime/texel_format.h"
#include "simt/image/image_layout.h"

namespace warpfork::cuda {

/// Its texels lie in device memory, where simt::ArrayLayout says.
struct CudaArray {
  cudaChannelFormatDesc description;
  TexelFormat format;
  cudaExtent extent;  // in texels, as the program gave it: 0 for dimensions that there are none of
  unsigned flags;     // cudaArrayLayered …
  std::uint64_t address = 0;

  bool is_layered() const { return (flags & cudaArrayLayered) != 0; }
  std::uint64_t row_bytes() const { return extent.width * format.bytes(); }
  std::uint64_t rows() const { return std::max<std::uint64_t>(extent.height, 1); }
  /// Or layers.
  std::uint64_t slices() const { return std::max<std::uint64_t>(extent.depth, 1); }
  simt::ArrayLayout layout() const { return {row_bytes(), rows()}; }
  std::uint64_t bytes() const { return layout().slice_bytes() * slices(); }
};

}  // namespace warpfork::cuda

// cudaResourceDesc, cudaTextureDesc and cudaResourceViewDesc as CUDA 11, 12 and 13 lay them out (CUDA Runtime API,
// "Data types").
#pragma once

#include <texture_types.h>

#include <cstddef>

namespace warpfork::cuda {

/// Bytes of cudaTextureDesc in CUDA 11, which has no seamless cubemaps; CUDA 12 has the whole.
inline constexpr std::size_t kTextureDescription11Bytes = 68;

/// CUDA 13's structures: CUDA 12's, and room behind them.
struct ResourceDescription13 {
  cudaResourceDesc of_12;
  int reserved[18];
  unsigned flags;   // must be 0
  unsigned at_end;  // up to the alignment
};
struct ViewDescription13 {
  cudaResourceViewDesc of_12;
  unsigned reserved[16];  // must be 0
};
static_assert(sizeof(cudaResourceDesc) == 64 && sizeof(ResourceDescription13) == 144);
static_assert(sizeof(cudaTextureDesc) == 72 &&
              offsetof(cudaTextureDesc, seamlessCubemap) == kTextureDescription11Bytes);
static_assert(sizeof(cudaResourceViewDesc) == 48 && sizeof(ViewDescription13) == 112);
static_assert(sizeof(textureReference) == 124);

}  // namespace warpfork::cuda

// The largest textures and surfaces (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability":
// what it says of 2.x, which every simulated machine has).
#pragma once

#include <cstdint>

namespace warpfork::cuda {

/// Texels, rows, and slices or layers; 0 where there must be none.
struct ImageLimit {
  std::uint32_t width, height = 0, depth = 0;
};

inline constexpr ImageLimit kTexture1D{65536}, kTexture2D{65536, 65535}, kTexture3D{2048, 2048, 2048},
    kTexture1DLayered{16384, 0, 2048}, kTexture2DLayered{16384, 16384, 2048}, kTexture2DGather{16384, 16384};
inline constexpr ImageLimit kSurface1D{65536}, kSurface2D{65536, 32768}, kSurface3D{65536, 32768, 2048},
    kSurface1DLayered{65536, 0, 2048}, kSurface2DLayered{65536, 32768, 2048};

/// Of textures in linear and in pitched memory: texels, rows, and bytes from one row to the next.
inline constexpr std::uint32_t kLinearTexels = 1u << 27, kPitchedTexels = 65000, kPitchedRows = 65000,
                               kTexturePitch = 1048544;

/// Bytes. Addresses that cudaMalloc gives (simt::DeviceMemory) are aligned as textures must be, which CUDA promises; on
/// a GTX 480 both are 512.
inline constexpr std::uint32_t kTextureAlignment = 256, kTexturePitchAlignment = 32;

}  // namespace warpfork::cuda

#include "cuda/api/device_properties.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

#include "cuda/runtime/image_limits.h"

namespace warpfork::cuda {

namespace {

// What every machine has in common (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
constexpr int kMaxGridYz = 65535, kMaxBlockXy = 1024, kMaxBlockZ = 64;
constexpr int kMaxPitch = std::numeric_limits<int>::max();

/// Before compute capability 3.0 a grid could be no wider than 65535 blocks.
int max_grid_x(const DeviceDescription& device) {
  return device.compute_capability < 30 ? kMaxGridYz : std::numeric_limits<int>::max();
}

void set_limit(int (&to)[2], const ImageLimit& limit) {
  to[0] = static_cast<int>(limit.width);
  to[1] = static_cast<int>(limit.height != 0 ? limit.height : limit.depth);  // layers of one row
}

void set_limit(int (&to)[3], const ImageLimit& limit) {
  to[0] = static_cast<int>(limit.width);
  to[1] = static_cast<int>(limit.height);
  to[2] = static_cast<int>(limit.depth);
}

/// Of mipmapped arrays and cubemaps, which there are none of, they stay 0.
void set_image_limits(cudaDeviceProp& p) {
  p.textureAlignment = p.surfaceAlignment = kTextureAlignment;
  p.texturePitchAlignment = kTexturePitchAlignment;
  p.maxTexture1D = static_cast<int>(kTexture1D.width);
  p.maxTexture1DLinear = static_cast<int>(kLinearTexels);
  set_limit(p.maxTexture2D, kTexture2D);
  set_limit(p.maxTexture2DLinear, {kPitchedTexels, kPitchedRows, kTexturePitch});
  set_limit(p.maxTexture2DGather, kTexture2DGather);
  set_limit(p.maxTexture3D, kTexture3D);
  set_limit(p.maxTexture1DLayered, kTexture1DLayered);
  set_limit(p.maxTexture2DLayered, kTexture2DLayered);
  p.maxSurface1D = static_cast<int>(kSurface1D.width);
  set_limit(p.maxSurface2D, kSurface2D);
  set_limit(p.maxSurface3D, kSurface3D);
  set_limit(p.maxSurface1DLayered, kSurface1DLayered);
  set_limit(p.maxSurface2DLayered, kSurface2DLayered);
}

}  // namespace

static_assert(sizeof(cudaDeviceProp) == 1032);
static_assert(offsetof(cudaDeviceProp, hostRegisterSupported) == kDeviceProperties11Bytes);
// Places in CUDA 13's structure, as its headers lay them out.
static_assert(offsetof(DeviceProperties13, totalGlobalMem) == 288);
static_assert(offsetof(DeviceProperties13, maxThreadsPerBlock) == 320);
static_assert(offsetof(DeviceProperties13, major) == 360);
static_assert(offsetof(DeviceProperties13, multiProcessorCount) == 384);
static_assert(offsetof(DeviceProperties13, l2CacheSize) == 596);
static_assert(offsetof(DeviceProperties13, memoryPoolsSupported) == 720);

cudaDeviceProp device_properties(const DeviceDescription& device, bool managed_memory) {
  cudaDeviceProp p{};
  std::strncpy(p.name, device.name.c_str(), sizeof p.name - 1);
  p.totalGlobalMem = device.global_memory_bytes;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = device.shared_bytes_per_block;
  p.regsPerBlock = static_cast<int>(device.registers_per_block);
  p.warpSize = device.warp_size;
  p.memPitch = kMaxPitch;
  p.maxThreadsPerBlock = device.max_threads_per_block;
  std::ranges::copy(std::array{kMaxBlockXy, kMaxBlockXy, kMaxBlockZ}, p.maxThreadsDim);
  std::ranges::copy(std::array{max_grid_x(device), kMaxGridYz, kMaxGridYz}, p.maxGridSize);
  p.clockRate = device.core_clock_khz;
  p.totalConstMem = device.constant_memory_bytes;
  p.major = device.compute_capability / 10;
  p.minor = device.compute_capability % 10;
  set_image_limits(p);
  p.multiProcessorCount = device.core_count;
  p.canMapHostMemory = 1;
  p.managedMemory = managed_memory;
  // Programs that find 0 here leave out what they would let run side by side. Here it runs one after the other, with
  // the same results. One engine for copies, as on Fermi.
  p.deviceOverlap = p.asyncEngineCount = p.concurrentKernels = 1;
  p.concurrentManagedAccess = managed_memory;  // the host never finds a kernel running
  p.unifiedAddressing = p.cooperativeLaunch = 1;
  p.memoryClockRate = device.memory_clock_khz;
  p.memoryBusWidth = device.memory_bus_bits;
  p.l2CacheSize = static_cast<int>(std::min<std::uint64_t>(device.l2_bytes, std::numeric_limits<int>::max()));
  p.maxThreadsPerMultiProcessor = device.max_threads_per_core;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = device.shared_bytes_per_core;
  p.regsPerMultiprocessor = static_cast<int>(device.registers_per_core);
  p.maxBlocksPerMultiProcessor = device.max_blocks_per_core;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  return p;
}

DeviceProperties13 device_properties_13(const cudaDeviceProp& from) {
  DeviceProperties13 p{};
  std::memcpy(p.name, from.name, sizeof p.name);
  p.totalGlobalMem = from.totalGlobalMem;
  p.sharedMemPerBlock = from.sharedMemPerBlock;
  p.regsPerBlock = from.regsPerBlock;
  p.warpSize = from.warpSize;
  p.memPitch = from.memPitch;
  p.maxThreadsPerBlock = from.maxThreadsPerBlock;
  std::copy_n(from.maxThreadsDim, 3, p.maxThreadsDim);
  std::copy_n(from.maxGridSize, 3, p.maxGridSize);
  p.totalConstMem = from.totalConstMem;
  p.major = from.major;
  p.minor = from.minor;
  p.textureAlignment = from.textureAlignment;
  p.texturePitchAlignment = from.texturePitchAlignment;
  p.multiProcessorCount = from.multiProcessorCount;
  p.canMapHostMemory = from.canMapHostMemory;
  p.textures[0] = from.maxTexture1D;
  p.textures[1] = from.maxTexture1DMipmap;
  constexpr std::size_t kFirstOf2D = offsetof(cudaDeviceProp, maxTexture2D);
  static_assert(offsetof(cudaDeviceProp, surfaceAlignment) - kFirstOf2D >= sizeof p.textures - 2 * sizeof(int));
  std::memcpy(&p.textures[2], reinterpret_cast<const std::byte*>(&from) + kFirstOf2D,
              sizeof p.textures - 2 * sizeof(int));
  p.surfaceAlignment = from.surfaceAlignment;
  p.concurrentKernels = from.concurrentKernels;
  p.asyncEngineCount = from.asyncEngineCount;
  p.unifiedAddressing = from.unifiedAddressing;
  p.memoryBusWidth = from.memoryBusWidth;
  p.l2CacheSize = from.l2CacheSize;
  p.maxThreadsPerMultiProcessor = from.maxThreadsPerMultiProcessor;
  p.globalL1CacheSupported = from.globalL1CacheSupported;
  p.localL1CacheSupported = from.localL1CacheSupported;
  p.sharedMemPerMultiprocessor = from.sharedMemPerMultiprocessor;
  p.regsPerMultiprocessor = from.regsPerMultiprocessor;
  p.managedMemory = from.managedMemory;
  p.concurrentManagedAccess = from.concurrentManagedAccess;
  p.sharedMemPerBlockOptin = from.sharedMemPerBlockOptin;
  p.maxBlocksPerMultiProcessor = from.maxBlocksPerMultiProcessor;
  p.cooperativeLaunch = from.cooperativeLaunch;
  p.hostRegisterSupported = from.hostRegisterSupported;
  p.memoryPoolsSupported = from.memoryPoolsSupported;
  return p;
}

int device_attribute(const DeviceDescription& device, bool managed_memory, cudaDeviceAttr attribute) {
  const cudaDeviceProp p = device_properties(device, managed_memory);
  switch (attribute) {
#define ATTRIBUTE(name, value) \
  case cudaDevAttr##name:      \
    return static_cast<int>(value);
#include "cuda/api/device_attributes.def"
#undef ATTRIBUTE
    default:
      return 0;
  }
}

}  // namespace warpfork::cuda

// cudaDeviceProp as CUDA 11, 12 and 13 lay it out (CUDA Runtime API, "Data types").
#pragma once

#include <driver_types.h>

#include "cuda/device_description.h"

namespace warpfork::cuda {

/// CUDA 12's structure; CUDA 11's is its first kDeviceProperties11Bytes.
cudaDeviceProp device_properties(const DeviceDescription& device, bool managed_memory);
inline constexpr std::size_t kDeviceProperties11Bytes = 728;

/// CUDA 13's structure: CUDA 12's without the members that CUDA 13 dropped, 1008 bytes.
struct DeviceProperties13 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int textures[39];  // largest textures and surfaces: CUDA 12's without maxTexture1DLinear
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing,
      memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
      globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
      accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported,
      memoryPoolsSupported;
  int tail[71];  // later features, none of them present
};
static_assert(sizeof(DeviceProperties13) == 1008);

DeviceProperties13 device_properties_13(const cudaDeviceProp& properties);

/// Value of an attribute; 0 for features that the simulated device does not have.
int device_attribute(const DeviceDescription& device, bool managed_memory, cudaDeviceAttr attribute);

}  // namespace warpfork::cuda

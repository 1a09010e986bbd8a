/* The C++ part of the CUDA runtime API: typed pointers, symbols by reference, kernels by name, occupancy. */
#pragma once

#include <cuda_runtime_api.h>

template <class T>
static inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc((void**)(void*)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, bytes, stream);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}

template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T, class P>
static inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress((void**)(void*)pointer, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return ::cudaGetSymbolSize(bytes, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                                  cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes = 0,
                                           cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, arguments, sharedBytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                                      size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, sharedBytes, stream);
}
#if __cplusplus >= 201103L
/* Arguments become what the kernel's parameters are, as in a call. */
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* addresses[sizeof...(Parameters) + 1] = {&converted...};
    return ::cudaLaunchKernelExC(configuration, (const void*)kernel, addresses);
  }(static_cast<Arguments&&>(arguments)...);
}
#endif
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)function, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T* function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)function, config);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return ::cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int blockSize,
                                                                        size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, blockSize, dynamicSharedBytes);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function, int blockSize,
                                                                                 size_t dynamicSharedBytes,
                                                                                 unsigned flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function, blockSize,
                                                                  dynamicSharedBytes, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T* function,
                                                               const cudaLaunchConfig_t* configuration) {
  return ::cudaOccupancyMaxPotentialClusterSize(blocks, (const void*)function, configuration);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* function,
                                                         const cudaLaunchConfig_t* configuration) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)function, configuration);
}

/* The block size, a multiple of the warp size, that keeps most threads on a core; `sharedBytesOf` gives a block size's
   dynamic shared memory. */
template <class SharedBytesOf, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T function,
                                                                         SharedBytesOf sharedBytesOf,
                                                                         int blockSizeLimit = 0) {
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void*)function);
  if (error != cudaSuccess) return error;
  int cores = 0, warpSize = 0, most = attributes.maxThreadsPerBlock, mostThreads = 0;
  ::cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
  ::cudaDeviceGetAttribute(&warpSize, cudaDevAttrWarpSize, 0);
  if (blockSizeLimit > 0 && blockSizeLimit < most) most = blockSizeLimit;
  *blockSize = *minGridSize = 0;
  for (int threads = most / warpSize * warpSize; threads > 0; threads -= warpSize) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)function, threads,
                                                            sharedBytesOf(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads > mostThreads) {
      mostThreads = blocks * threads;
      *blockSize = threads;
      *minGridSize = blocks * cores;
    }
  }
  return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T function,
                                                             size_t dynamicSharedBytes = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGridSize, blockSize, function, [=](int) { return dynamicSharedBytes; }, blockSizeLimit);
}
/* The flags are about caches of global memory, which change nothing here. */
template <class SharedBytesOf, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize,
                                                                                  T function,
                                                                                  SharedBytesOf sharedBytesOf,
                                                                                  int blockSizeLimit = 0,
                                                                                  unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, function, sharedBytesOf, blockSizeLimit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T function,
                                                                      size_t dynamicSharedBytes = 0,
                                                                      int blockSizeLimit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, function, dynamicSharedBytes, blockSizeLimit);
}

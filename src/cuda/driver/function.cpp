// CUDA Driver API, "Execution Control", functions' attributes, and "Occupancy".
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

int attribute_of(const cudaFuncAttributes& of, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return of.maxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(of.sharedSizeBytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(of.localSizeBytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return of.numRegs;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return of.ptxVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return of.binaryVersion;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return of.maxDynamicSharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return of.preferredShmemCarveout;
    default:
      require(attribute >= 0 && attribute <= CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
              cudaErrorInvalidValue);
      return 0;  // of constants that the compiler adds, of how loads are cached, of clusters
  }
}

bool is_set_by_programs(CUfunction_attribute attribute) {
  return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
         attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
}

}  // namespace

extern "C" {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return after_init([&] {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, function);
    if (error != cudaSuccess) return error;
    return call([&](Runtime&) { required(value) = attribute_of(attributes, attribute); });
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute >= CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET)
    return after_init([] { return not_supported("cuFuncSetAttribute", "clusters of blocks"); });
  return after_init([&] {
    return is_set_by_programs(attribute)
               ? cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value)
               : cudaErrorInvalidValue;
  });
}

// Hints: the simulated machine's split of cache and shared memory is its description's.
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return after_init([&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return after_init([&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(module) = reinterpret_cast<CUmodule>(kernel_of(runtime, function).image); });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return after_init([&] { return cudaFuncGetName(name, function); });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return after_init([&] { return cudaFuncGetParamInfo(function, index, offset, bytes); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int block_size,
                                                              std::size_t shared_bytes, unsigned flags) {
  return after_init([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, flags);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     std::size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks, int block_size) {
  return after_init([&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block_size); });
}

/// The block size, a multiple of the warp's, that keeps most threads on a core.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, CUfunction function,
                                                   CUoccupancyB2DSize shared_bytes_of, std::size_t shared_bytes,
                                                   int most, unsigned) {
  int allowed = 0;
  if (const CUresult error = cuFuncGetAttribute(&allowed, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
      error != CUDA_SUCCESS)
    return error;
  if (most > 0 && most < allowed) allowed = most;
  return on_device_by_name([&](Runtime& runtime) {
    const DeviceDescription device = runtime.device();
    const RegisteredKernel& kernel = kernel_of(runtime, function);
    int most_threads = required(block_size) = required(grid_size) = 0;
    for (int threads = allowed / device.warp_size * device.warp_size; threads > 0; threads -= device.warp_size) {
      const std::size_t shared = shared_bytes_of != nullptr ? shared_bytes_of(threads) : shared_bytes;
      const auto blocks = static_cast<int>(runtime.resident_blocks(kernel, static_cast<unsigned>(threads), shared));
      if (blocks * threads <= most_threads) continue;
      most_threads = blocks * threads;
      *block_size = threads;
      *grid_size = blocks * device.core_count;
    }
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of, std::size_t shared_bytes, int most) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, function, shared_bytes_of, shared_bytes, most,
                                                   0);
}

}  // extern "C"

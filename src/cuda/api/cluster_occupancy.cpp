// CUDA Runtime API, "Occupancy": clusters. Those of one block are blocks; larger ones are not supported.
#include "cuda/api/call.h"
#include "cuda/api/launch_attributes.h"

using namespace warpfork::cuda;

namespace {

const RegisteredKernel& kernel_behind(Runtime& runtime, const void* function) {
  const RegisteredKernel* kernel = runtime.registry().find_kernel(function);
  require(kernel != nullptr, cudaErrorInvalidDeviceFunction);
  return *kernel;
}

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cudaLaunchConfig_t*) {
  return call([&](Runtime& runtime) {
    kernel_behind(runtime, function);
    required(blocks) = 1;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* configuration) {
  LaunchAttributes asked;
  const cudaError_t error = call([&](Runtime& runtime) {
    const RegisteredKernel& kernel = kernel_behind(runtime, function);
    const dim3 block = required(configuration).blockDim;
    asked = read_attributes(*configuration);
    const unsigned threads = block.x * block.y * block.z;
    require(threads > 0, cudaErrorInvalidValue);
    required(clusters) =
        asked.refused.empty()
            ? static_cast<int>(runtime.resident_blocks(kernel, threads, configuration->dynamicSmemBytes)) *
                  runtime.device().core_count
            : 0;
  });
  return asked.refused.empty() ? error : not_supported("cudaOccupancyMaxActiveClusters", asked.refused);
}

}  // extern "C"

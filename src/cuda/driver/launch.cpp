// CUDA Driver API, "Execution Control": launches.
#include "cuda/api/launch_attributes.h"
#include "cuda/driver/driver_call.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Where a kernel's arguments lie that the program has packed as the parameters lie (cuLaunchKernel's `extra`).
std::vector<void*> packed_arguments(const warpfork::ptx::Function& kernel, void** extra) {
  std::byte* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<std::byte*>(extra[1]);
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<const std::size_t*>(extra[1]);
    else
      throw ApiError(cudaErrorInvalidValue);
  }
  require(kernel.parameters.empty() || (buffer != nullptr && bytes >= kernel.parameter_bytes()), cudaErrorInvalidValue);
  std::vector<void*> arguments;
  for (const std::uint64_t offset : kernel.parameter_offsets()) arguments.push_back(buffer + offset);
  return arguments;
}

/// The arguments in either way, as pointers.
std::vector<void*> arguments_of(Runtime& runtime, CUfunction function, void** pointers, void** extra) {
  const warpfork::ptx::Function& kernel = *runtime.registry().program(kernel_of(runtime, function)).function;
  require(pointers == nullptr || extra == nullptr, cudaErrorInvalidValue);
  if (extra != nullptr) return packed_arguments(kernel, extra);
  require(pointers != nullptr || kernel.parameters.empty(), cudaErrorInvalidValue);
  return std::vector<void*>(pointers, pointers + kernel.parameters.size());
}

CUresult launch_function(CUfunction function, const cudaLaunchConfig_t& shape, bool is_cooperative, void** pointers,
                         void** extra) {
  return in_context([&] {
    std::vector<void*> arguments;
    const cudaError_t error =
        call([&](Runtime& runtime) { arguments = arguments_of(runtime, function, pointers, extra); });
    if (error != cudaSuccess) return error;
    return (is_cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        function, shape.gridDim, shape.blockDim, arguments.data(), shape.dynamicSmemBytes, shape.stream);
  });
}

static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));

cudaLaunchConfig_t shape_of(const CUlaunchConfig& config) {
  return {{config.gridDimX, config.gridDimY, config.gridDimZ},
          {config.blockDimX, config.blockDimY, config.blockDimZ},
          config.sharedMemBytes,
          config.hStream,
          reinterpret_cast<cudaLaunchAttribute*>(config.attrs),
          config.numAttrs};
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** pointers,
                        void** extra) {
  return launch_function(function,
                         {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, nullptr, 0},
                         false, pointers, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** pointers) {
  return launch_function(function,
                         {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, nullptr, 0},
                         true, pointers, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** pointers, void** extra) {
  LaunchAttributes attributes;
  const CUresult error = on_device([&](Runtime&) { attributes = read_attributes(shape_of(required(config))); });
  if (error != CUDA_SUCCESS) return error;
  if (!attributes.refused.empty())
    return answer_of([&] { return not_supported("cuLaunchKernelEx", attributes.refused); });
  return launch_function(function, shape_of(*config), attributes.is_cooperative, pointers, extra);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context([&] { return cudaLaunchHostFunc(stream, function, data); });
}

}  // extern "C"

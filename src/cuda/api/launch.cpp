// CUDA Runtime API, "Execution Control" and "Occupancy", and the launch calls of generated code.
#include <algorithm>
#include <cstring>

#include "cuda/api/call.h"
#include "cuda/api/call_configuration.h"
#include "cuda/api/graph_operations.h"
#include "cuda/api/launch_attributes.h"

using namespace warpfork::cuda;

namespace {

warpfork::Dim3 extent(dim3 d) { return {d.x, d.y, d.z}; }

RegisteredKernel& registered(Runtime& runtime, const void* function) {
  RegisteredKernel* kernel = runtime.registry().find_kernel(function);
  require(kernel != nullptr, cudaErrorInvalidDeviceFunction);
  return *kernel;
}

/// In a block of the kernel: as its directives say, and in whole warps as the registers of which it is told let a core
/// hold one. Launches of more are possible, with fewer registers.
unsigned most_threads(Runtime& runtime, const RegisteredKernel& kernel) {
  constexpr unsigned kWarp = 32;
  auto threads = static_cast<unsigned>(runtime.device().max_threads_per_block);
  if (const unsigned allowed = runtime.registry().program(kernel).function->max_threads; allowed != 0)
    threads = std::min(threads, allowed);
  while (threads > kWarp && runtime.resident_blocks_as_usual(kernel, threads) == 0)
    threads = (threads - 1) / kWarp * kWarp;
  return threads;
}

/// Where a kernel that was given no memory faults, the program may have looked past the reason.
[[noreturn]] void throw_with_reason(const ApiError& error, const MemorySpace& memory) {
  if (error.code() != cudaErrorIllegalAddress || memory.missing_memory().empty()) throw ApiError(error);
  throw ApiError(error.code(), fmt::format("{}\n  before it, {}", error.what(), memory.missing_memory()));
}

void launch_now(Runtime& runtime, const RegisteredKernel& kernel, const CallConfiguration& configuration,
                void** arguments, bool is_cooperative) {
  try {
    runtime.launch(kernel, extent(configuration.grid), extent(configuration.block), arguments,
                   configuration.shared_bytes, is_cooperative);
  } catch (const ApiError& error) {
    throw_with_reason(error, runtime.memory());
  }
}

/// The host sees what a kernel has written, also one that failed.
class SeenByHost {
 public:
  explicit SeenByHost(MemorySpace& memory) : memory_(memory) { memory_.begin_launch(); }
  ~SeenByHost() { memory_.end_launch(); }
  SeenByHost(const SeenByHost&) = delete;
  SeenByHost& operator=(const SeenByHost&) = delete;

 private:
  MemorySpace& memory_;
};

cudaError_t launch(const RegisteredKernel& kernel, const CallConfiguration& configuration, void** arguments,
                   bool is_cooperative) {
  return guarded_call([&](Process& process) {
    Runtime& runtime = process.runtime();
    runtime.timeline().stream(configuration.stream);
    process.texture_references().write(runtime, *kernel.image);
    const SeenByHost seen(runtime.memory());
    launch_now(runtime, kernel, configuration, arguments, is_cooperative);
  });
}

cudaError_t launch_registered(const void* function, const CallConfiguration& configuration, void** arguments,
                              bool is_cooperative) {
  RegisteredKernel* kernel = nullptr;
  bool is_captured = false;
  const cudaError_t error = call([&](Runtime& runtime) {
    kernel = &registered(runtime, function);
    is_captured = runtime.captures().is_capturing(configuration.stream);
    if (!is_captured) return;
    require(configuration.shared_bytes <= runtime.device().shared_bytes_per_block, cudaErrorInvalidValue);
    cudaKernelNodeParams parameters{};
    parameters.func = const_cast<void*>(function);
    parameters.gridDim = configuration.grid;
    parameters.blockDim = configuration.block;
    parameters.sharedMemBytes = static_cast<unsigned>(configuration.shared_bytes);
    parameters.kernelParams = arguments;
    runtime.captures().add(configuration.stream, launch_of(runtime, parameters, is_cooperative));
  });
  return error == cudaSuccess && !is_captured ? launch(*kernel, configuration, arguments, is_cooperative) : error;
}

/// Whether the thread's next launch is that of `kernel<<<…>>>(…)`: its code takes the configuration first.
bool& takes_configuration() {
  thread_local bool takes = false;
  return takes;
}

/// The result of a launch, which such code drops.
cudaError_t launched(cudaError_t error) { return std::exchange(takes_configuration(), false) ? dropped(error) : error; }

}  // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream) {
  return guarded_call([&](Process&) {
    call_configurations().push_back({grid, block, shared_bytes, static_cast<cudaStream_t>(stream)});
  });
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  if (call_configurations().empty()) return returned(cudaErrorMissingConfiguration);
  const CallConfiguration top = call_configurations().back();
  call_configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  takes_configuration() = true;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  return launched(launch_registered(function, {grid, block, shared_bytes, stream}, arguments, false));
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return call(
      [&](Runtime& runtime) { required(handle) = reinterpret_cast<cudaKernel_t>(&registered(runtime, function)); });
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) { return __cudaGetKernel(handle, function); }

cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream) {
  return launched(launch_registered(handle, {grid, block, shared_bytes, stream}, arguments, false));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  return launch_registered(function, {grid, block, shared_bytes, stream}, arguments, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function, void** arguments) {
  LaunchAttributes attributes;
  const cudaError_t error = call([&](Runtime&) { attributes = read_attributes(required(configuration)); });
  if (error != cudaSuccess) return error;
  if (!attributes.refused.empty()) return not_supported("cudaLaunchKernelExC", attributes.refused);
  return launch_registered(
      function,
      {configuration->gridDim, configuration->blockDim, configuration->dynamicSmemBytes, configuration->stream},
      arguments, attributes.is_cooperative);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&](Runtime& runtime) {
    const RegisteredKernel& kernel = registered(runtime, function);
    const auto& program = runtime.registry().program(kernel);
    const DeviceDescription device = runtime.device();
    cudaFuncAttributes filled{};
    filled.sharedSizeBytes = program.static_shared_bytes;
    filled.localSizeBytes = program.local_bytes;
    filled.maxThreadsPerBlock = static_cast<int>(most_threads(runtime, kernel));
    filled.numRegs = static_cast<int>(program.registers_of_thread());
    filled.ptxVersion = filled.binaryVersion = static_cast<int>(program.module->architecture());
    filled.maxDynamicSharedSizeBytes = static_cast<int>(
        kernel.most_dynamic_shared_bytes.value_or(device.shared_bytes_per_block - program.shared_bytes(0)));
    filled.preferredShmemCarveout = kernel.shared_memory_carveout;
    // CUDA 11's structure ends here; later fields are zero in CUDA 12's and 13's.
    std::memcpy(&required(attributes), &filled, offsetof(cudaFuncAttributes, clusterDimMustBeSet));
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call([&](Runtime& runtime) { required(name) = registered(runtime, function).name.c_str(); });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return call([&](Runtime& runtime) {
    const auto& kernel = *runtime.registry().program(registered(runtime, function)).function;
    require(index < kernel.parameters.size(), cudaErrorInvalidValue);
    required(offset) = kernel.parameter_offsets()[index];
    if (bytes != nullptr) *bytes = kernel.parameters[index].bytes;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call([&](Runtime& runtime) {
    RegisteredKernel& kernel = registered(runtime, function);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      require(value >= 0, cudaErrorInvalidValue);
      if (const auto most = runtime.device().shared_bytes_per_block; static_cast<unsigned>(value) > most)
        throw ApiError(
            cudaErrorInvalidValue,
            fmt::format("cudaFuncSetAttribute of '{}': {} bytes of dynamic shared memory: the machine allows "
                        "{}; one that has more: --set core.shared.bytes=N",
                        kernel.name, value, most));
      kernel.most_dynamic_shared_bytes = static_cast<std::uint32_t>(value);
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      require(value >= -1 && value <= 100, cudaErrorInvalidValue);
      kernel.shared_memory_carveout = value;
    } else if (attribute >= cudaFuncAttributeRequiredClusterWidth &&
               attribute <= cudaFuncAttributeRequiredClusterDepth) {
      require(value >= 0, cudaErrorInvalidValue);
      if (value > 1)
        throw ApiError(cudaErrorNotSupported, "cudaFuncSetAttribute: clusters of several blocks are not supported");
    }
  });
}

// Hints: the simulated machine's split of cache and shared memory is its description's.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call([&](Runtime& runtime) { registered(runtime, function); });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return call([&](Runtime& runtime) { registered(runtime, function); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared_bytes, unsigned) {
  return call([&](Runtime& runtime) {
    require(threads > 0, cudaErrorInvalidValue);
    required(blocks) = static_cast<int>(
        runtime.resident_blocks(registered(runtime, function), static_cast<unsigned>(threads), shared_bytes));
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, 0);
}

/// The most with which so many blocks still fit, in steps in which shared memory is given.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, const void* function, int blocks,
                                                      int threads) {
  return call([&](Runtime& runtime) {
    constexpr std::size_t kStep = 128;
    require(blocks > 0 && threads > 0, cudaErrorInvalidValue);
    const RegisteredKernel& kernel = registered(runtime, function);
    const auto fit = [&](std::size_t bytes) {
      return runtime.resident_blocks(kernel, static_cast<unsigned>(threads), bytes) >= static_cast<unsigned>(blocks);
    };
    require(fit(0), cudaErrorInvalidValue);
    std::size_t most = runtime.device().shared_bytes_per_block / kStep * kStep;
    while (!fit(most)) most -= kStep;
    required(shared_bytes) = most;
  });
}

}  // extern "C"

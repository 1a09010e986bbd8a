// CUDA Runtime API, "Driver Entry Point Access" and "Interactions with the CUDA Driver API".
#include "cuda/api/call.h"
#include "cuda/api/embedding.h"
#include "cuda/driver/driver_functions.h"

using namespace warpfork::cuda;

namespace {

constexpr int kFirstVersionWithResult = 12000;  // before, there is one parameter less
constexpr unsigned long long kMostFlags = 2;    // the default stream of a thread

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* result) {
  return call([&](Runtime&) {
    require(symbol != nullptr && flags <= kMostFlags, cudaErrorInvalidValue);
    const driver::FoundFunction found = driver::find_driver_function(symbol, static_cast<int>(version));
    required(function) = reinterpret_cast<void*>(found.function);
    if (result != nullptr)
      *result = found.function != nullptr ? cudaDriverEntryPointSuccess
                : found.is_later          ? cudaDriverEntryPointVersionNotSufficent
                                          : cudaDriverEntryPointSymbolNotFound;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  const bool has_result = kEmbedding.runtime_version >= kFirstVersionWithResult;
  return cudaGetDriverEntryPointByVersion(symbol, function, static_cast<unsigned>(kEmbedding.runtime_version), flags,
                                          has_result ? result : nullptr);
}

/// A function of the driver API is a kernel of ours.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return call([&](Runtime& runtime) {
    RegisteredKernel* const kernel = runtime.registry().find_kernel(symbol);
    require(kernel != nullptr, cudaErrorInvalidDeviceFunction);
    required(function) = reinterpret_cast<cudaFunction_t>(kernel);
  });
}

}  // extern "C"

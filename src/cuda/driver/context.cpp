// CUDA Driver API, "Context Management".
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    CUcontext& created = required(context);
    created = contexts.create(flags);
  });
}

CUresult cuCtxCreate_v3(CUcontext* context, void*, int affinity_count, unsigned flags, CUdevice device) {
  if (affinity_count != 0) return answer_of([] { return not_supported("cuCtxCreate_v3", "a part of the cores"); });
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext* context, void* parameters, unsigned flags, CUdevice device) {
  if (parameters != nullptr)
    return answer_of([] { return not_supported("cuCtxCreate_v4", "parameters of a context"); });
  return cuCtxCreate_v2(context, flags, device);
}

/// What a kernel's failure left behind ends with the context.
CUresult cuCtxDestroy_v2(CUcontext context) {
  return of_contexts([&](Contexts& contexts) {
    contexts.destroy(context);
    Process::instance().runtime().reset();
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return of_contexts([&](Contexts& contexts) { contexts.push(context); });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return of_contexts([&](Contexts& contexts) {
    const CUcontext popped = contexts.pop();
    if (context != nullptr) *context = popped;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return of_contexts([&](Contexts& contexts) { contexts.set_current(context); });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return of_contexts([&](Contexts& contexts) { required(context) = contexts.current(); });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return of_contexts([&](Contexts& contexts) {
    contexts.require_current();
    required(device) = 0;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return of_contexts([&](Contexts& contexts) {
    contexts.require_current();
    required(flags) = contexts.flags_of_current();
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return of_contexts([&](Contexts& contexts) {
    constexpr unsigned kOfContexts = 3020;  // of their first form that there still is
    if (context != nullptr)
      contexts.require(context);
    else
      contexts.require_current();
    required(version) = kOfContexts;
  });
}

CUresult cuCtxSynchronize() { return in_context(cudaDeviceSynchronize); }

// Of a context by its handle, from CUDA 13 on. All are of the one device, so the handle is not looked at: Numba calls
// these forms without one.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext) {
  return of_contexts([&](Contexts&) { required(device) = 0; });
}

CUresult cuCtxSynchronize_v2(CUcontext) { return after_init(cudaDeviceSynchronize); }

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return in_context([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return in_context([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

// Hints: the simulated machine's split of cache and shared memory is its description's.
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return on_device([&](Runtime&) { required(config) = CU_FUNC_CACHE_PREFER_NONE; });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return in_context([&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return on_device([&](Runtime&) { required(config) = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE; });
}

CUresult cuCtxResetPersistingL2Cache() {
  return in_context([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

}  // extern "C"

// CUDA Driver API, "Primary Context Management": of the context that the runtime API uses. From CUDA 11 on three of the
// calls have a second form, which does the same.
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    required(context) = Contexts::kPrimary;
    contexts.retain_primary();
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    contexts.release_primary();
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    contexts.reset_primary();
    Process::instance().runtime().reset();
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    required(flags) = contexts.primary_flags();
    required(active) = contexts.is_primary_active() ? 1 : 0;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return of_contexts([&](Contexts& contexts) {
    require_device(device);
    contexts.set_primary_flags(flags);
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

}  // extern "C"

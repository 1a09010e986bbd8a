// CUDA Driver API, "Module Management". A module's handle is its code image, a function's its kernel.
#include "cuda/driver/driver_call.h"
#include "cuda/driver/loadable_ptx.h"
#include "cuda/driver/loading.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

CUresult load_module(CUmodule* module, const char* call, const std::function<JitOptions()>& options,
                     const std::function<std::string()>& ptx) {
  return on_device([&](Runtime& runtime) {
    CUmodule& loaded = required(module);
    loaded = reinterpret_cast<CUmodule>(&load_code(runtime, call, options(), ptx));
  });
}

JitOptions none() { return {}; }

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return load_module(module, "cuModuleLoad", none, [&] { return loadable_ptx_of(&required(file)); });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_module(module, "cuModuleLoadData", none, [&] { return loadable_ptx(image); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned option_count, CUjit_option* options,
                            void** values) {
  return load_module(
      module, "cuModuleLoadDataEx", [&] { return JitOptions(option_count, options, values); },
      [&] { return loadable_ptx(image); });
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* binary) { return cuModuleLoadData(module, binary); }

CUresult cuModuleUnload(CUmodule module) {
  return on_device_by_name([&](Runtime& runtime) { unload(runtime, module); });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return on_device_by_name([&](Runtime& runtime) {
    RegisteredKernel* const kernel = runtime.registry().kernel_of(image_of(runtime, module), &required(name));
    require(kernel != nullptr, cudaErrorSymbolNotFound);
    runtime.registry().program(*kernel);  // throws if it cannot be executed
    required(function) = reinterpret_cast<CUfunction>(kernel);
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module, const char* name) {
  return on_device_by_name([&](Runtime& runtime) {
    const auto* const variable = runtime.registry().variable_of(image_of(runtime, module), &required(name));
    require(variable != nullptr, cudaErrorSymbolNotFound);
    if (pointer != nullptr) *pointer = variable->address;
    if (bytes != nullptr) *bytes = variable->bytes;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return after_init([&] { return call_of_process([&](Runtime&) { required(mode) = CU_MODULE_EAGER_LOADING; }); });
}

}  // extern "C"

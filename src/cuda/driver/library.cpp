// CUDA Driver API, "Library Management": a library is a module, and its kernels are functions.
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"
#include "cuda/driver/loadable_ptx.h"
#include "cuda/driver/loading.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Libraries need no context.
CUresult load_library(CUlibrary* library, const char* call, const std::function<JitOptions()>& options,
                      const std::function<std::string()>& ptx) {
  return after_init([&] {
    return call_of_process([&](Runtime& runtime) {
      CUlibrary& loaded = required(library);
      loaded = reinterpret_cast<CUlibrary>(&load_code(runtime, call, options(), ptx));
    });
  });
}

}  // namespace

extern "C" {

// Of the libraries' own options one is a hint, and the other about code for the host that NVIDIA's tools make.
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* options, void** values,
                           unsigned option_count, CUlibraryOption*, void**, unsigned) {
  return load_library(
      library, "cuLibraryLoadData", [&] { return JitOptions(option_count, options, values); },
      [&] { return loadable_ptx(image); });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                               unsigned option_count, CUlibraryOption*, void**, unsigned) {
  return load_library(
      library, "cuLibraryLoadFromFile", [&] { return JitOptions(option_count, options, values); },
      [&] { return loadable_ptx_of(&required(file)); });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return after_init([&] { return call_of_process([&](Runtime& runtime) { unload(runtime, library); }); });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return after_init([&] {
    return call_of_process([&](Runtime& runtime) {
      RegisteredKernel* const found = runtime.registry().kernel_of(image_of(runtime, library), &required(name));
      require(found != nullptr, cudaErrorSymbolNotFound);
      required(kernel) = reinterpret_cast<CUkernel>(found);
    });
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(module) = reinterpret_cast<CUmodule>(&image_of(runtime, library)); });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library, const char* name) {
  return cuModuleGetGlobal_v2(pointer, bytes, reinterpret_cast<CUmodule>(library), name);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(function) = reinterpret_cast<CUfunction>(&kernel_of(runtime, kernel)); });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value);
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel));
}

}  // extern "C"

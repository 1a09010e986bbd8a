// What compiler-generated code calls before main and at exit. NVIDIA documents none of it; the signatures are those
// that nvcc 11 to 13 and clang emit.
#include <cstdint>

#include "cuda/api/call.h"

using namespace warpfork::cuda;

namespace {

/// The handle that generated code keeps is a pointer to a pointer; it never looks inside.
struct ImageHandle {
  CodeImage* image = nullptr;  // null if the runtime could not start
};

CodeImage* image_of(void** handle) { return handle ? reinterpret_cast<ImageHandle*>(handle)->image : nullptr; }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  auto* handle = new ImageHandle;
  call_of_process([&](Runtime& runtime) { handle->image = &runtime.registry().add_image(wrapper); });
  return reinterpret_cast<void**>(handle);
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  if (CodeImage* image = image_of(handle))
    guarded_call([&](Process& process) {
      process.runtime().references().remove_image(*image);
      process.runtime().registry().remove_image(*image);
    });
  delete reinterpret_cast<ImageHandle*>(handle);
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  if (CodeImage* image = image_of(handle))
    call_of_process([&](Runtime& runtime) { runtime.registry().add_kernel(*image, host, name); });
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
  if (CodeImage* image = image_of(handle))
    call_of_process([&](Runtime& runtime) { runtime.registry().add_variable(*image, host, name); });
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t, int, int) {
  if (CodeImage* image = image_of(handle))
    call_of_process([&](Runtime& runtime) { runtime.registry().add_managed_variable(*image, host, name); });
}

/// Called before the first use of a managed variable: makes the host's pointers valid.
char __cudaInitModule(void** handle) {
  CodeImage* image = image_of(handle);
  if (!image) return 0;
  const cudaError_t error = dropped(call([&](Runtime& runtime) {
    if (image->managed.empty()) return;
    if (!runtime.memory().is_shared())
      throw ApiError(cudaErrorNotSupported,
                     "__managed__ variables are not available: the device's address range is taken in this process; "
                     "use __device__ variables and cudaMemcpyToSymbol");
    runtime.registry().place_managed_variables(*image);
  }));
  return error == cudaSuccess ? 1 : 0;
}

/// `reads_fractions`: the texture's type has cudaReadModeNormalizedFloat.
void __cudaRegisterTexture(void** handle, const textureReference* host, const void**, const char* name, int dimensions,
                           int reads_fractions, int) {
  if (CodeImage* image = image_of(handle))
    call_of_process([&](Runtime& runtime) {
      runtime.references().add_texture(*image, host, name, {dimensions, reads_fractions != 0});
    });
}

void __cudaRegisterSurface(void** handle, const surfaceReference* host, const void**, const char* name, int dimensions,
                           int) {
  if (CodeImage* image = image_of(handle))
    call_of_process([&](Runtime& runtime) { runtime.references().add_surface(*image, host, name, dimensions); });
}

void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}

}  // extern "C"

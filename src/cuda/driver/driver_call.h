// How every function of the driver API runs: by the runtime API's calls, their codes turned into the driver's.
#pragma once

#include <cuda.h>

#include <utility>

#include "cuda/api/call.h"

namespace warpfork::cuda::driver {

/// Most codes have one number in both; those that only the runtime has become the nearest of the driver's.
CUresult result_of(cudaError_t error);

/// What body(), a call of the runtime API, answers. cudaGetLastError does not hear of it, and it answers for no other
/// call.
template <typename Body>
CUresult answer_of(Body&& body) {
  const Contexts::DriverCall running;
  Process& process = Process::instance();
  const cudaError_t before = Process::last_error();
  const Process::Unnoticed unnoticed = process.unnoticed();
  const cudaError_t error = std::forward<Body>(body)();
  Process::last_error() = before;
  process.set_unnoticed(unnoticed);
  return result_of(error);
}

/// A call that may come after cuInit, or after the runtime API was used. It needs no context, or has a handle of
/// something that is of one: whatever that is, it is of the device.
template <typename Body>
CUresult after_init(Body&& body) {
  return answer_of([&] {
    const cudaError_t error = guarded_call([](Process& process) { process.contexts().require_initialised(); });
    return error == cudaSuccess ? std::forward<Body>(body)() : error;
  });
}

/// A call that needs a current context.
template <typename Body>
CUresult in_context(Body&& body) {
  return answer_of([&] {
    const cudaError_t error = guarded_call([](Process& process) { process.contexts().require_current(); });
    return error == cudaSuccess ? std::forward<Body>(body)() : error;
  });
}

/// A call on a stream: only the default streams are the current context's.
template <typename Body>
CUresult on_stream_of(CUstream stream, Body&& body) {
  const bool is_default = stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
  return is_default ? in_context(std::forward<Body>(body)) : after_init(std::forward<Body>(body));
}

/// A call on contexts: body(contexts) throws ApiError to fail. It works after the device was lost, too.
template <typename Body>
CUresult of_contexts(Body&& body) {
  return answer_of([&] {
    return guarded_call([&](Process& process) {
      process.contexts().require_initialised();
      std::forward<Body>(body)(process.contexts());
    });
  });
}

/// A call that needs a context and the device: body(runtime) throws ApiError to fail.
template <typename Body>
CUresult on_device(Body&& body) {
  return in_context([&] { return call(std::forward<Body>(body)); });
}

/// The same of something that a handle or an address names.
template <typename Body>
CUresult on_device_by_name(Body&& body) {
  return after_init([&] { return call(std::forward<Body>(body)); });
}

/// What `required` is for pointers is this for handles: names of what there is no more of are refused.
inline CodeImage& image_of(Runtime& runtime, const void* handle) {
  CodeImage* const image = runtime.registry().find_image(handle);
  require(image != nullptr, cudaErrorInvalidResourceHandle);
  return *image;
}

inline RegisteredKernel& kernel_of(Runtime& runtime, const void* handle) {
  RegisteredKernel* const kernel = runtime.registry().find_kernel(handle);
  require(kernel != nullptr, cudaErrorInvalidResourceHandle);
  return *kernel;
}

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace warpfork::cuda::driver

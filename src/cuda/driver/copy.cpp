// CUDA Driver API, "Memory Management": copies and fills.
#include "cuda/api/graph_operations.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

CUresult copy_now(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return in_context([&] { return cudaMemcpy(to, from, bytes, kind); });
}

CUresult copy_on(CUstream stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return on_stream_of(stream, [&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

/// `width` elements a row.
template <typename Element>
cudaMemsetParams filled(CUdeviceptr to, std::size_t pitch, Element value, std::size_t width, std::size_t height) {
  cudaMemsetParams parameters{};
  parameters.dst = pointer_of(to);
  parameters.pitch = pitch;
  parameters.value = value;
  parameters.elementSize = sizeof value;
  parameters.width = width;
  parameters.height = height;
  return parameters;
}

bool is_aligned(const cudaMemsetParams& parameters) {
  return reinterpret_cast<std::uintptr_t>(parameters.dst) % parameters.elementSize == 0;
}

CUresult fill_now(const cudaMemsetParams& parameters) {
  return in_context([&] { return is_aligned(parameters) ? fill_of(parameters).work() : cudaErrorInvalidValue; });
}

CUresult fill_on(CUstream stream, const cudaMemsetParams& parameters) {
  return on_stream_of(
      stream, [&] { return is_aligned(parameters) ? on_stream(stream, fill_of(parameters)) : cudaErrorInvalidValue; });
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_on(stream, pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy_now(pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy_on(stream, pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy_now(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_on(stream, to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_on(stream, pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t count) {
  return fill_now(filled(to, count, value, count, 1));
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t count) {
  return fill_now(filled(to, count * sizeof value, value, count, 1));
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t count) {
  return fill_now(filled(to, count * sizeof value, value, count, 1));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return fill_on(stream, filled(to, count, value, count, 1));
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
  return fill_on(stream, filled(to, count * sizeof value, value, count, 1));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  return fill_on(stream, filled(to, count * sizeof value, value, count, 1));
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height) {
  return fill_now(filled(to, pitch, value, width, height));
}

CUresult cuMemsetD2D16_v2(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                          std::size_t height) {
  return fill_now(filled(to, pitch, value, width, height));
}

CUresult cuMemsetD2D32_v2(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill_now(filled(to, pitch, value, width, height));
}

}  // extern "C"

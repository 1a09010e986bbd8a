// CUDA Runtime API, "Memory Management": copies and fills. The asynchronous calls end before they return.
#include "cuda/api/call.h"
#include "cuda/api/graph_operations.h"

using namespace warpfork::cuda;

namespace {

/// Device address of [offset, offset + bytes) of a variable.
void* symbol_range(Runtime& runtime, const void* symbol, std::size_t bytes, std::size_t offset) {
  const auto variable = runtime.registry().symbol(symbol);
  require(offset <= variable.bytes && bytes <= variable.bytes - offset, cudaErrorInvalidValue);
  return reinterpret_cast<void*>(variable.address + offset);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) { runtime.memory().copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(stream, copy_of_bytes(to, from, bytes, kind));
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return call([&](Runtime& runtime) {
    require_device(to_device);
    require_device(from_device);
    runtime.memory().copy(to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return on_stream(stream, copying([=] { return cudaMemcpyPeer(to, to_device, from, from_device, bytes); }));
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  return call(
      [&](Runtime& runtime) { runtime.memory().copy_rows(to, to_pitch, from, from_pitch, width, height, kind); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  parameters.dstPtr = {to, to_pitch, width, height};
  parameters.extent = {width, height, 1};
  parameters.kind = kind;
  return on_stream(
      stream, copying([=] { return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); }, parameters));
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require(kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyHostToHost, cudaErrorInvalidMemcpyDirection);
    runtime.memory().copy(symbol_range(runtime, symbol, bytes, offset), from, bytes, kind);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(stream, copying([=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); }));
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require(kind != cudaMemcpyHostToDevice && kind != cudaMemcpyHostToHost, cudaErrorInvalidMemcpyDirection);
    runtime.memory().copy(to, symbol_range(runtime, symbol, bytes, offset), bytes, kind);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(stream, copying([=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); }));
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return call([&](Runtime& runtime) { runtime.memory().fill(pointer, value, bytes); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return on_stream(stream, filling([=] { return cudaMemset(pointer, value, bytes); },
                                   cudaMemsetParams{pointer, 0, static_cast<unsigned>(value) & 0xff, 1, bytes, 1}));
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return call([&](Runtime& runtime) { runtime.memory().fill_rows(pointer, pitch, value, width, height); });
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return on_stream(stream,
                   filling([=] { return cudaMemset2D(pointer, pitch, value, width, height); },
                           cudaMemsetParams{pointer, pitch, static_cast<unsigned>(value) & 0xff, 1, width, height}));
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return call([&](Runtime& runtime) {
    for (std::size_t slice = 0; slice < extent.depth; ++slice)
      runtime.memory().fill_rows(static_cast<std::byte*>(memory.ptr) + slice * memory.ysize * memory.pitch,
                                 memory.pitch, value, extent.width, extent.height);
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return on_stream(stream, filling([=] { return cudaMemset3D(memory, value, extent); }));
}

}  // extern "C"

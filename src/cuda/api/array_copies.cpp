// CUDA Runtime API, "Memory Management": copies of boxes, and those whose one end at least is an array. The
// asynchronous calls end before they return.
#include "cuda/api/call.h"
#include "cuda/api/graph_operations.h"
#include "cuda/runtime/box_copy.h"
#include "cuda/runtime/enumeration.h"

using namespace warpfork::cuda;

namespace {

/// What the two-dimensional calls may be told; cudaMemcpy3D corrects it.
void require_side_of_memory(cudaMemcpyKind kind, cudaMemcpyKind on_host) {
  require(kind == on_host || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection);
}

/// Rows of pitched memory, which the device or the host has.
BoxEnd rows_at(const void* memory, std::size_t pitch) {
  return {cudaPitchedPtr{const_cast<void*>(memory), pitch, pitch, 0}, {0, 0, 0}};
}

BoxEnd place_in(Runtime& runtime, cudaArray_const_t array, std::size_t x, std::size_t y) {
  return {runtime.arrays().find(array), {x, y, 0}};
}

/// One side of a box in elements, which are bytes unless an array takes part.
struct BoxSide {
  cudaArray_t array;
  const cudaPitchedPtr& memory;
  const cudaPos& at;

  const CudaArray* find(Runtime& runtime) const {
    require(array == nullptr || memory.ptr == nullptr, cudaErrorInvalidValue);
    return array == nullptr ? nullptr : &runtime.arrays().find(array);
  }
};

/// Of so many elements of an array. No array is as wide as what would overflow.
std::size_t bytes_in(const CudaArray& array, std::size_t elements) {
  require(elements <= array.extent.width, cudaErrorInvalidValue);
  return elements * array.format.bytes();
}

/// Positions in memory are in bytes whatever the other side is.
BoxEnd end_of(const BoxSide& side, const CudaArray* array) {
  if (array == nullptr) return {side.memory, side.at};
  return {*array, {bytes_in(*array, side.at.x), side.at.y, side.at.z}};
}

void copy_3d(Runtime& runtime, const cudaMemcpy3DParms& copy) {
  const BoxSide to{copy.dstArray, copy.dstPtr, copy.dstPos}, from{copy.srcArray, copy.srcPtr, copy.srcPos};
  const CudaArray* to_array = to.find(runtime);
  const CudaArray* from_array = from.find(runtime);
  const CudaArray* array = to_array != nullptr ? to_array : from_array;
  if (to_array != nullptr && from_array != nullptr)
    require(to_array->format.bytes() == from_array->format.bytes(), cudaErrorInvalidValue);
  require(number_in(copy.kind) >= cudaMemcpyHostToHost && number_in(copy.kind) <= cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection);
  cudaExtent box = copy.extent;
  if (array != nullptr) box.width = bytes_in(*array, box.width);
  copy_box(runtime.memory(), end_of(to, to_array), end_of(from, from_array), box, copy.kind);
}

cudaMemcpy3DParms without_devices(const cudaMemcpy3DPeerParms& copy) {
  require_device(copy.srcDevice);
  require_device(copy.dstDevice);
  return {copy.srcArray, copy.srcPos, copy.srcPtr, copy.dstArray,
          copy.dstPos,   copy.dstPtr, copy.extent, cudaMemcpyDeviceToDevice};
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return call([&](Runtime& runtime) { copy_3d(runtime, required(parameters)); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  cudaMemcpy3DParms copy{};
  const cudaError_t error = call([&](Runtime&) { copy = required(parameters); });
  return error != cudaSuccess ? error : on_stream(stream, copy_of(copy));
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return call([&](Runtime& runtime) { copy_3d(runtime, without_devices(required(parameters))); });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  cudaMemcpy3DParms copy{};
  const cudaError_t error = call([&](Runtime&) { copy = without_devices(required(parameters)); });
  return error != cudaSuccess ? error : on_stream(stream, copy_of(copy));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyHostToDevice);
    copy_box(runtime.memory(), place_in(runtime, to, to_x, to_y), rows_at(from, from_pitch), {width, height, 1}, kind);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return on_stream(stream,
                   copying([=] { return cudaMemcpy2DToArray(to, to_x, to_y, from, from_pitch, width, height, kind); }));
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t from_x,
                                  std::size_t from_y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyDeviceToHost);
    copy_box(runtime.memory(), rows_at(to, to_pitch), place_in(runtime, from, from_x, from_y), {width, height, 1},
             kind);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t from_x,
                                       std::size_t from_y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return on_stream(
      stream, copying([=] { return cudaMemcpy2DFromArray(to, to_pitch, from, from_x, from_y, width, height, kind); }));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                     std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyDeviceToDevice);
    copy_box(runtime.memory(), place_in(runtime, to, to_x, to_y), place_in(runtime, from, from_x, from_y),
             {width, height, 1}, kind);
  });
}

// Bytes in the order of rows: CUDA 10 deprecated these.
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyHostToDevice);
    copy_run(runtime.memory(), place_in(runtime, to, to_x, to_y), BoxEnd(from), bytes, kind);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(stream, copying([=] { return cudaMemcpyToArray(to, to_x, to_y, from, bytes, kind); }));
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyDeviceToHost);
    copy_run(runtime.memory(), BoxEnd(to), place_in(runtime, from, from_x, from_y), bytes, kind);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(stream, copying([=] { return cudaMemcpyFromArray(to, from, from_x, from_y, bytes, kind); }));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t from_x, std::size_t from_y, std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    require_side_of_memory(kind, cudaMemcpyDeviceToDevice);
    copy_run(runtime.memory(), place_in(runtime, to, to_x, to_y), place_in(runtime, from, from_x, from_y), bytes, kind);
  });
}

}  // extern "C"

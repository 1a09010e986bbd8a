// CUDA Driver API, "Memory Management": copies of rows and boxes, between host, device and arrays.
#include <cstring>

#include "cuda/api/graph_operations.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/image_handles.h"
#include "cuda/runtime/box_copy.h"
#include "cuda/runtime/enumeration.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// One side of a copy, as the structures of both dimensions say it.
struct BoxPlace {
  int type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  cudaPos at;
  std::size_t pitch, rows;
};

BoxPlace source_of(const CUDA_MEMCPY3D& copy) {
  return {number_in(copy.srcMemoryType),
          copy.srcHost,
          copy.srcDevice,
          copy.srcArray,
          {copy.srcXInBytes, copy.srcY, copy.srcZ},
          copy.srcPitch,
          copy.srcHeight};
}

BoxPlace target_of(const CUDA_MEMCPY3D& copy) {
  return {number_in(copy.dstMemoryType),
          copy.dstHost,
          copy.dstDevice,
          copy.dstArray,
          {copy.dstXInBytes, copy.dstY, copy.dstZ},
          copy.dstPitch,
          copy.dstHeight};
}

/// Memory without a pitch has rows, and without a height slices, that follow each other without a gap.
BoxEnd end_of_box(Runtime& runtime, const BoxPlace& place, const cudaExtent& box) {
  if (place.type == CU_MEMORYTYPE_ARRAY) return {runtime.arrays().find(array_of_runtime(place.array)), place.at};
  const bool is_on_host = place.type == CU_MEMORYTYPE_HOST;
  require(is_on_host || place.type == CU_MEMORYTYPE_DEVICE || place.type == CU_MEMORYTYPE_UNIFIED,
          cudaErrorInvalidValue);
  const std::size_t least = place.at.x + box.width, pitch = place.pitch == 0 ? least : place.pitch;
  const std::size_t rows = place.rows == 0 ? place.at.y + box.height : place.rows;
  require(least <= pitch, cudaErrorInvalidValue);
  require(box.depth <= 1 || (place.at.y <= rows && box.height <= rows - place.at.y), cudaErrorInvalidValue);
  void* const memory = is_on_host ? const_cast<void*>(place.host) : pointer_of(place.device);
  return {cudaPitchedPtr{memory, pitch, pitch, rows}, place.at};
}

/// As the addresses say where memory is unified; arrays are the device's.
cudaMemcpyKind direction_of(const BoxPlace& from, const BoxPlace& to) {
  if (from.type == CU_MEMORYTYPE_UNIFIED || to.type == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from.type == CU_MEMORYTYPE_HOST)
    return to.type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to.type == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

cudaError_t copy_now(const CUDA_MEMCPY3D& copy) {
  return call([&](Runtime& runtime) {
    require(copy.srcLOD == 0 && copy.dstLOD == 0, cudaErrorInvalidValue);
    const BoxPlace from = source_of(copy), to = target_of(copy);
    const cudaExtent box{copy.WidthInBytes, copy.Height, copy.Depth};
    copy_box(runtime.memory(), end_of_box(runtime, to, box), end_of_box(runtime, from, box), box,
             direction_of(from, to));
  });
}

CUresult copy_boxes(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return in_context([&] {
    if (copy == nullptr) return cudaErrorInvalidValue;
    return on_stream(stream, copying([kept = *copy] { return copy_now(kept); }));
  });
}

CUresult copy_rows(const CUDA_MEMCPY2D* copy, CUstream stream) {
  if (copy == nullptr) return copy_boxes(nullptr, stream);
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = copy->srcXInBytes, box.srcY = copy->srcY;
  std::memcpy(&box.srcMemoryType, &copy->srcMemoryType, sizeof box.srcMemoryType);
  box.srcHost = copy->srcHost, box.srcDevice = copy->srcDevice, box.srcArray = copy->srcArray;
  box.srcPitch = copy->srcPitch;
  box.dstXInBytes = copy->dstXInBytes, box.dstY = copy->dstY;
  std::memcpy(&box.dstMemoryType, &copy->dstMemoryType, sizeof box.dstMemoryType);
  box.dstHost = copy->dstHost, box.dstDevice = copy->dstDevice, box.dstArray = copy->dstArray;
  box.dstPitch = copy->dstPitch;
  box.WidthInBytes = copy->WidthInBytes, box.Height = copy->Height, box.Depth = 1;
  return copy_boxes(&box, stream);
}

/// Bytes of an array of one dimension, from an offset on.
BoxEnd bytes_of(Runtime& runtime, CUarray array, std::size_t offset) {
  return {runtime.arrays().find(array_of_runtime(array)), {offset, 0, 0}};
}

CUresult copy_bytes(CUarray to, std::size_t offset, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return on_device(
      [&](Runtime& runtime) { copy_run(runtime.memory(), bytes_of(runtime, to, offset), BoxEnd(from), bytes, kind); });
}

CUresult copy_bytes(void* to, CUarray from, std::size_t offset, std::size_t bytes, cudaMemcpyKind kind) {
  return on_device(
      [&](Runtime& runtime) { copy_run(runtime.memory(), BoxEnd(to), bytes_of(runtime, from, offset), bytes, kind); });
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_rows(copy, nullptr); }
/// Of rows that a device would copy slowly.
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) { return copy_rows(copy, nullptr); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) { return copy_rows(copy, stream); }
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_boxes(copy, nullptr); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) { return copy_boxes(copy, stream); }

CUresult cuMemcpyHtoA_v2(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  return copy_bytes(to, offset, from, bytes, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyAtoH_v2(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_bytes(to, from, offset, bytes, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoA_v2(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  return copy_bytes(to, offset, pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_bytes(pointer_of(to), from, offset, bytes, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoA_v2(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return on_device([&](Runtime& runtime) {
    copy_run(runtime.memory(), bytes_of(runtime, to, to_offset), bytes_of(runtime, from, from_offset), bytes,
             cudaMemcpyDeviceToDevice);
  });
}

}  // extern "C"

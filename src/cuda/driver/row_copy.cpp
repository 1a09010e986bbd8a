// CUDA Driver API, "Memory Management": copies of rows, between host and device. Those of arrays are refused.
#include "cuda/driver/driver_call.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Where the first row of a copy lies at one of its ends, and how far the next is.
struct RowsEnd {
  std::byte* first = nullptr;
  std::size_t pitch = 0;
};

RowsEnd rows_of(const void* host, CUdeviceptr device, CUmemorytype type, std::size_t x, std::size_t y,
                std::size_t pitch, std::size_t width) {
  const bool is_on_host = type == CU_MEMORYTYPE_HOST;
  require(is_on_host || type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED, cudaErrorInvalidValue);
  if (pitch == 0) pitch = x + width;  // of rows without a gap
  require(x + width <= pitch, cudaErrorInvalidValue);
  auto* const base = static_cast<std::byte*>(is_on_host ? const_cast<void*>(host) : pointer_of(device));
  return {base + y * pitch + x, pitch};
}

/// As the addresses say where memory is unified.
cudaMemcpyKind kind_of(const CUDA_MEMCPY2D& copy) {
  if (copy.srcMemoryType == CU_MEMORYTYPE_UNIFIED || copy.dstMemoryType == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (copy.srcMemoryType == CU_MEMORYTYPE_HOST)
    return copy.dstMemoryType == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return copy.dstMemoryType == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

CUresult copy_rows(const CUDA_MEMCPY2D* copy, CUstream stream, const char* call_name) {
  RowsEnd to, from;
  if (copy != nullptr && (copy->srcMemoryType == CU_MEMORYTYPE_ARRAY || copy->dstMemoryType == CU_MEMORYTYPE_ARRAY))
    return in_context([&] { return not_supported(call_name, "copies of arrays"); });
  const CUresult error = on_device([&](Runtime&) {
    const CUDA_MEMCPY2D& c = required(copy);
    from = rows_of(c.srcHost, c.srcDevice, c.srcMemoryType, c.srcXInBytes, c.srcY, c.srcPitch, c.WidthInBytes);
    to = rows_of(c.dstHost, c.dstDevice, c.dstMemoryType, c.dstXInBytes, c.dstY, c.dstPitch, c.WidthInBytes);
  });
  if (error != CUDA_SUCCESS) return error;
  return in_context([&] {
    return cudaMemcpy2DAsync(to.first, to.pitch, from.first, from.pitch, copy->WidthInBytes, copy->Height,
                             kind_of(*copy), stream);
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_rows(copy, nullptr, "cuMemcpy2D_v2"); }

/// Of rows that a device would copy slowly.
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_rows(copy, nullptr, "cuMemcpy2DUnaligned_v2");
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_rows(copy, stream, "cuMemcpy2DAsync_v2");
}

}  // extern "C"

// CUDA Driver API, "Memory Management": allocations, and "Unified Addressing".
#include "cuda/api/memory_hints.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Gives the program the pointer that get(&pointer), a call of the runtime API, gives.
template <typename Get>
CUresult pointer_from(CUdeviceptr* pointer, Get&& get) {
  return in_context([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    void* got = nullptr;
    const cudaError_t error = get(&got);
    if (error == cudaSuccess) *pointer = reinterpret_cast<CUdeviceptr>(got);
    return error;
  });
}

/// The same of an allocation, which must not be of nothing.
template <typename Allocate>
CUresult allocation(CUdeviceptr* pointer, std::size_t bytes, Allocate&& allocate) {
  return pointer_from(pointer,
                      [&](void** allocated) { return bytes == 0 ? cudaErrorInvalidValue : allocate(allocated); });
}

/// The value of an attribute of memory that the device knows.
void write_attribute(Runtime& runtime, void* value, CUpointer_attribute attribute, void* pointer) {
  const cudaMemoryType type = runtime.type_of(pointer);
  require(type != cudaMemoryTypeUnregistered, cudaErrorInvalidValue);
  const auto range = runtime.memory().range_of(pointer);
  void* const on_host = runtime.memory().host_pointer(pointer);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(value) = Process::instance().contexts().current();
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<void**>(value) =
          type == cudaMemoryTypeHost ? runtime.memory().known_device_pointer(on_host) : pointer;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      require(type != cudaMemoryTypeDevice, cudaErrorInvalidValue);
      *static_cast<void**>(value) = on_host;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(value) = type == cudaMemoryTypeManaged;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = 0;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      require(range.bytes != 0, cudaErrorInvalidValue);
      *static_cast<CUdeviceptr*>(value) = range.begin;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      require(range.bytes != 0, cudaErrorInvalidValue);
      *static_cast<std::size_t*>(value) = range.bytes;
      break;
    default:
      Process::instance().report_unsupported("cuPointerGetAttribute", "attribute " + std::to_string(attribute));
      throw ApiError(cudaErrorNotSupported);
  }
}

}  // namespace

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t bytes) {
  return allocation(pointer, bytes, [&](void** allocated) { return cudaMalloc(allocated, bytes); });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            unsigned element_bytes) {
  return allocation(pointer, width * height, [&](void** allocated) {
    const bool is_known = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    return is_known && pitch != nullptr ? cudaMallocPitch(allocated, pitch, width, height) : cudaErrorInvalidValue;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned flags) {
  return allocation(pointer, bytes, [&](void** allocated) { return cudaMallocManaged(allocated, bytes, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t bytes, CUstream stream) {
  return allocation(pointer, bytes, [&](void** allocated) { return cudaMallocAsync(allocated, bytes, stream); });
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return after_init([&] { return cudaFree(pointer_of(pointer)); });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return on_stream_of(stream, [&] { return cudaFreeAsync(pointer_of(pointer), stream); });
}

CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return in_context([&] { return bytes == 0 ? cudaErrorInvalidValue : cudaHostAlloc(pointer, bytes, flags); });
}

CUresult cuMemAllocHost_v2(void** pointer, std::size_t bytes) { return cuMemHostAlloc(pointer, bytes, 0); }

CUresult cuMemFreeHost(void* pointer) {
  return after_init([&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  return in_context([&] { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return after_init([&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* pointer, unsigned flags) {
  return pointer_from(device, [&](void** found) { return cudaHostGetDevicePointer(found, pointer, flags); });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return after_init([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return in_context([&] { return cudaMemGetInfo(free, total); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
  return on_device_by_name([&](Runtime& runtime) {
    const auto range = runtime.memory().range_of(pointer_of(pointer));
    require(range.bytes != 0, cudaErrorSymbolNotFound);
    if (base != nullptr) *base = range.begin;
    if (bytes != nullptr) *bytes = range.bytes;
  });
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return on_device_by_name([&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    write_attribute(runtime, value, attribute, pointer_of(pointer));
  });
}

CUresult cuMemAdvise(CUdeviceptr memory, std::size_t bytes, int advice, CUdevice device) {
  return on_device([&](Runtime& runtime) { advise(runtime, pointer_of(memory), bytes, advice, device); });
}

CUresult cuMemAdvise_v2(CUdeviceptr memory, std::size_t bytes, int advice, cuuint64_t location) {
  return on_device([&](Runtime& runtime) { advise_of_location(runtime, pointer_of(memory), bytes, advice, location); });
}

CUresult cuMemPrefetchAsync(CUdeviceptr memory, std::size_t bytes, CUdevice device, CUstream stream) {
  return on_device([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    prefetch(runtime, pointer_of(memory), bytes, device);
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr memory, std::size_t bytes, cuuint64_t location, unsigned, CUstream stream) {
  return on_device([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    prefetch(runtime, pointer_of(memory), bytes, device_of_location(location));
  });
}

CUresult cuMemRangeGetAttribute(void* data, std::size_t bytes, int attribute, CUdeviceptr memory, std::size_t count) {
  return in_context([&] {
    return cudaMemRangeGetAttribute(data, bytes, static_cast<cudaMemRangeAttribute>(attribute), pointer_of(memory),
                                    count);
  });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr memory, std::size_t bytes, unsigned flags) {
  return in_context([&] { return cudaStreamAttachMemAsync(stream, pointer_of(memory), bytes, flags); });
}

}  // extern "C"

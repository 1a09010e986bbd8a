// CUDA Runtime API, "Memory Management": allocations.
#include <cstring>

#include "cuda/api/call.h"

using namespace warpfork::cuda;

namespace {

/// Rows of cudaMallocPitch start at multiples of this (as on Fermi and later).
constexpr std::size_t kPitchAlignment = 512;
/// cudaHostRegisterPortable, …Mapped, …IoMemory and …ReadOnly.
constexpr unsigned kRegistrationFlags = 0xf;

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return call([&](Runtime& runtime) { required(pointer) = runtime.memory().allocate(bytes); });
}

cudaError_t cudaFree(void* pointer) {
  return call([&](Runtime& runtime) {
    if (GraphMemory& of_graphs = runtime.graphs().memory(); of_graphs.holds(pointer)) return of_graphs.free(pointer);
    runtime.memory().free(pointer);
    runtime.pools().freed(pointer);
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined);
    required(pointer) = runtime.memory().allocate_host(bytes, flags | cudaHostAllocMapped);
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
  return call([&](Runtime& runtime) { runtime.memory().free_host(pointer); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return call([&](Runtime& runtime) {
    void*& found = required(device);
    found = runtime.memory().device_pointer(host);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&](Runtime& runtime) { required(flags) = runtime.memory().host_flags(host); });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return call([&](Runtime& runtime) {
    require_flags(flags, kRegistrationFlags);
    runtime.memory().register_host(pointer, bytes, flags);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call([&](Runtime& runtime) { runtime.memory().unregister_host(pointer); });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return call([&](Runtime& runtime) {
    require(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue);
    required(pointer) = runtime.memory().allocate(bytes, cudaMemoryTypeManaged);
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return call([&](Runtime& runtime) {
    const std::size_t row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    require(height == 0 || row <= runtime.memory().capacity_bytes() / height, cudaErrorMemoryAllocation);
    required(pointer) = runtime.memory().allocate(row * height);
    required(pitch) = row;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  const cudaError_t error = cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
  if (error != cudaSuccess) return error;
  return call([&](Runtime&) { required(pointer) = {memory, pitch, extent.width, extent.height}; });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call([&](Runtime& runtime) {
    if (free != nullptr) *free = runtime.memory().free_bytes();
    if (total != nullptr) *total = runtime.memory().capacity_bytes();
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call_of_process([&](Runtime& runtime) {
    const cudaMemoryType type = runtime.type_of(pointer);
    void* const address = const_cast<void*>(pointer);
    void* const on_host = runtime.memory().host_pointer(address);
    void* on_device = type == cudaMemoryTypeUnregistered ? nullptr : address;
    if (type == cudaMemoryTypeHost) on_device = runtime.memory().known_device_pointer(on_host);
    required(attributes) = {type, 0, on_device, type == cudaMemoryTypeDevice ? nullptr : on_host};
  });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call([&](Runtime& runtime) {
    required(pointer) = reinterpret_cast<void*>(runtime.registry().symbol(symbol).address);
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return call([&](Runtime& runtime) { required(bytes) = runtime.registry().symbol(symbol).bytes; });
}

}  // extern "C"

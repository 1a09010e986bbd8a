// CUDA Runtime API, "Stream Ordered Memory Allocator".
#include "cuda/api/call.h"
#include "cuda/api/graph_memory_nodes.h"
#include "cuda/runtime/enumeration.h"

using namespace warpfork::cuda;

namespace {

void* allocate(Runtime& runtime, std::size_t bytes, cudaMemPool_t pool) {
  void* const pointer = runtime.memory().allocate(bytes);
  runtime.pools().allocated(pool, pointer, bytes);
  return pointer;
}

/// In a stream that is being captured, a node that will.
void allocate_on(Runtime& runtime, cudaStream_t stream, void** pointer, std::size_t bytes, cudaMemPool_t pool) {
  runtime.timeline().stream(stream);
  runtime.pools().require(pool);
  void*& allocated = required(pointer);
  if (runtime.captures().is_capturing(stream))
    runtime.captures().add(stream, allocation_of(runtime, allocated, bytes));
  else
    allocated = allocate(runtime, bytes, pool);
}

}  // namespace

extern "C" {

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return call([&](Runtime& runtime) { allocate_on(runtime, stream, pointer, bytes, pool); });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call([&](Runtime& runtime) { allocate_on(runtime, stream, pointer, bytes, runtime.pools().current()); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  bool is_captured = false;
  const cudaError_t error = call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    is_captured = runtime.captures().is_capturing(stream);
    if (is_captured) runtime.captures().add(stream, freeing_of(runtime, pointer));
  });
  return error == cudaSuccess && !is_captured ? cudaFree(pointer) : error;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&](Runtime& runtime) {
    require_device(device);
    required(pool) = runtime.pools().default_pool();
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&](Runtime& runtime) {
    require_device(device);
    required(pool) = runtime.pools().current();
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](Runtime& runtime) {
    require_device(device);
    runtime.pools().set_current(pool);
  });
}

/// Only pools of the device's memory: what else the structure says differs from release to release.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&](Runtime& runtime) {
    const cudaMemPoolProps& asked = required(properties);
    require(number_in(asked.allocType) == cudaMemAllocationTypePinned &&
                number_in(asked.handleTypes) == cudaMemHandleTypeNone &&
                number_in(asked.location.type) == cudaMemLocationTypeDevice,
            cudaErrorNotSupported);
    require_device(asked.location.id);
    required(pool) = runtime.pools().create();
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&](Runtime& runtime) { runtime.pools().destroy(pool); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return call([&](Runtime& runtime) { runtime.pools().require(pool); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    const std::uint64_t number = MemoryPools::is_wide(attribute) ? *static_cast<const std::uint64_t*>(value)
                                                                 : *static_cast<const unsigned*>(value);
    runtime.pools().set_attribute(pool, attribute, number);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    const std::uint64_t number = runtime.pools().attribute(pool, attribute);
    if (MemoryPools::is_wide(attribute))
      *static_cast<std::uint64_t*>(value) = number;
    else
      *static_cast<int*>(value) = static_cast<int>(number);
  });
}

// The only device may read and write.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, std::size_t count) {
  return call([&](Runtime& runtime) {
    runtime.pools().require(pool);
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemAccessDesc& asked = (&required(descriptions))[i];
      require_device(asked.location.id);
      require(number_in(asked.flags) == cudaMemAccessFlagsProtReadWrite, cudaErrorInvalidValue);
    }
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return call([&](Runtime& runtime) {
    runtime.pools().require(pool);
    require_device(required(location).id);
    required(flags) = cudaMemAccessFlagsProtReadWrite;
  });
}

}  // extern "C"

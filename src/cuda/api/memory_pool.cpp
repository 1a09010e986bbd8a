// CUDA Runtime API, "Stream Ordered Memory Allocator".
#include "cuda/api/call.h"

using namespace warpfork::cuda;

namespace {

/// An allocation in the order of a stream. In a graph, which would own the memory, there is none.
template <typename Work>
cudaError_t allocation_on(cudaStream_t stream, const char* name, Work&& work) {
  bool is_captured = false;
  const cudaError_t error = call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    is_captured = runtime.captures().is_capturing(stream);
    if (!is_captured) work(runtime);
  });
  return is_captured ? not_supported(name, "in a stream that is being captured") : error;
}

void allocate(Runtime& runtime, void** pointer, std::size_t bytes, cudaMemPool_t pool) {
  runtime.pools().require(pool);
  required(pointer) = runtime.memory().allocate(bytes);
  runtime.pools().allocated(pool, *pointer, bytes);
}

}  // namespace

extern "C" {

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return allocation_on(stream, "cudaMallocFromPoolAsync",
                       [&](Runtime& runtime) { allocate(runtime, pointer, bytes, pool); });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return allocation_on(stream, "cudaMallocAsync",
                       [&](Runtime& runtime) { allocate(runtime, pointer, bytes, runtime.pools().current()); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return allocation_on(stream, "cudaFreeAsync", [&](Runtime& runtime) {
    runtime.memory().free(pointer);
    runtime.pools().freed(pointer);
  });
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
    require(asked.allocType == cudaMemAllocationTypePinned && asked.handleTypes == cudaMemHandleTypeNone &&
                asked.location.type == cudaMemLocationTypeDevice,
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
      require(asked.flags == cudaMemAccessFlagsProtReadWrite, cudaErrorInvalidValue);
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

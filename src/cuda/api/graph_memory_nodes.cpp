// CUDA Runtime API, "Graph Management": nodes that allocate and free memory.
#include "cuda/api/graph_memory_nodes.h"

#include "cuda/api/graph_nodes.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda {

GraphOperation allocation_of(Runtime& runtime, void*& pointer, std::size_t bytes) {
  require(bytes != 0, cudaErrorInvalidValue);
  pointer = runtime.memory().allocate(bytes, cudaMemoryTypeDevice, "cudaMallocAsync of a graph");
  const std::shared_ptr<void> memory = runtime.graphs().memory().reserve(runtime.memory(), pointer, bytes);
  const auto allocate = [pointer = memory.get()] {
    return call([&](Runtime& launching) { launching.graphs().memory().allocate(pointer); });
  };
  return {cudaGraphNodeTypeMemAlloc, allocate, {}, {}, memory};
}

GraphOperation allocation_of(Runtime& runtime, cudaMemAllocNodeParams& parameters) {
  const cudaMemPoolProps& pool = parameters.poolProps;
  require(number_in(pool.allocType) == cudaMemAllocationTypePinned &&
              number_in(pool.location.type) == cudaMemLocationTypeDevice && pool.location.id == 0,
          cudaErrorInvalidValue);
  return allocation_of(runtime, parameters.dptr, parameters.bytesize);
}

GraphOperation freeing_of(Runtime& runtime, void* pointer) {
  require(runtime.graphs().memory().holds(pointer), cudaErrorInvalidValue);
  const auto free = [pointer] { return call([&](Runtime& launching) { launching.graphs().memory().free(pointer); }); };
  return {cudaGraphNodeTypeMemFree, free, {}};
}

GraphOperation freeing_what_is_left(const std::vector<Graphs::Step>& steps) {
  std::vector<std::shared_ptr<void>> memory;
  for (const Graphs::Step& step : steps)
    if (step.operation.memory != nullptr) memory.push_back(step.operation.memory);
  const auto free = [memory = std::move(memory)] {
    return call([&](Runtime& launching) {
      for (const std::shared_ptr<void>& left : memory) launching.graphs().memory().free_left(left.get());
    });
  };
  return {cudaGraphNodeTypeMemFree, free, {}};
}

}  // namespace warpfork::cuda

using namespace warpfork::cuda;

namespace {

bool is_most(int attribute) {
  return attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
}

MemoryUse& use_of(Runtime& runtime, int attribute) {
  GraphMemory& memory = runtime.graphs().memory();
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrUsedMemHigh:
      return memory.allocated();
    case cudaGraphMemAttrReservedMemCurrent:
    case cudaGraphMemAttrReservedMemHigh:
      return memory.reserved();
    default:
      throw ApiError(cudaErrorInvalidValue);
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
  return add_node(node, graph, dependencies, count,
                  [=](Runtime& runtime) { return allocation_of(runtime, required(parameters)); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    std::size_t count, void* pointer) {
  return add_node(node, graph, dependencies, count, [=](Runtime& runtime) { return freeing_of(runtime, pointer); });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return call([&](Runtime& runtime) {
    require_device(device);
    const MemoryUse& use = use_of(runtime, number_in(attribute));
    required(static_cast<std::uint64_t*>(value)) = is_most(number_in(attribute)) ? use.most : use.bytes;
  });
}

/// The most that there was can be set to 0 alone, and is then what there is.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return call([&](Runtime& runtime) {
    require_device(device);
    MemoryUse& use = use_of(runtime, number_in(attribute));
    require(is_most(number_in(attribute)) && required(static_cast<std::uint64_t*>(value)) == 0, cudaErrorInvalidValue);
    use.forget_most();
  });
}

/// What no node allocates any more has gone back already.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&](Runtime&) { require_device(device); });
}

}  // extern "C"

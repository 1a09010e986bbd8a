// CUDA Runtime API, "Graph Management": nodes of all types by one call, whose structure says which.
#include "cuda/api/embedding.h"
#include "cuda/api/graph_memory_nodes.h"
#include "cuda/api/graph_nodes.h"
#include "cuda/runtime/enumeration.h"

using namespace warpfork::cuda;

namespace {

/// A node has a child graph as it is when the node is made: the child's handle stays the program's.
void require_clone(const cudaChildGraphNodeParams& child) {
  const int ownership = number_in(child.ownership);
  if (ownership == cudaGraphChildGraphOwnershipMove)
    throw ApiError(cudaErrorNotSupported,
                   "child graphs that their parents own (cudaGraphChildGraphOwnershipMove) are not supported; "
                   "cudaGraphChildGraphOwnershipClone is");
  require(ownership == cudaGraphChildGraphOwnershipClone, cudaErrorInvalidValue);
}

/// For a node of `owner`, a graph or an executable one. Of memory to be allocated it tells the address.
GraphOperation operation_of(Runtime& runtime, cudaGraphNodeParams& parameters, const void* owner) {
  const int type = number_in(parameters.type);
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return launch_of(runtime, parameters.kernel);
    case cudaGraphNodeTypeMemcpy:
      return copy_of(parameters.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return fill_of(parameters.memset);
    case cudaGraphNodeTypeHost:
      return host_call_of(parameters.host);
    case cudaGraphNodeTypeGraph:
      require_clone(parameters.graph);
      return child_of(runtime, parameters.graph.graph, owner);
    case cudaGraphNodeTypeEmpty:
      return {};
    case cudaGraphNodeTypeWaitEvent:
      runtime.timeline().require_event(parameters.eventWait.event);
      return waiting_for(parameters.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      runtime.timeline().require_event(parameters.eventRecord.event);
      return recording_of(parameters.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return allocation_of(runtime, parameters.alloc);
    case cudaGraphNodeTypeMemFree:
      return freeing_of(runtime, parameters.free.dptr);
    default:
      throw ApiError(
          cudaErrorNotSupported,
          fmt::format("nodes of graphs of cudaGraphNodeType {} (semaphores, conditions) are not supported", type));
  }
}

auto one_of(cudaGraphNodeParams* parameters, const void* owner) {
  return [=](Runtime& runtime) { return operation_of(runtime, required(parameters), owner); };
}

}  // namespace

extern "C" {

/// Every dependency is a whole one, whatever is said of the edges.
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                const void*, std::size_t count, cudaGraphNodeParams* parameters) {
  return add_node(node, graph, dependencies, count, one_of(parameters, graph));
}

/// Programs of CUDA 12 pass number and structure where those of 13 pass something about the edges, number and
/// structure.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             std::size_t count_or_edges, void* parameters_or_count, cudaGraphNodeParams* parameters) {
  if (kEmbedding.runtime_version >= kFirstVersionWithEdges)
    return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, reinterpret_cast<std::size_t>(parameters_or_count),
                               parameters);
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count_or_edges,
                             static_cast<cudaGraphNodeParams*>(parameters_or_count));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return set_node(node, [=](Runtime& runtime) {
    return operation_of(runtime, required(parameters), runtime.graphs().graph(node));
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return set_node(executable, node, one_of(parameters, executable));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraph_t child) {
  return set_node(executable, node, [=](Runtime& runtime) { return child_of(runtime, child, executable); });
}

}  // extern "C"

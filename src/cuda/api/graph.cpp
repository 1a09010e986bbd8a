// CUDA Runtime API, "Graph Management".
#include <algorithm>
#include <span>

#include "cuda/api/call.h"
#include "cuda/api/embedding.h"
#include "cuda/api/graph_operations.h"

using namespace warpfork::cuda;

namespace {

constexpr int kFirstVersionWithResultInfo = 12000;

/// Adds the node that operation(runtime) gives.
template <typename Operation>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t count,
                Operation&& operation) {
  return call([&](Runtime& runtime) {
    require(count == 0 || dependencies != nullptr, cudaErrorInvalidValue);
    required(node) = runtime.graphs().add(graph, {dependencies, count}, operation(runtime));
  });
}

/// Of a node of this type, in a graph or in an executable one.
void change(GraphOperation& operation, GraphOperation changed) {
  require(operation.type == changed.type, cudaErrorInvalidValue);
  operation = std::move(changed);
}

template <typename Operation>
cudaError_t set(cudaGraphNode_t node, Operation&& operation) {
  return call([&](Runtime& runtime) { change(runtime.graphs().operation(node), operation(runtime)); });
}

template <typename Operation>
cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, Operation&& operation) {
  return call([&](Runtime& runtime) { change(runtime.graphs().step(executable, node).operation, operation(runtime)); });
}

auto one_of(const cudaKernelNodeParams* parameters) {
  return [=](Runtime& runtime) { return launch_of(runtime, required(parameters)); };
}
auto one_of(const cudaMemcpy3DParms* parameters) {
  return [=](Runtime&) { return copy_of(required(parameters)); };
}
auto one_of(const cudaMemsetParams* parameters) {
  return [=](Runtime&) { return fill_of(required(parameters)); };
}
auto one_of(const cudaHostNodeParams* parameters) {
  return [=](Runtime&) { return host_call_of(required(parameters)); };
}
auto one_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](Runtime&) { return copying([=] { return cudaMemcpy(to, from, bytes, kind); }); };
}
auto one_event(cudaEvent_t event, GraphOperation (*operation)(cudaEvent_t)) {
  return [=](Runtime& runtime) {
    runtime.timeline().require_event(event);
    return operation(event);
  };
}

/// As the calls that list nodes do: their number, where no array is given; else as many as it has room for, and null
/// behind them.
void list(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes, std::size_t& count) {
  if (nodes != nullptr) {
    std::fill_n(nodes, count, nullptr);
    std::copy_n(found.begin(), std::min(count, found.size()), nodes);
  }
  count = nodes == nullptr ? found.size() : std::min(count, found.size());
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&](Runtime& runtime) {
    require(flags == 0, cudaErrorInvalidValue);
    required(graph) = runtime.graphs().create();
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&](Runtime& runtime) { runtime.graphs().destroy(graph); });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return call([&](Runtime& runtime) { required(clone) = runtime.graphs().clone(original); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
  return add(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
  return add(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count, const void* symbol,
                                           const void* from, std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count,
             [=](Runtime&) { return copying([=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); }); });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count,
             [=](Runtime&) { return copying([=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); }); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t count, const cudaMemsetParams* parameters) {
  return add(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
  return add(node, graph, dependencies, count, one_of(parameters));
}

/// The child as it is now.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       std::size_t count, cudaGraph_t child) {
  return add(node, graph, dependencies, count,
             [=](Runtime& runtime) { return graph_of(runtime.graphs().steps(child)); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  std::size_t count) {
  return add(node, graph, dependencies, count, [](Runtime&) { return GraphOperation{}; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        std::size_t count, cudaEvent_t event) {
  return add(node, graph, dependencies, count, one_event(event, recording_of));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      std::size_t count, cudaEvent_t event) {
  return add(node, graph, dependencies, count, one_event(event, waiting_for));
}

/// Every dependency is a whole one, whatever is said of the edges.
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const void*, std::size_t count) {
  return call([&](Runtime& runtime) {
    require(count == 0 || (from != nullptr && to != nullptr), cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) runtime.graphs().add_dependency(graph, from[i], to[i]);
  });
}

/// Programs of CUDA 11 and 12 pass the number where those of 13 pass something about the edges.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count_or_edges, std::size_t count) {
  if (kEmbedding.runtime_version < kFirstVersionWithEdges) count = count_or_edges;
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    const GraphOperation& operation = runtime.graphs().operation(node);
    require(operation.kernel != nullptr, cudaErrorInvalidValue);
    required(parameters) = operation.kernel->parameters();
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set(node, one_of(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set(node, one_of(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  return set(node, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set(node, one_of(parameters));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set(node, one_of(parameters));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&](Runtime& runtime) { required(type) = runtime.graphs().operation(node).type; });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return call([&](Runtime& runtime) { required(node) = runtime.graphs().find_in_clone(original, clone); });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&](Runtime& runtime) { list(runtime.graphs().nodes(graph), nodes, required(count)); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&](Runtime& runtime) {
    std::vector<cudaGraphNode_t> roots = runtime.graphs().nodes(graph);
    std::erase_if(roots, [&](cudaGraphNode_t node) { return !runtime.graphs().dependencies(node).empty(); });
    list(roots, nodes, required(count));
  });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void*,
                                            std::size_t* count) {
  return call([&](Runtime& runtime) { list(runtime.graphs().dependencies(node), dependencies, required(count)); });
}

/// Programs of CUDA 11 and 12 pass the number where those of 13 pass a place for something about the edges.
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void* count_or_edges,
                                         std::size_t* count) {
  if (kEmbedding.runtime_version < kFirstVersionWithEdges) count = static_cast<std::size_t*>(count_or_edges);
  return cudaGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([&](Runtime& runtime) { runtime.graphs().destroy(node); });
}

/// Programs of CUDA 11 pass places for an error's node and text in place of flags.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call([&](Runtime& runtime) { required(executable) = runtime.graphs().instantiate(graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return set(executable, node, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set(executable, node, one_of(parameters));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned is_enabled) {
  return call([&](Runtime& runtime) { runtime.graphs().step(executable, node).is_enabled = is_enabled != 0; });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned* is_enabled) {
  return call([&](Runtime& runtime) { required(is_enabled) = runtime.graphs().step(executable, node).is_enabled; });
}

/// Programs of CUDA 11 pass two places in place of the structure: for a node, and for the result.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* information, cudaGraphExecUpdateResult* result) {
  return call([&](Runtime& runtime) {
    const cudaGraphExecUpdateResult updated = runtime.graphs().update(executable, graph);
    if (kEmbedding.runtime_version >= kFirstVersionWithResultInfo)
      required(information) = {updated, nullptr, nullptr};
    else
      required(result) = updated;
    require(updated == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure);
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    runtime.graphs().steps(executable);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  GraphOperation graph;
  const cudaError_t error = call([&](Runtime& runtime) { graph = graph_of(runtime.graphs().steps(executable)); });
  return error == cudaSuccess ? on_stream(stream, std::move(graph)) : error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call([&](Runtime& runtime) { runtime.graphs().destroy(executable); });
}

}  // extern "C"

// CUDA Runtime API, "Graph Management".
#include <span>

#include "cuda/api/call.h"
#include "cuda/api/embedding.h"
#include "cuda/api/graph_memory_nodes.h"
#include "cuda/api/graph_nodes.h"
#include "cuda/api/graph_operations.h"

using namespace warpfork::cuda;

namespace {

constexpr int kFirstVersionWithResultInfo = 12000;
constexpr int kFirstVersionWithInstantiateFlags = 12000;
constexpr unsigned long long kInstantiateFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
constexpr unsigned long long kInstantiateFlagsOfParameters = kInstantiateFlags | cudaGraphInstantiateFlagUpload;

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
  return [=](Runtime&) { return copy_of_bytes(to, from, bytes, kind); };
}

/// Priorities change nothing, and there is nothing to upload.
cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags,
                        unsigned long long known = kInstantiateFlags) {
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return not_supported("cudaGraphInstantiate", "graphs that kernels launch (cudaGraphInstantiateFlagDeviceLaunch)");
  return call([&](Runtime& runtime) {
    require((flags & ~known) == 0, cudaErrorInvalidValue);
    required(executable) = runtime.graphs().instantiate(graph, flags & kInstantiateFlags);
  });
}

/// Every dependency is a whole one, whatever is said of the edges.
cudaError_t change_dependencies(void (Graphs::*change)(cudaGraph_t, cudaGraphNode_t, cudaGraphNode_t),
                                cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                std::size_t count) {
  return call([&](Runtime& runtime) {
    require(count == 0 || (from != nullptr && to != nullptr), cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) (runtime.graphs().*change)(graph, from[i], to[i]);
  });
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
  return add_node(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
  return add_node(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add_node(node, graph, dependencies, count, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t count, const cudaMemsetParams* parameters) {
  return add_node(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
  return add_node(node, graph, dependencies, count, one_of(parameters));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       std::size_t count, cudaGraph_t child) {
  return add_node(node, graph, dependencies, count, [=](Runtime& runtime) { return child_of(runtime, child, graph); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  std::size_t count) {
  return add_node(node, graph, dependencies, count, [](Runtime&) { return GraphOperation{}; });
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const void*, std::size_t count) {
  return change_dependencies(&Graphs::add_dependency, graph, from, to, count);
}

/// Programs of CUDA 11 and 12 pass the number where those of 13 pass something about the edges.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count_or_edges, std::size_t count) {
  if (kEmbedding.runtime_version < kFirstVersionWithEdges) count = count_or_edges;
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const void*, std::size_t count) {
  return change_dependencies(&Graphs::remove_dependency, graph, from, to, count);
}

/// Likewise.
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t count_or_edges, std::size_t count) {
  if (kEmbedding.runtime_version < kFirstVersionWithEdges) count = count_or_edges;
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    const GraphOperation& operation = runtime.graphs().operation(node);
    require(operation.kernel != nullptr, cudaErrorInvalidValue);
    required(parameters) = operation.kernel->parameters();
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set_node(node, one_of(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set_node(node, one_of(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  return set_node(node, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_node(node, one_of(parameters));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_node(node, one_of(parameters));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&](Runtime& runtime) { required(type) = runtime.graphs().operation(node).type; });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return call([&](Runtime& runtime) { required(node) = runtime.graphs().find_in_clone(original, clone); });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&](Runtime& runtime) { list_nodes(runtime.graphs().nodes(graph), nodes, required(count)); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&](Runtime& runtime) {
    std::vector<cudaGraphNode_t> roots = runtime.graphs().nodes(graph);
    std::erase_if(roots, [&](cudaGraphNode_t node) { return !runtime.graphs().dependencies(node).empty(); });
    list_nodes(roots, nodes, required(count));
  });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void* edges,
                                            std::size_t* count) {
  return call([&](Runtime& runtime) {
    list_edges(edges, dependencies, required(count));
    list_nodes(runtime.graphs().dependencies(node), dependencies, *count);
  });
}

/// Programs of CUDA 11 and 12 pass the number where those of 13 pass a place for something about the edges.
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void* count_or_edges,
                                         std::size_t* count) {
  if (kEmbedding.runtime_version >= kFirstVersionWithEdges)
    return cudaGraphNodeGetDependencies_v2(node, dependencies, count_or_edges, count);
  return cudaGraphNodeGetDependencies_v2(node, dependencies, nullptr, static_cast<std::size_t*>(count_or_edges));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([&](Runtime& runtime) { runtime.graphs().destroy(node); });
}

/// Programs of CUDA 11 pass places for an error's node and text in place of flags.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(executable, graph, kEmbedding.runtime_version < kFirstVersionWithInstantiateFlags ? 0 : flags);
}

// CUDA 11 gave the call that CUDA 12 has to this name.
cudaError_t cudaGraphInstantiate_v12000(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  const cudaError_t error = call([&](Runtime& runtime) {
    required(parameters).errNode_out = nullptr;
    const bool are_known = (parameters->flags & ~kInstantiateFlagsOfParameters) == 0;
    parameters->result_out = are_known ? cudaGraphInstantiateInvalidStructure : cudaGraphInstantiateError;
    if ((parameters->flags & cudaGraphInstantiateFlagUpload) != 0) runtime.timeline().stream(parameters->uploadStream);
  });
  if (error != cudaSuccess) return error;
  const cudaError_t instantiated = instantiate(executable, graph, parameters->flags, kInstantiateFlagsOfParameters);
  if (instantiated == cudaSuccess) parameters->result_out = cudaGraphInstantiateSuccess;
  return instantiated;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_node(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_node(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return set_node(executable, node, one_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_node(executable, node, one_of(parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_node(executable, node, one_of(parameters));
}

/// That of the upload is not among them: it changes nothing of the executable graph.
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return call([&](Runtime& runtime) { required(flags) = runtime.graphs().flags(executable); });
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
  const cudaError_t error = call([&](Runtime& runtime) {
    std::vector<Graphs::Step> steps = runtime.graphs().steps(executable);
    if (runtime.graphs().frees_memory(executable)) steps.insert(steps.begin(), {nullptr, freeing_what_is_left(steps)});
    graph = graph_of(std::move(steps));
  });
  return error == cudaSuccess ? on_stream(stream, std::move(graph)) : error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call([&](Runtime& runtime) { runtime.graphs().destroy(executable); });
}

}  // extern "C"

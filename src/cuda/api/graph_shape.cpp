// CUDA Runtime API, "Graph Management": what depends on what, and its picture.
#include <fstream>

#include "cuda/api/embedding.h"
#include "cuda/api/graph_nodes.h"
#include "report/kernel_name.h"

using namespace warpfork::cuda;

namespace {

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "copy";
    case cudaGraphNodeTypeMemset:
      return "fill";
    case cudaGraphNodeTypeHost:
      return "host function";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeWaitEvent:
      return "wait for event";
    case cudaGraphNodeTypeEventRecord:
      return "record event";
    case cudaGraphNodeTypeMemAlloc:
      return "allocate";
    case cudaGraphNodeTypeMemFree:
      return "free";
    default:
      return "empty";
  }
}

std::string label_of(Runtime& runtime, cudaGraphNode_t node) {
  const GraphOperation& operation = runtime.graphs().operation(node);
  if (operation.kernel == nullptr) return name_of(operation.type);
  const RegisteredKernel* kernel = runtime.registry().find_kernel(operation.kernel->parameters().func);
  const dim3 grid = operation.kernel->parameters().gridDim, block = operation.kernel->parameters().blockDim;
  return fmt::format("{}\\n<<<{}x{}x{}, {}x{}x{}>>>",
                     warpfork::report::with_readable_names(kernel == nullptr ? "kernel" : kernel->name), grid.x, grid.y,
                     grid.z, block.x, block.y, block.z);
}

/// In Graphviz' language:
///   digraph graph_1 {
///     node_2 [label="kernel"];
///     node_2 -> node_3;
void draw(Runtime& runtime, cudaGraph_t graph, std::ostream& stream) {
  const auto number = [](const auto handle) { return reinterpret_cast<std::uintptr_t>(handle); };
  const std::vector<cudaGraphNode_t> nodes = runtime.graphs().nodes(graph);
  stream << "digraph graph_" << number(graph) << " {\n  node [shape=box];\n";
  for (const cudaGraphNode_t node : nodes)
    stream << "  node_" << number(node) << " [label=\"" << label_of(runtime, node) << "\"];\n";
  for (const cudaGraphNode_t node : nodes)
    for (const cudaGraphNode_t on : runtime.graphs().dependencies(node))
      stream << "  node_" << number(on) << " -> node_" << number(node) << ";\n";
  stream << "}\n" << std::flush;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* edges,
                                 std::size_t* count) {
  return call([&](Runtime& runtime) {
    std::vector<cudaGraphNode_t> starts, ends;
    for (const cudaGraphNode_t node : runtime.graphs().nodes(graph))
      for (const cudaGraphNode_t on : runtime.graphs().dependencies(node)) {
        starts.push_back(on);
        ends.push_back(node);
      }
    require((from == nullptr) == (to == nullptr), cudaErrorInvalidValue);
    std::size_t room = required(count);
    list_edges(edges, from, room);
    list_nodes(starts, from, room);
    list_nodes(ends, to, *count);
  });
}

/// Programs of CUDA 11 and 12 pass the number where those of 13 pass a place for something about the edges.
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* count_or_edges,
                              std::size_t* count) {
  if (kEmbedding.runtime_version >= kFirstVersionWithEdges)
    return cudaGraphGetEdges_v2(graph, from, to, count_or_edges, count);
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, static_cast<std::size_t*>(count_or_edges));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents, void* edges,
                                              std::size_t* count) {
  return call([&](Runtime& runtime) {
    list_edges(edges, dependents, required(count));
    list_nodes(runtime.graphs().dependents(node), dependents, *count);
  });
}

/// As with cudaGraphGetEdges.
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, void* count_or_edges,
                                           std::size_t* count) {
  if (kEmbedding.runtime_version >= kFirstVersionWithEdges)
    return cudaGraphNodeGetDependentNodes_v2(node, dependents, count_or_edges, count);
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, nullptr, static_cast<std::size_t*>(count_or_edges));
}

/// The same picture, whatever the flags ask for.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* file, unsigned) {
  return call([&](Runtime& runtime) {
    std::ofstream stream(&required(file));
    draw(runtime, graph, stream);
    require(stream.good(), cudaErrorOperatingSystem);
  });
}

}  // extern "C"

// CUDA Runtime API, "Graph Management": what the calls that add, change and list nodes have in common.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/api/call.h"
#include "cuda/api/graph_operations.h"

namespace warpfork::cuda {

/// Adds the node that operation(runtime) gives.
template <typename Operation>
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t count,
                     Operation&& operation) {
  return call([&](Runtime& runtime) {
    require(count == 0 || dependencies != nullptr, cudaErrorInvalidValue);
    required(node) = runtime.graphs().add(graph, {dependencies, count}, operation(runtime));
  });
}

/// To what to(runtime) gives, one of the same type, whose attributes stay: that it is cooperative, too. Memory of a
/// node has one address.
template <typename Operation>
void change_operation(Runtime& runtime, GraphOperation& operation, Operation&& to) {
  require(!allocates_or_frees(operation), cudaErrorNotSupported);
  GraphOperation changed = to(runtime);
  require(operation.type == changed.type, cudaErrorInvalidValue);
  if (changed.kernel != nullptr && operation.kernel->is_cooperative())
    changed = launch_of(runtime, changed.kernel->parameters(), true);
  changed.attributes = std::move(operation.attributes);
  operation = std::move(changed);
}

/// Changes a node of a graph, or of an executable one, to what operation(runtime) gives.
template <typename Operation>
cudaError_t set_node(cudaGraphNode_t node, Operation&& operation) {
  return call([&](Runtime& runtime) { change_operation(runtime, runtime.graphs().operation(node), operation); });
}

template <typename Operation>
cudaError_t set_node(cudaGraphExec_t executable, cudaGraphNode_t node, Operation&& operation) {
  return call([&](Runtime& runtime) {
    change_operation(runtime, runtime.graphs().step(executable, node).operation, operation);
  });
}

/// As the calls that list nodes do: their number, where no array is given; else as many as it has room for, and null
/// behind them.
inline void list_nodes(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes, std::size_t& count) {
  if (nodes != nullptr) {
    std::fill_n(nodes, count, nullptr);
    std::copy_n(found.begin(), std::min(count, found.size()), nodes);
  }
  count = nodes == nullptr ? found.size() : std::min(count, found.size());
}

/// Likewise of as many edges as there is room for, where a place for it and one for the nodes are given: every
/// dependency is a whole one.
inline void list_edges(void* edges, const void* nodes, std::size_t room) {
  require(edges == nullptr || nodes != nullptr, cudaErrorInvalidValue);
  if (edges != nullptr) std::fill_n(static_cast<cudaGraphEdgeData*>(edges), room, cudaGraphEdgeData{});
}

}  // namespace warpfork::cuda

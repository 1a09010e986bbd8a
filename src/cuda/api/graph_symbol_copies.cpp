// CUDA Runtime API, "Graph Management": nodes that copy to and from variables of device code.
#include "cuda/api/graph_nodes.h"

using namespace warpfork::cuda;

namespace {

auto one_copy_to(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return [=](Runtime&) { return copying([=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); }); };
}
auto one_copy_from(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return [=](Runtime&) { return copying([=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); }); };
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count, const void* symbol,
                                           const void* from, std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind) {
  return add_node(node, graph, dependencies, count, one_copy_to(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  return add_node(node, graph, dependencies, count, one_copy_from(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return set_node(node, one_copy_to(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return set_node(node, one_copy_from(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
  return set_node(executable, node, one_copy_to(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                                       const void* symbol, std::size_t bytes, std::size_t offset,
                                                       cudaMemcpyKind kind) {
  return set_node(executable, node, one_copy_from(to, symbol, bytes, offset, kind));
}

}  // extern "C"

// CUDA Runtime API, "Graph Management": what nodes were given.
#include "cuda/api/graph_nodes.h"

using namespace warpfork::cuda;

namespace {

template <typename Parameters>
cudaError_t tell_given(const char* name, cudaGraphNode_t node, cudaGraphNodeType type, Parameters* parameters) {
  return call([&](Runtime& runtime) {
    const GraphOperation& operation = runtime.graphs().operation(node);
    require(operation.type == type && parameters != nullptr, cudaErrorInvalidValue);
    const auto* const given = std::get_if<Parameters>(&operation.parameters);
    if (given == nullptr)
      throw ApiError(cudaErrorNotSupported,
                     fmt::format("{} is not supported for this node: it was made by a call with other parameters, such "
                                 "as a copy of a variable or a callback",
                                 name));
    *parameters = *given;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return tell_given("cudaGraphMemcpyNodeGetParams", node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return tell_given("cudaGraphMemsetNodeGetParams", node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return tell_given("cudaGraphHostNodeGetParams", node, cudaGraphNodeTypeHost, parameters);
}

}  // extern "C"

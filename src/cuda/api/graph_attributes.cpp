// CUDA Runtime API, "Graph Management": attributes of kernel nodes.
#include "cuda/api/graph_nodes.h"
#include "cuda/api/graph_operations.h"
#include "cuda/api/launch_attributes.h"

using namespace warpfork::cuda;

namespace {

GraphOperation& kernel_node(Runtime& runtime, cudaGraphNode_t node) {
  GraphOperation& operation = runtime.graphs().operation(node);
  require(operation.kernel != nullptr, cudaErrorInvalidValue);
  return operation;
}

/// As a launch with this attribute alone would take it.
LaunchAttributes read_alone(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  cudaLaunchAttribute attribute{id, {}, value};
  cudaLaunchConfig_t configuration{};
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return read_attributes(configuration);
}

void set_cooperative(Runtime& runtime, GraphOperation& operation, bool is_cooperative) {
  GraphOperation changed = launch_of(runtime, operation.kernel->parameters(), is_cooperative);
  changed.attributes = std::move(operation.attributes);
  operation = std::move(changed);
}

/// Its call alone knows whether a kernel is cooperative: a captured one is without anything having been set.
void set_attribute(Runtime& runtime, cudaGraphNode_t node, cudaLaunchAttributeID id,
                   const cudaLaunchAttributeValue& value) {
  GraphOperation& operation = kernel_node(runtime, node);
  if (id == cudaLaunchAttributeCooperative)
    set_cooperative(runtime, operation, value.cooperative != 0);
  else
    operation.attributes[id] = value;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  LaunchAttributes asked;
  const cudaError_t error = call([&](Runtime& runtime) {
    asked = read_alone(id, required(value));
    if (asked.refused.empty()) set_attribute(runtime, node, id, *value);
  });
  return asked.refused.empty() ? error : not_supported("cudaGraphKernelNodeSetAttribute", asked.refused);
}

/// What was never set is 0.
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return call([&](Runtime& runtime) {
    const GraphOperation& operation = kernel_node(runtime, node);
    const auto found = operation.attributes.find(id);
    required(value) = found == operation.attributes.end() ? cudaLaunchAttributeValue{} : found->second;
    if (id == cudaLaunchAttributeCooperative) value->cooperative = operation.kernel->is_cooperative();
  });
}

/// In the order of cuGraphKernelNodeCopyAttributes, to which CUDA passes them on: its headers name them the other way
/// round before CUDA 13.
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return call([&](Runtime& runtime) {
    const GraphOperation source = kernel_node(runtime, from);
    GraphOperation& operation = kernel_node(runtime, to);
    set_cooperative(runtime, operation, source.kernel->is_cooperative());
    operation.attributes = source.attributes;
  });
}

}  // extern "C"

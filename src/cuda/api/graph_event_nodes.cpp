// CUDA Runtime API, "Graph Management": nodes that record an event or wait for one.
#include "cuda/api/graph_nodes.h"

using namespace warpfork::cuda;

namespace {

using MakeOperation = GraphOperation (*)(cudaEvent_t);

auto one_event(cudaEvent_t event, MakeOperation operation) {
  return [=](Runtime& runtime) {
    runtime.timeline().require_event(event);
    return operation(event);
  };
}

cudaError_t event_of(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  return call([&](Runtime& runtime) {
    const GraphOperation& operation = runtime.graphs().operation(node);
    require(operation.type == type, cudaErrorInvalidValue);
    required(event) = std::get<cudaEvent_t>(operation.parameters);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        std::size_t count, cudaEvent_t event) {
  return add_node(node, graph, dependencies, count, one_event(event, recording_of));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      std::size_t count, cudaEvent_t event) {
  return add_node(node, graph, dependencies, count, one_event(event, waiting_for));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(node, one_event(event, recording_of));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(node, one_event(event, waiting_for));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(executable, node, one_event(event, recording_of));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(executable, node, one_event(event, waiting_for));
}

}  // extern "C"

// Graphs of operations that are launched together (CUDA Runtime API, "Graph Management").
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "cuda/runtime/graph_memory.h"
#include "cuda/runtime/kernel_call.h"
#include "cuda/runtime/user_objects.h"

namespace warpfork::cuda {

/// What a node was given, as the calls tell it again that ask for it: a copy, a fill, a function of the host or an
/// event. Nothing, where it was made by a call whose parameters none of these structures holds, such as a copy to a
/// variable.
using GivenParameters =
    std::variant<std::monostate, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams, cudaEvent_t>;

/// What a node does when its graph is launched.
struct GraphOperation {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t()> work;         // a call of the C interface; none: nothing is done
  std::shared_ptr<const KernelCall> kernel;  // that a kernel node launches
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};  // of a kernel: hints that were set
  std::shared_ptr<void> memory{};                                          // that a node allocates
  GivenParameters parameters{};
};

inline bool allocates_or_frees(const GraphOperation& operation) {
  return operation.type == cudaGraphNodeTypeMemAlloc || operation.type == cudaGraphNodeTypeMemFree;
}

/// All streams are one order, and so are the nodes of a graph: each comes behind those that it depends on, else the one
/// that was added first comes first. Handles are numbers, never addresses, and are not used again. Every function
/// throws ApiError(cudaErrorInvalidValue) for a handle of nothing.
class Graphs {
 public:
  cudaGraph_t create();
  /// The copies of its nodes are found by find_in_clone(). Throws ApiError(cudaErrorInvalidValue) where a node
  /// allocates or frees: such graphs are instantiated once at a time, have no clone and are no child.
  cudaGraph_t clone(cudaGraph_t graph);
  void destroy(cudaGraph_t graph);

  cudaGraphNode_t add(cudaGraph_t graph, std::span<const cudaGraphNode_t> dependencies, GraphOperation operation);
  void add_dependency(cudaGraph_t graph, cudaGraphNode_t on, cudaGraphNode_t node);
  /// Throws ApiError(cudaErrorInvalidValue) where there is no such dependency, too.
  void remove_dependency(cudaGraph_t graph, cudaGraphNode_t on, cudaGraphNode_t node);
  void destroy(cudaGraphNode_t node);
  GraphOperation& operation(cudaGraphNode_t node);
  /// That has the node.
  cudaGraph_t graph(cudaGraphNode_t node) const;
  /// In the order in which they were added.
  std::vector<cudaGraphNode_t> nodes(cudaGraph_t graph) const;
  const std::vector<cudaGraphNode_t>& dependencies(cudaGraphNode_t node) const;
  /// Of the node's graph, those that depend on it.
  std::vector<cudaGraphNode_t> dependents(cudaGraphNode_t node) const;
  cudaGraphNode_t find_in_clone(cudaGraphNode_t original, cudaGraph_t clone) const;
  /// Whether the node is one of these or comes in front of one of them.
  bool is_before(cudaGraphNode_t node, std::span<const cudaGraphNode_t> others) const;

  /// An operation of a graph as it was when it was instantiated.
  struct Step {
    cudaGraphNode_t node;
    GraphOperation operation;
    bool is_enabled = true;
  };
  /// In the order in which they are done. Throws ApiError(cudaErrorInvalidValue) for dependencies in a circle.
  std::vector<Step> steps(cudaGraph_t graph) const;

  /// Flags of cudaGraphInstantiateFlags.
  cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags = 0);
  void destroy(cudaGraphExec_t executable);
  const std::vector<Step>& steps(cudaGraphExec_t executable) const;
  unsigned long long flags(cudaGraphExec_t executable) const;
  /// What a launch leaves allocated goes back when the next one begins.
  bool frees_memory(cudaGraphExec_t executable) const;
  /// Of this node.
  Step& step(cudaGraphExec_t executable, cudaGraphNode_t node);
  /// The operations become those of the graph, which has as many of the same types in the same order, and so do the
  /// objects; else nothing changes.
  cudaGraphExecUpdateResult update(cudaGraphExec_t executable, cudaGraph_t graph);

  /// That nodes allocate, and that graphs refer to.
  GraphMemory& memory() { return memory_; }
  UserObjects& objects() { return objects_; }

 private:
  struct Node {
    cudaGraph_t graph;
    GraphOperation operation;
    std::vector<cudaGraphNode_t> dependencies;
    cudaGraphNode_t original = nullptr;  // of which it is a copy
  };
  struct Executable {
    cudaGraph_t source;
    std::vector<Step> steps;
    unsigned long long flags;
  };
  void require_graph(cudaGraph_t graph) const;
  const Node& node(cudaGraphNode_t node) const;

  GraphMemory memory_;  // which nodes hold
  UserObjects objects_;
  std::uintptr_t next_ = 1;
  std::map<cudaGraph_t, std::vector<cudaGraphNode_t>> graphs_;  // their nodes
  std::map<cudaGraphNode_t, Node> nodes_;
  std::map<cudaGraphExec_t, Executable> executables_;
};

}  // namespace warpfork::cuda

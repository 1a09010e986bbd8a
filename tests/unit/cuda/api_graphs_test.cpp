// The CUDA runtime's calls about graphs, and the codes that its reference manual gives them ("CUDA Runtime API", "Graph
// Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_graphs_test {

using ::testing::ElementsAre;

class GraphCalls : public ApiTest {
 protected:
  GraphCalls() {
    cudaMalloc(&to_, 128);
    cudaMemset(to_, 0, 128);
    cudaGraphCreate(&graph_, 0);
  }
  ~GraphCalls() override {
    cudaGraphDestroy(graph_);
    cudaFree(to_);
  }

  /// A node that appends the digit to what is told.
  cudaGraphNode_t digit(int which, std::vector<cudaGraphNode_t> dependencies = {}) {
    cudaGraphNode_t node = nullptr;
    const auto parameters = telling(which);
    EXPECT_EQ(cudaGraphAddHostNode(&node, graph_, dependencies.data(), dependencies.size(), &parameters), cudaSuccess);
    return node;
  }
  static cudaHostNodeParams telling(int which) {
    static constexpr std::array kDigits = {0, 1, 2, 3, 4, 5};
    return {[](void* value) { told = told * 10 + *static_cast<const int*>(value); },
            const_cast<int*>(&kDigits.at(static_cast<std::size_t>(which)))};
  }
  /// What a launch tells.
  int launched(cudaGraph_t graph) {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    const int result = launched(executable);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    return result;
  }
  static int launched(cudaGraphExec_t executable) {
    told = 0;
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    return told;
  }
  unsigned word(unsigned at) const {
    unsigned value = 0;
    EXPECT_EQ(cudaMemcpy(&value, static_cast<unsigned*>(to_) + at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }

  static inline int told = 0;
  void* to_ = nullptr;
  cudaGraph_t graph_ = nullptr;
};

TEST_F(GraphCalls, nodes_follow_those_that_they_depend_on_else_in_the_order_of_their_adding) {
  const cudaGraphNode_t one = digit(1), two = digit(2);
  const cudaGraphNode_t three = digit(3, {two});
  digit(4, {one, three});
  EXPECT_EQ(launched(graph_), 1234);
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &three, &one, 1, 0), cudaSuccess);
  EXPECT_EQ(launched(graph_), 2314);
}

TEST_F(GraphCalls, dependencies_in_a_circle_are_no_graph) {
  const cudaGraphNode_t one = digit(1), two = digit(2, {one});
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &two, &one, 1, 0), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph_), cudaErrorInvalidValue);
}

TEST_F(GraphCalls, what_is_instantiated_stays_when_the_graph_changes) {
  const cudaGraphNode_t one = digit(1);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_), cudaSuccess);
  digit(2, {one});
  const cudaHostNodeParams other = telling(5);
  EXPECT_EQ(cudaGraphHostNodeSetParams(one, &other), cudaSuccess);
  EXPECT_EQ(launched(executable), 1);
  EXPECT_EQ(launched(graph_), 52);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaErrorInvalidValue);
}

TEST_F(GraphCalls, an_executable_graph_is_changed_node_by_node_or_by_another_graph) {
  const cudaGraphNode_t one = digit(1), two = digit(2, {one});
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_), cudaSuccess);
  const cudaHostNodeParams other = telling(4);
  EXPECT_EQ(cudaGraphExecHostNodeSetParams(executable, two, &other), cudaSuccess);
  EXPECT_EQ(launched(executable), 14);
  unsigned is_enabled = 7;
  EXPECT_EQ(cudaGraphNodeSetEnabled(executable, one, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetEnabled(executable, one, &is_enabled), cudaSuccess);
  EXPECT_EQ(is_enabled, 0u);
  EXPECT_EQ(launched(executable), 4);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

cudaError_t update(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResult& result) {
  cudaGraphExecUpdateResultInfo information{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &information, nullptr);
  result = information.result;
  return error;
}

TEST_F(GraphCalls, only_a_graph_of_the_same_shape_updates_another_one) {
  const cudaGraphNode_t one = digit(1);
  cudaGraphExec_t executable = nullptr;
  cudaGraphExecUpdateResult result{};
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_), cudaSuccess);
  const cudaHostNodeParams other = telling(3);
  cudaGraphHostNodeSetParams(one, &other);
  EXPECT_EQ(update(executable, graph_, result), cudaSuccess);
  EXPECT_EQ(launched(executable), 3);
  digit(2);
  EXPECT_EQ(update(executable, graph_, result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(launched(executable), 3);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(GraphCalls, a_clone_and_a_child_keep_what_the_graph_was) {
  const cudaGraphNode_t one = digit(1);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t copy = nullptr, child = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph_), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeFindInClone(&copy, one, clone), cudaSuccess);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, graph_, &one, 1, clone), cudaSuccess);
  const cudaHostNodeParams other = telling(2);
  EXPECT_EQ(cudaGraphHostNodeSetParams(copy, &other), cudaSuccess);
  EXPECT_EQ(launched(clone), 2);
  EXPECT_EQ(launched(graph_), 11);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaErrorInvalidValue);
}

TEST_F(GraphCalls, a_clone_has_the_dependencies_of_its_original) {
  const cudaGraphNode_t one = digit(1), two = digit(2);
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &two, &one, 1, 0), cudaSuccess);
  cudaGraph_t clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph_), cudaSuccess);
  EXPECT_EQ(launched(clone), 21);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
}

TEST_F(GraphCalls, nodes_are_listed_and_taken_away) {
  const cudaGraphNode_t one = digit(1), two = digit(2, {one});
  std::array<cudaGraphNode_t, 3> nodes{};
  std::size_t count = nodes.size();
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphGetNodes(graph_, nodes.data(), &count), cudaSuccess);
  EXPECT_THAT(nodes, ElementsAre(one, two, nullptr));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cudaGraphGetRootNodes(graph_, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cudaGraphNodeGetType(one, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeHost);
  EXPECT_EQ(cudaGraphDestroyNode(one), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetType(one, &type), cudaErrorInvalidValue);
  EXPECT_EQ(launched(graph_), 2);
}

TEST_F(GraphCalls, a_kernel_has_its_own_copy_of_its_arguments) {
  void* pointer = to_;
  void* arguments[] = {&pointer};
  const cudaKernelNodeParams parameters{&kStore, {1}, {32}, 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), cudaSuccess);
  pointer = nullptr;
  cudaKernelNodeParams kept{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &kept), cudaSuccess);
  EXPECT_EQ(*static_cast<void**>(kept.kernelParams[0]), to_);
  launched(graph_);
  EXPECT_EQ(word(31), 31u);
}

TEST_F(GraphCalls, elements_of_one_two_and_four_bytes_are_filled) {
  for (const unsigned bytes : {1u, 2u, 4u}) {
    const cudaMemsetParams parameters{static_cast<unsigned*>(to_) + bytes, 0, 0x01020304, bytes, 4 / bytes, 1};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &parameters), cudaSuccess);
  }
  launched(graph_);
  EXPECT_THAT((std::array{word(1), word(2), word(3), word(4)}), ElementsAre(0x04040404, 0x03040304, 0, 0x01020304));
  const cudaMemsetParams odd{to_, 0, 1, 3, 1, 1};
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &odd), cudaErrorInvalidValue);
}

TEST_F(GraphCalls, copies_reach_variables_and_rows) {
  unsigned from = 30, back = 0;
  cudaGraphNode_t in = nullptr, out = nullptr;
  cudaGraphAddMemcpyNodeToSymbol(&in, graph_, nullptr, 0, &kTable, &from, 4, 8, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNodeFromSymbol(&out, graph_, &in, 1, &back, &kTable, 4, 8, cudaMemcpyDeviceToHost);
  launched(graph_);
  EXPECT_EQ(back, 30u);
}

TEST_F(GraphCalls, a_launch_ends_with_the_first_operation_that_fails) {
  cudaGraphNode_t wrong = nullptr;
  cudaGraphAddMemcpyNode1D(&wrong, graph_, nullptr, 0, nullptr, to_, 4, cudaMemcpyDeviceToDevice);
  digit(1, {wrong});
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_), cudaSuccess);
  told = 0;
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(told, 0);
  cudaGraphExecDestroy(executable);
}

TEST_F(GraphCalls, what_is_of_no_graph_is_refused) {
  const auto stranger = reinterpret_cast<cudaGraph_t>(std::uintptr_t{99999});
  cudaGraphNode_t node = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraphCreate(&other, 0);
  const cudaGraphNode_t one = digit(1);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, stranger, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, other, &one, 1), cudaErrorInvalidValue) << "a node of another graph";
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph_, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphCreate(&other, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
}

}  // namespace api_graphs_test
}  // namespace warpfork::cuda

// What nodes of graphs tell of themselves and how they are changed ("CUDA Runtime API", "Graph Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_graph_queries_test {

class GraphQueries : public ApiTest {
 protected:
  GraphQueries() {
    cudaMalloc(&to_, 128);
    cudaMemset(to_, 0, 128);
    cudaGraphCreate(&graph_, 0);
    cudaEventCreate(&first_);
    cudaEventCreate(&second_);
  }
  ~GraphQueries() override {
    cudaEventDestroy(second_);
    cudaEventDestroy(first_);
    cudaGraphDestroy(graph_);
    cudaFree(to_);
  }

  cudaGraphNode_t empty(std::vector<cudaGraphNode_t> dependencies = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph_, dependencies.data(), dependencies.size()), cudaSuccess);
    return node;
  }
  cudaGraphNode_t copy_of_word(const unsigned* from) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to_, from, 4, cudaMemcpyHostToDevice), cudaSuccess);
    return node;
  }
  void launch_graph() {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph_, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    cudaGraphExecDestroy(executable);
  }
  unsigned word() const {
    unsigned back = 0;
    EXPECT_EQ(cudaMemcpy(&back, to_, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
    return back;
  }

  void* to_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaEvent_t first_ = nullptr, second_ = nullptr;
};

TEST_F(GraphQueries, copies_tell_their_ends_and_take_others) {
  const unsigned from = 7, other = 8;
  const cudaGraphNode_t node = copy_of_word(&from);
  cudaMemcpy3DParms told{};
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(node, &told), cudaSuccess);
  EXPECT_EQ(told.srcPtr.ptr, &from);
  EXPECT_EQ(told.dstPtr.ptr, to_);
  EXPECT_EQ(told.extent.width, 4u);
  EXPECT_EQ(told.kind, cudaMemcpyHostToDevice);
  told.srcPtr.ptr = const_cast<unsigned*>(&other);
  EXPECT_EQ(cudaGraphMemcpyNodeSetParams(node, &told), cudaSuccess);
  launch_graph();
  EXPECT_EQ(word(), 8u);
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(node, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(empty(), &told), cudaErrorInvalidValue);
}

TEST_F(GraphQueries, fills_and_functions_tell_what_they_were_given_last) {
  cudaGraphNode_t fill = nullptr, call = nullptr;
  cudaMemsetParams filled{to_, 0, 5, 4, 2, 1}, told_fill{};
  cudaHostNodeParams called{[](void*) {}, &fill}, told_call{};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph_, nullptr, 0, &filled), cudaSuccess);
  EXPECT_EQ(cudaGraphAddHostNode(&call, graph_, nullptr, 0, &called), cudaSuccess);
  filled.value = 6;
  called.userData = &call;
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(fill, &filled), cudaSuccess);
  EXPECT_EQ(cudaGraphHostNodeSetParams(call, &called), cudaSuccess);
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(fill, &told_fill), cudaSuccess);
  EXPECT_EQ(cudaGraphHostNodeGetParams(call, &told_call), cudaSuccess);
  EXPECT_EQ(told_fill.value, 6u);
  EXPECT_EQ(told_fill.width, 2u);
  EXPECT_EQ(told_call.fn, called.fn);
  EXPECT_EQ(told_call.userData, &call);
  EXPECT_EQ(cudaGraphHostNodeGetParams(fill, &told_call), cudaErrorInvalidValue);
}

TEST_F(GraphQueries, captured_copies_and_fills_tell_what_the_calls_were_given) {
  const unsigned from = 7;
  cudaStream_t stream = nullptr;
  cudaGraph_t captured = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(to_, &from, 4, cudaMemcpyHostToDevice, stream);
  cudaMemset2DAsync(to_, 16, -1, 8, 2, stream);
  cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
  ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  cudaGraphNode_t nodes[3];
  std::size_t count = 3;
  cudaGraphGetNodes(captured, nodes, &count);
  cudaMemcpy3DParms copied{};
  cudaMemsetParams filled{};
  cudaHostNodeParams called{};
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(nodes[0], &copied), cudaSuccess);
  EXPECT_EQ(copied.srcPtr.ptr, &from);
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(nodes[1], &filled), cudaSuccess);
  EXPECT_TRUE(filled.value == 0xff && filled.pitch == 16 && filled.width == 8 && filled.height == 2);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaGraphHostNodeGetParams(nodes[2], &called), cudaErrorNotSupported) << "a callback takes more";
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("is not supported for this node"));
  cudaGraphDestroy(captured);
}

TEST_F(GraphQueries, nodes_of_events_tell_and_change_theirs) {
  cudaGraphNode_t record = nullptr, wait = nullptr;
  cudaEvent_t told = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaGraphAddEventRecordNode(&record, graph_, nullptr, 0, first_), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEventWaitNode(&wait, graph_, &record, 1, first_), cudaSuccess);
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(record, &told), cudaSuccess);
  EXPECT_EQ(told, first_);
  EXPECT_EQ(cudaGraphEventWaitNodeSetEvent(wait, second_), cudaSuccess);
  EXPECT_EQ(cudaGraphEventWaitNodeGetEvent(wait, &told), cudaSuccess);
  EXPECT_EQ(told, second_);
  EXPECT_EQ(cudaGraphEventWaitNodeGetEvent(record, &told), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphEventRecordNodeSetEvent(wait, first_), cudaErrorInvalidValue) << "it waits";
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph_, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphExecEventRecordNodeSetEvent(executable, record, second_), cudaSuccess);
  EXPECT_EQ(cudaGraphExecEventWaitNodeSetEvent(executable, wait, first_), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, second_, second_), cudaSuccess) << "which was recorded";
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first_, first_), cudaErrorInvalidResourceHandle);
  cudaGraphExecDestroy(executable);
}

TEST_F(GraphQueries, dependencies_are_removed_if_there_are_such) {
  const cudaGraphNode_t one = empty(), two = empty({one});
  std::size_t count = 9;
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, &two, &one, 1, 0), cudaErrorInvalidValue) << "the other way round";
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, &one, &two, 1, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphGetEdges_v2(graph_, nullptr, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, &one, &two, 1, 0), cudaErrorInvalidValue) << "not twice";
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, nullptr, nullptr, 0, 0), cudaSuccess);
}

TEST_F(GraphQueries, executable_graphs_tell_their_flags_but_for_the_upload) {
  cudaGraphExec_t executable = nullptr;
  unsigned long long flags = 99;
  cudaGraphInstantiateParams parameters{};
  parameters.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagAutoFreeOnLaunch;
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, graph_, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphExecGetFlags(executable, &flags), cudaSuccess);
  EXPECT_EQ(flags, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphExecDestroy(executable);
  EXPECT_EQ(cudaGraphExecGetFlags(executable, &flags), cudaErrorInvalidValue);
}

std::uint64_t bytes(cudaGraphMemAttributeType attribute) {
  std::uint64_t told = 99;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &told), cudaSuccess);
  return told;
}

TEST_F(GraphQueries, memory_of_graphs_is_counted_from_the_node_and_from_the_launch_on) {
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location = {cudaMemLocationTypeDevice, 0};
  memory.bytesize = 4096;
  cudaGraphNode_t allocate = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph_, nullptr, 0, &memory), cudaSuccess);
  EXPECT_EQ(bytes(cudaGraphMemAttrReservedMemCurrent), 4096u);
  EXPECT_EQ(bytes(cudaGraphMemAttrUsedMemCurrent), 0u);
  launch_graph();
  EXPECT_EQ(bytes(cudaGraphMemAttrUsedMemCurrent), 4096u);
  EXPECT_EQ(cudaFree(memory.dptr), cudaSuccess);
  EXPECT_EQ(bytes(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(cudaGraphDestroyNode(allocate), cudaSuccess);
  EXPECT_EQ(bytes(cudaGraphMemAttrReservedMemCurrent), 0u);
}

TEST_F(GraphQueries, most_memory_of_graphs_is_kept_until_it_is_set_to_nothing) {
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location = {cudaMemLocationTypeDevice, 0};
  memory.bytesize = 1 << 20;
  cudaGraphNode_t allocate = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph_, nullptr, 0, &memory), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(allocate), cudaSuccess);
  std::uint64_t nothing = 0, something = 1;
  EXPECT_EQ(bytes(cudaGraphMemAttrReservedMemHigh), 1u << 20);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &something), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &nothing), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &nothing), cudaSuccess);
  EXPECT_EQ(bytes(cudaGraphMemAttrReservedMemHigh), 0u);
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrReservedMemHigh, &nothing), cudaErrorInvalidDevice);
}

}  // namespace api_graph_queries_test
}  // namespace warpfork::cuda

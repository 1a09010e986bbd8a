// The CUDA runtime's calls about nodes that one structure describes, what they depend on, what they keep and allocate,
// and the codes that its reference manual gives them ("CUDA Runtime API", "Graph Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "unit/cuda/api_session.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace api_graph_nodes_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

cudaGraphNodeParams of_type(cudaGraphNodeType type) {
  cudaGraphNodeParams parameters{};
  parameters.type = type;
  return parameters;
}

class GraphNodes : public ApiTest {
 protected:
  GraphNodes() {
    cudaMalloc(&to_, 128);
    cudaMemset(to_, 0, 128);
    cudaGraphCreate(&graph_, 0);
  }
  ~GraphNodes() override {
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    cudaFree(to_);
  }

  cudaGraphNode_t add(cudaGraphNodeParams& parameters, std::vector<cudaGraphNode_t> dependencies = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, graph_, dependencies.data(), dependencies.size(), &parameters, nullptr),
              cudaSuccess);
    return node;
  }
  cudaGraphNode_t empty(std::vector<cudaGraphNode_t> dependencies = {}) {
    cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeEmpty);
    return add(parameters, std::move(dependencies));
  }
  /// A kernel that leaves each of 4 threads' numbers.
  cudaGraphNode_t kernel() {
    void* arguments[] = {&to_};
    cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeKernel);
    parameters.kernel = {&kStore, {1}, {4}, 0, arguments, nullptr};
    return add(parameters);
  }
  cudaGraphExec_t instantiated() {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph_), cudaSuccess);
    return executable;
  }
  void launch_graph() {
    const cudaGraphExec_t executable = instantiated();
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    cudaGraphExecDestroy(executable);
  }
  std::array<unsigned, 4> words() const {
    std::array<unsigned, 4> back{};
    EXPECT_EQ(cudaMemcpy(back.data(), to_, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
    return back;
  }
  static std::size_t free_bytes() {
    std::size_t free = 0;
    cudaMemGetInfo(&free, nullptr);
    return free;
  }

  void* to_ = nullptr;
  cudaGraph_t graph_ = nullptr;
};

TEST_F(GraphNodes, a_structure_says_which_kernel_runs_and_which_bytes_are_filled) {
  const cudaGraphNode_t first = kernel();
  cudaGraphNodeParams fill = of_type(cudaGraphNodeTypeMemset);
  fill.memset = {static_cast<unsigned*>(to_) + 2, 0, 9, 4, 1, 1};
  const cudaGraphNode_t second = add(fill, {first});
  launch_graph();
  EXPECT_THAT(words(), ElementsAre(0, 1, 9, 3));
  fill.memset.value = 8;
  EXPECT_EQ(cudaGraphNodeSetParams(second, &fill), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeSetParams(first, &fill), cudaErrorInvalidValue) << "a kernel stays a kernel";
  launch_graph();
  EXPECT_THAT(words(), ElementsAre(0, 1, 8, 3));
}

TEST_F(GraphNodes, a_structure_says_what_is_copied_called_and_recorded) {
  unsigned from = 77, called = 0;
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaGraphNodeParams copy = of_type(cudaGraphNodeTypeMemcpy), call = of_type(cudaGraphNodeTypeHost),
                      record = of_type(cudaGraphNodeTypeEventRecord);
  copy.memcpy.copyParams.srcPtr = {&from, 4, 4, 1};
  copy.memcpy.copyParams.dstPtr = {to_, 4, 4, 1};
  copy.memcpy.copyParams.extent = {4, 1, 1};
  copy.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
  call.host = {[](void* count) { ++*static_cast<unsigned*>(count); }, &called};
  record.eventRecord.event = event;
  for (cudaGraphNodeParams* parameters : {&copy, &call, &record}) add(*parameters);
  launch_graph();
  EXPECT_EQ(words()[0], 77u);
  EXPECT_EQ(called, 1u);
}

TEST_F(GraphNodes, of_types_that_there_are_none_of_are_refused) {
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams condition = of_type(static_cast<cudaGraphNodeType>(13));
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, 0, &condition, nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, 0, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, of_children_that_their_parents_would_own_are_refused) {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t child = nullptr;
  cudaGraphCreate(&child, 0);
  cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeGraph);
  parameters.graph = {child, cudaGraphChildGraphOwnershipMove};
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, 0, &parameters, nullptr), cudaErrorNotSupported);
  parameters.reserved1[1] = 2;
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, 0, &parameters, nullptr), cudaErrorInvalidValue);
  parameters.graph.ownership = cudaGraphChildGraphOwnershipClone;
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, 0, &parameters, nullptr), cudaSuccess);
  cudaGraphDestroy(child);
}

TEST_F(GraphNodes, edges_and_dependents_are_listed) {
  const cudaGraphNode_t one = empty(), two = empty({one}), three = empty({one, two});
  std::array<cudaGraphNode_t, 4> from{}, to{};
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetEdges(graph_, nullptr, nullptr, &count, nullptr), cudaSuccess);
  EXPECT_EQ(count, 3u);
  count = from.size();
  EXPECT_EQ(cudaGraphGetEdges(graph_, from.data(), to.data(), &count, nullptr), cudaSuccess);
  EXPECT_THAT(from, ElementsAre(one, one, two, nullptr));
  EXPECT_THAT(to, ElementsAre(two, three, three, nullptr));
  count = 2;
  EXPECT_EQ(cudaGraphNodeGetDependentNodes(one, to.data(), &count, nullptr), cudaSuccess);
  EXPECT_EQ(to[0], two);
  EXPECT_EQ(to[1], three);
}

TEST_F(GraphNodes, that_are_listed_with_their_edges_depend_as_a_whole) {
  const cudaGraphNode_t one = empty(), two = empty({one});
  std::array<cudaGraphNode_t, 2> from{}, to{};
  for (const int which : {0, 1, 2}) {
    std::array<cudaGraphEdgeData, 2> edges{};
    std::memset(edges.data(), 0xaa, sizeof edges);
    std::size_t count = edges.size();
    EXPECT_EQ(which == 0   ? cudaGraphGetEdges_v2(graph_, from.data(), to.data(), edges.data(), &count)
              : which == 1 ? cudaGraphNodeGetDependencies_v2(two, from.data(), edges.data(), &count)
                           : cudaGraphNodeGetDependentNodes_v2(one, to.data(), edges.data(), &count),
              cudaSuccess);
    EXPECT_EQ(std::memcmp(edges.data(), std::array<cudaGraphEdgeData, 2>{}.data(), sizeof edges), 0);
    EXPECT_EQ(cudaGraphGetEdges_v2(graph_, nullptr, nullptr, edges.data(), &count), cudaErrorInvalidValue);
  }
}

TEST_F(GraphNodes, are_drawn_with_their_edges) {
  const cudaGraphNode_t one = kernel();
  empty({one});
  const std::string file = test_folder() + "/graph.dot";
  ASSERT_EQ(cudaGraphDebugDotPrint(graph_, file.c_str(), 0), cudaSuccess);
  std::ifstream stream(file);
  const std::string picture{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(picture, HasSubstr("digraph"));
  EXPECT_THAT(picture, HasSubstr("[label=\"store\\n<<<1x1x1, 4x1x1>>>\"]"));
  EXPECT_THAT(picture, HasSubstr(" -> "));
  EXPECT_EQ(cudaGraphDebugDotPrint(graph_, "/no/such/folder/graph.dot", 0), cudaErrorOperatingSystem);
}

TEST_F(GraphNodes, of_kernels_keep_attributes) {
  const cudaGraphNode_t one = kernel(), two = kernel(), none = empty();
  cudaLaunchAttributeValue value{}, told{};
  value.priority = -1;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(one, cudaLaunchAttributePriority, &value), cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(two, one), cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(two, cudaLaunchAttributePriority, &told), cudaSuccess);
  EXPECT_EQ(told.priority, -1);
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(none, cudaLaunchAttributePriority, &value), cudaErrorInvalidValue);
  value.clusterDim = {2, 1, 1};
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(one, cudaLaunchAttributeClusterDimension, &value), cudaErrorNotSupported);
}

bool is_cooperative(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value{};
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value), cudaSuccess);
  return value.cooperative != 0;
}

TEST_F(GraphNodes, of_cooperative_kernels_stay_so_when_their_parameters_change) {
  const cudaGraphNode_t node = kernel();
  cudaLaunchAttributeValue value{};
  value.cooperative = 1;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value), cudaSuccess);
  void* arguments[] = {&to_};
  const cudaKernelNodeParams parameters{&kStore, {1}, {2}, 0, arguments, nullptr};
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
  EXPECT_TRUE(is_cooperative(node));
  value.cooperative = 0;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value), cudaSuccess);
  EXPECT_FALSE(is_cooperative(node));
}

TEST_F(GraphNodes, that_are_captured_are_as_cooperative_as_the_launch_and_so_are_copies) {
  cudaStream_t stream = nullptr;
  cudaGraph_t captured = nullptr;
  cudaGraphNode_t launched = nullptr;
  std::size_t count = 1;
  void* arguments[] = {&to_};
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaLaunchCooperativeKernel(&kStore, {1}, {4}, arguments, 0, stream);
  ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  cudaGraphGetNodes(captured, &launched, &count);
  const cudaGraphNode_t node = kernel();
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(node, launched), cudaSuccess);
  EXPECT_TRUE(is_cooperative(launched) && is_cooperative(node));
  cudaGraphDestroy(captured);
}

TEST_F(GraphNodes, are_instantiated_with_what_a_structure_says) {
  kernel();
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiateParams parameters{};
  parameters.result_out = cudaGraphInstantiateError;
  ASSERT_EQ(cudaGraphInstantiateWithParams(&executable, graph_, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, nullptr, &parameters), cudaErrorInvalidValue);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateInvalidStructure);
}

TEST_F(GraphNodes, are_instantiated_with_flags_that_there_are) {
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiateParams parameters{};
  parameters.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, graph_, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, graph_, parameters.flags), cudaErrorInvalidValue) << "no stream";
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph_, 0x10), cudaErrorInvalidValue);
  parameters.flags = 1ull << 40;
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, graph_, &parameters), cudaErrorInvalidValue);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateError);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph_, cudaGraphInstantiateFlagDeviceLaunch), cudaErrorNotSupported);
}

TEST_F(GraphNodes, user_objects_live_as_long_as_somebody_refers_to_them) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  const cudaHostFn_t destroy = [](void* count) { ++*static_cast<int*>(count); };
  EXPECT_EQ(cudaUserObjectCreate(&object, &destroyed, destroy, 1, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync), cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  const cudaGraphExec_t executable = instantiated();
  EXPECT_EQ(cudaGraphDestroy(std::exchange(graph_, nullptr)), cudaSuccess);
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, user_objects_are_released_as_often_as_they_were_retained) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  cudaUserObjectCreate(
      &object, &destroyed, [](void* count) { ++*static_cast<int*>(count); }, 1, cudaUserObjectNoDestructorSync);
  EXPECT_EQ(cudaUserObjectRetain(object, 2), cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 1, 0), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(object, 3), cudaSuccess);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph_, object, 2), cudaErrorInvalidValue);
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph_, object, 1), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(GraphNodes, are_given_no_more_references_to_a_user_object_than_the_program_has) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  cudaUserObjectCreate(
      &object, &destroyed, [](void* count) { ++*static_cast<int*>(count); }, 2, cudaUserObjectNoDestructorSync);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 3, cudaGraphUserObjectMove), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 2, cudaGraphUserObjectMove), cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 1, cudaGraphUserObjectMove), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphRetainUserObject(graph_, object, 1, 0), cudaSuccess);
  cudaGraphDestroy(std::exchange(graph_, nullptr));
  EXPECT_EQ(destroyed, 1);
}

/// A graph that keeps an object, which counts that it is destroyed.
cudaGraph_t keeping(int& destroyed) {
  cudaGraph_t graph = nullptr;
  cudaUserObject_t object = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaUserObjectCreate(
      &object, &destroyed, [](void* count) { ++*static_cast<int*>(count); }, 1, cudaUserObjectNoDestructorSync);
  EXPECT_EQ(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  return graph;
}

TEST_F(GraphNodes, user_objects_of_children_live_as_long_as_the_parents) {
  int first = 0, second = 0;
  const cudaGraph_t child = keeping(first), other = keeping(second);
  cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeGraph);
  parameters.graph.graph = child;
  const cudaGraphNode_t node = add(parameters);
  parameters.graph.graph = other;
  EXPECT_EQ(cudaGraphNodeSetParams(node, &parameters), cudaSuccess);
  for (const cudaGraph_t graph : {child, other}) cudaGraphDestroy(graph);
  EXPECT_EQ(first + second, 0);
  cudaGraphDestroy(std::exchange(graph_, nullptr));
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

TEST_F(GraphNodes, user_objects_of_an_executable_graphs_new_children_live_as_long_as_it) {
  int first = 0, second = 0;
  const cudaGraph_t child = keeping(first), other = keeping(second);
  cudaGraph_t nothing = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&nothing, 0);
  cudaGraphAddChildGraphNode(&node, graph_, nullptr, 0, nothing);
  const cudaGraphExec_t executable = instantiated();
  cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeGraph);
  parameters.graph.graph = child;
  EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(executable, node, other), cudaSuccess);
  for (const cudaGraph_t graph : {nothing, child, other}) cudaGraphDestroy(graph);
  EXPECT_EQ(first + second, 0);
  cudaGraphExecDestroy(executable);
  EXPECT_EQ(first + second, 2);
}

TEST_F(GraphNodes, user_objects_of_an_updated_graph_are_those_of_its_new_source) {
  int first = 0, second = 0;
  const cudaGraph_t old = keeping(first), source = keeping(second);
  cudaGraphExec_t executable = nullptr;
  cudaGraphExecUpdateResultInfo information{};
  ASSERT_EQ(cudaGraphInstantiate(&executable, old), cudaSuccess);
  cudaGraphDestroy(old);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(cudaGraphExecUpdate(executable, source, &information, nullptr), cudaSuccess);
  cudaGraphDestroy(source);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  cudaGraphExecDestroy(executable);
  EXPECT_EQ(second, 1);
}

cudaMemAllocNodeParams memory_of(std::size_t bytes) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = bytes;
  return parameters;
}

TEST_F(GraphNodes, memory_that_a_graph_allocates_and_frees_has_one_address_and_goes_back_with_the_graph) {
  const std::size_t before = free_bytes();
  cudaMemAllocNodeParams memory = memory_of(4096);
  cudaGraphNode_t allocate = nullptr, fill = nullptr, copy = nullptr, free = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph_, nullptr, 0, &memory), cudaSuccess);
  const cudaMemsetParams parameters{memory.dptr, 0, 5, 4, 1, 1};
  cudaGraphAddMemsetNode(&fill, graph_, &allocate, 1, &parameters);
  cudaGraphAddMemcpyNode1D(&copy, graph_, &fill, 1, to_, memory.dptr, 4, cudaMemcpyDeviceToDevice);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free, graph_, &copy, 1, memory.dptr), cudaSuccess);
  for (int i = 0; i < 2; ++i) launch_graph();
  EXPECT_EQ(words()[0], 5u);
  EXPECT_EQ(cudaFree(memory.dptr), cudaErrorInvalidValue) << "the launch has freed it";
  cudaGraphDestroy(std::exchange(graph_, nullptr));
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(GraphNodes, memory_that_a_launch_leaves_allocated_is_the_programs) {
  const std::size_t before = free_bytes();
  cudaMemAllocNodeParams memory = memory_of(4096);
  cudaGraphNode_t allocate = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph_, nullptr, 0, &memory), cudaSuccess);
  launch_graph();
  cudaGraphDestroy(std::exchange(graph_, nullptr));
  EXPECT_EQ(cudaMemset(memory.dptr, 0, 4096), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory.dptr, nullptr), cudaSuccess);
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(GraphNodes, memory_that_is_still_allocated_is_allocated_again_only_where_the_flag_says_so) {
  cudaMemAllocNodeParams memory = memory_of(4096);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &memory), cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  cudaGraphExecDestroy(executable);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_, cudaGraphInstantiateFlagAutoFreeOnLaunch), cudaSuccess);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(memory.dptr), cudaSuccess);
  cudaGraphExecDestroy(executable);
}

TEST_F(GraphNodes, that_allocate_memory_are_of_one_graph_which_is_instantiated_once_at_a_time) {
  cudaGraphNodeParams parameters = of_type(cudaGraphNodeTypeMemAlloc);
  parameters.alloc = memory_of(4096);
  const cudaGraphNode_t node = add(parameters);
  const cudaGraphExec_t executable = instantiated();
  cudaGraphExec_t second = nullptr;
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t child = nullptr;
  EXPECT_EQ(cudaGraphNodeSetParams(node, &parameters), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, &parameters), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphInstantiate(&second, graph_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphClone(&clone, graph_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, graph_, nullptr, 0, graph_), cudaErrorInvalidValue);
  cudaGraphExecDestroy(executable);
  EXPECT_EQ(cudaGraphExecDestroy(instantiated()), cudaSuccess);
}

TEST_F(GraphNodes, memory_of_no_node_or_of_another_device_is_refused) {
  cudaMemAllocNodeParams elsewhere = memory_of(4096), nothing = memory_of(0);
  elsewhere.poolProps.location.id = 1;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &elsewhere), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &nothing), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, graph_, nullptr, 0, to_), cudaErrorInvalidValue);
}

}  // namespace api_graph_nodes_test
}  // namespace warpfork::cuda

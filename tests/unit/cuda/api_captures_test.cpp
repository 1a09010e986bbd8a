// Stream capture, and the codes that the reference manual gives what cannot be captured ("CUDA Runtime API", "Stream
// Management").
#include <gtest/gtest.h>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_captures_test {

class Captures : public ApiTest {
 protected:
  Captures() {
    cudaMalloc(&to_, 128);
    cudaMemset(to_, 0, 128);
    for (cudaStream_t* stream : {&stream_, &other_}) cudaStreamCreate(stream);
    cudaEventCreate(&event_);
  }
  ~Captures() override {
    for (const cudaStream_t stream : {stream_, other_}) cudaStreamDestroy(stream);
    cudaEventDestroy(event_);
    cudaFree(to_);
  }

  cudaError_t begin() { return cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal); }
  cudaError_t fill(unsigned word, int byte, cudaStream_t stream) {
    return cudaMemsetAsync(static_cast<unsigned*>(to_) + word, byte, 4, stream);
  }
  unsigned word(unsigned at) const {
    unsigned value = 0;
    EXPECT_EQ(cudaMemcpy(&value, static_cast<unsigned*>(to_) + at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
  /// The codes with which the capture ends, and the launch of its graph.
  cudaError_t end_and_launch() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    if (const cudaError_t error = cudaStreamEndCapture(stream_, &graph); error != cudaSuccess) return error;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    const cudaError_t error = cudaGraphLaunch(executable, stream_);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    return error;
  }

  /// How many each of the graph's nodes has.
  static std::vector<std::size_t> dependencies(cudaGraph_t graph) {
    std::size_t count = 0;
    cudaGraphGetNodes(graph, nullptr, &count);
    std::vector<cudaGraphNode_t> nodes(count);
    cudaGraphGetNodes(graph, nodes.data(), &count);
    std::vector<std::size_t> of_nodes;
    for (const cudaGraphNode_t node : nodes) {
      EXPECT_EQ(cudaGraphNodeGetDependencies(node, nullptr, &count, nullptr), cudaSuccess);
      of_nodes.push_back(count);
    }
    return of_nodes;
  }

  void* to_ = nullptr;
  cudaStream_t stream_ = nullptr, other_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

TEST_F(Captures, what_is_called_is_done_when_the_graph_is_launched) {
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(launch(&kStore, {1}, {8}, to_, 0, stream_), cudaSuccess);
  EXPECT_EQ(fill(3, 1, stream_), cudaSuccess);
  EXPECT_EQ(word(7), 0u);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
  EXPECT_EQ(word(7), 7u);
  EXPECT_EQ(word(3), 0x01010101u);
}

// One stream's first node, which the event is in front of, and the other's: the third one comes behind both.
TEST_F(Captures, a_node_depends_on_what_its_stream_has_done_and_has_waited_for) {
  ASSERT_EQ(begin(), cudaSuccess);
  cudaEventRecord(event_, stream_);
  cudaStreamWaitEvent(other_, event_, 0);
  fill(0, 1, stream_);
  fill(1, 1, other_);
  cudaEventRecord(event_, other_);
  cudaStreamWaitEvent(stream_, event_, 0);
  fill(2, 1, stream_);
  fill(3, 1, stream_);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(dependencies(graph), (std::vector<std::size_t>{0, 0, 2, 1}));
  cudaGraphDestroy(graph);
}

TEST_F(Captures, other_streams_go_on_as_ever) {
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(fill(0, 2, other_), cudaSuccess);
  EXPECT_EQ(word(0), 0x02020202u);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
}

TEST_F(Captures, a_stream_joins_by_an_event_and_is_joined_by_another) {
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaSuccess);
  EXPECT_EQ(fill(0, 3, other_), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaSuccess);
  EXPECT_EQ(word(0), 0u);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
  EXPECT_EQ(word(0), 0x03030303u);
  EXPECT_EQ(fill(1, 4, other_), cudaSuccess);
  EXPECT_EQ(word(1), 0x04040404u) << "the other stream's capture is over, too";
}

TEST_F(Captures, a_stream_that_is_not_joined_spoils_the_capture) {
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaSuccess);
  EXPECT_EQ(fill(0, 3, other_), cudaSuccess);
  EXPECT_EQ(end_and_launch(), cudaErrorStreamCaptureUnjoined);
}

TEST_F(Captures, waiting_for_the_stream_spoils_the_capture) {
  cudaStreamCaptureStatus status{};
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
  EXPECT_EQ(fill(0, 3, stream_), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(end_and_launch(), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

TEST_F(Captures, begin_and_end_belong_to_one_stream) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(begin(), cudaErrorIllegalState);
  cudaEventRecord(event_, stream_);
  cudaStreamWaitEvent(other_, event_, 0);
  EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
}

TEST_F(Captures, an_event_that_was_captured_has_no_time) {
  float milliseconds = 0;
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, event_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
}

TEST_F(Captures, an_external_event_is_recorded_by_the_launch) {
  float milliseconds = -1;
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags(event_, stream_, cudaEventRecordExternal), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, event_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(end_and_launch(), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, event_), cudaSuccess);
}

TEST_F(Captures, memory_is_allocated_and_freed_by_the_launch) {
  void *memory = nullptr, *other = nullptr;
  cudaMalloc(&other, 4);
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&memory, 4, stream_), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 6, 4, stream_), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(to_, memory, 4, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream_), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(other, stream_), cudaErrorInvalidValue) << "no graph has allocated it";
  EXPECT_EQ(end_and_launch(), cudaSuccess);
  EXPECT_EQ(word(0), 0x06060606u);
  cudaFree(other);
}

}  // namespace api_captures_test
}  // namespace warpfork::cuda

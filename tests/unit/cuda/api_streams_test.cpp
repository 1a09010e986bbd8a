// The CUDA runtime's calls about streams and events, and the codes that its reference manual gives them ("CUDA Runtime
// API").
#include <gtest/gtest.h>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_streams_test {

class Streams : public ApiTest {};

TEST_F(Streams, a_stream_keeps_flags_and_priority_until_it_is_destroyed) {
  cudaStream_t stream = nullptr;
  unsigned flags = 7;
  int priority = 7;
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, 2, 0), cudaErrorInvalidValue) << "no such flag";
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1), cudaSuccess);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, 0) << "the highest that there is";
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, the_default_streams_are_there_and_cannot_be_destroyed) {
  for (cudaStream_t stream : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  }
}

TEST_F(Streams, every_stream_has_a_number_and_the_only_device) {
  cudaStream_t stream = nullptr;
  unsigned long long own = 0, of_default = 7;
  int device = 7;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(stream, &own), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(nullptr, &of_default), cudaSuccess);
  EXPECT_NE(own, of_default);
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(stream, &own), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, attributes_are_kept_and_copied) {
  cudaStream_t stream = nullptr;
  cudaStreamAttrValue value{}, back{};
  value.priority = 5;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(nullptr, cudaStreamAttributePriority, &back), cudaSuccess);
  EXPECT_EQ(back.priority, 0);
  EXPECT_EQ(cudaStreamCopyAttributes(nullptr, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(nullptr, cudaStreamAttributePriority, &back), cudaSuccess);
  EXPECT_EQ(back.priority, 5);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &back), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, every_call_on_a_stream_asks_whether_it_is_one) {
  const auto stranger = reinterpret_cast<cudaStream_t>(std::uintptr_t{12345});
  void* memory = nullptr;
  EXPECT_EQ(cudaStreamSynchronize(stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMallocAsync(&memory, 4, stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemcpyAsync(memory, memory, 0, cudaMemcpyDefault, stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(stranger, nullptr, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(launch(&kStore, {1}, {1}, nullptr, 0, stranger), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, host_functions_are_called_at_once) {
  int called = 0;
  EXPECT_EQ(cudaLaunchHostFunc(
                nullptr, [](void* data) { ++*static_cast<int*>(data); }, &called),
            cudaSuccess);
  EXPECT_EQ(called, 1);
  const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
    if (status == cudaSuccess) ++*static_cast<int*>(data);
  };
  EXPECT_EQ(cudaStreamAddCallback(nullptr, callback, &called, 0), cudaSuccess);
  EXPECT_EQ(called, 2);
}

class Events : public ApiTest {
 protected:
  Events() {
    cudaEventCreate(&start_);
    cudaEventCreate(&end_);
    cudaMalloc(&to_, 128);
  }
  ~Events() override {
    for (cudaEvent_t event : {start_, end_}) cudaEventDestroy(event);
    cudaFree(to_);
  }

  cudaEvent_t start_ = nullptr, end_ = nullptr;
  void* to_ = nullptr;
};

// The functional sink takes a cycle for each warp instruction: six of one warp, at 1 400 000 cycles a millisecond.
TEST_F(Events, time_passes_in_kernels_at_the_core_clock) {
  float milliseconds = -1;
  cudaEventRecord(start_, nullptr);
  ASSERT_EQ(launch(&kStore, {1}, {32}, to_), cudaSuccess);
  cudaEventRecord(end_, nullptr);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, start_, end_), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds, 6.0f / 1400000);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, end_, start_), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds, -6.0f / 1400000);
}

TEST_F(Events, no_time_passes_in_copies) {
  float milliseconds = -1;
  cudaEventRecord(start_, nullptr);
  cudaMemset(to_, 0, 128);
  cudaEventRecord(end_, nullptr);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start_, end_), cudaSuccess);
  EXPECT_EQ(milliseconds, 0);
}

TEST_F(Events, an_event_without_a_time_measures_nothing) {
  float milliseconds = 0;
  cudaEvent_t untimed = nullptr;
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventRecord(start_, nullptr);
  cudaEventRecord(untimed, nullptr);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start_, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start_, end_), cudaErrorInvalidResourceHandle) << "never recorded";
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
}

TEST_F(Events, what_is_no_event_is_refused_by_every_call) {
  const auto stranger = reinterpret_cast<cudaEvent_t>(std::uintptr_t{54321});
  EXPECT_EQ(cudaEventRecord(stranger, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventSynchronize(stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventQuery(stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(stranger), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, stranger, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, start_, 0), cudaSuccess);
}

}  // namespace api_streams_test
}  // namespace warpfork::cuda

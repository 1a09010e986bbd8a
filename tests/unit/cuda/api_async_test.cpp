// The CUDA runtime's asynchronous copies and fills ("CUDA Runtime API", "Memory Management"): here they end before they
// return, and like all calls on a stream they ask whether it is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_async_test {

using ::testing::Each;
using ::testing::ElementsAre;

using Words = std::array<unsigned, 4>;

class Async : public ApiTest {
 protected:
  Async() {
    cudaMalloc(&device_, sizeof(Words));
    cudaMemset(device_, 0, sizeof(Words));
    cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  }
  ~Async() override {
    cudaStreamDestroy(stream_);
    cudaFree(device_);
  }

  Words words() const {
    Words back{};
    EXPECT_EQ(cudaMemcpyAsync(back.data(), device_, sizeof back, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    return back;
  }

  /// Two rows of a word, 8 bytes apart.
  cudaMemcpy3DParms box(const Words& from) const {
    cudaMemcpy3DParms box{};
    box.srcPtr = {const_cast<unsigned*>(from.data()), 4, 4, 2};
    box.dstPtr = {device_, 8, 8, 2};
    box.extent = {4, 2, 1};
    box.kind = cudaMemcpyHostToDevice;
    return box;
  }

  void* device_ = nullptr;
  cudaStream_t stream_ = nullptr;
  const cudaStream_t stranger_ = reinterpret_cast<cudaStream_t>(std::uintptr_t{12345});
};

TEST_F(Async, a_copy_is_there_when_its_call_returns) {
  const Words from{1, 2, 3, 4};
  EXPECT_EQ(cudaMemcpyAsync(device_, from.data(), sizeof from, cudaMemcpyHostToDevice, stream_), cudaSuccess);
  EXPECT_EQ(words(), from);
  EXPECT_EQ(cudaStreamQuery(stream_), cudaSuccess);
}

TEST_F(Async, rows_and_boxes_are_copied_as_by_the_calls_that_wait) {
  const Words from{1, 2, 3, 4};
  EXPECT_EQ(cudaMemcpy2DAsync(device_, 8, from.data(), 8, 4, 2, cudaMemcpyHostToDevice, stream_), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(1, 0, 3, 0));
  const cudaMemcpy3DParms parameters = box(from);
  EXPECT_EQ(cudaMemcpy3DAsync(&parameters, stream_), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(1, 0, 2, 0));
  EXPECT_EQ(cudaMemcpy3DAsync(nullptr, stream_), cudaErrorInvalidValue);
}

TEST_F(Async, bytes_rows_and_boxes_are_filled_as_by_the_calls_that_wait) {
  EXPECT_EQ(cudaMemsetAsync(device_, 1, sizeof(Words), stream_), cudaSuccess);
  EXPECT_THAT(words(), Each(0x01010101));
  EXPECT_EQ(cudaMemset2DAsync(device_, 8, 2, 4, 2, stream_), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(0x02020202, 0x01010101, 0x02020202, 0x01010101));
  EXPECT_EQ(cudaMemset3DAsync({device_, 4, 4, 2}, 3, {4, 2, 2}, stream_), cudaSuccess);
  EXPECT_THAT(words(), Each(0x03030303));
}

TEST_F(Async, a_variable_is_written_and_read_from_an_offset_on) {
  unsigned word = 30, back = 0;
  EXPECT_EQ(cudaMemcpyToSymbolAsync(&kTable, &word, 4, 8, cudaMemcpyHostToDevice, stream_), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbolAsync(&back, &kTable, 4, 8, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  EXPECT_EQ(back, 30u);
  EXPECT_EQ(cudaMemcpyToSymbolAsync(&kTable, &word, 4, 13, cudaMemcpyHostToDevice, stream_), cudaErrorInvalidValue);
}

TEST_F(Async, a_copy_between_devices_stays_on_the_only_one) {
  cudaMemset(device_, 5, 4);
  EXPECT_EQ(cudaMemcpyPeerAsync(static_cast<char*>(device_) + 4, 0, device_, 0, 4, stream_), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(0x05050505, 0x05050505, 0, 0));
  EXPECT_EQ(cudaMemcpyPeerAsync(device_, 1, device_, 0, 4, stream_), cudaErrorInvalidDevice);
}

TEST_F(Async, copies_ask_whether_their_stream_is_one) {
  Words from{1, 2, 3, 4};
  const cudaMemcpy3DParms parameters = box(from);
  constexpr auto kTo = cudaMemcpyHostToDevice, kBack = cudaMemcpyDeviceToHost;
  for (const cudaError_t error :
       {cudaMemcpyAsync(device_, from.data(), 4, kTo, stranger_),
        cudaMemcpy2DAsync(device_, 8, from.data(), 8, 4, 2, kTo, stranger_), cudaMemcpy3DAsync(&parameters, stranger_),
        cudaMemcpyPeerAsync(device_, 0, device_, 0, 4, stranger_),
        cudaMemcpyToSymbolAsync(&kTable, from.data(), 4, 0, kTo, stranger_),
        cudaMemcpyFromSymbolAsync(from.data(), &kTable, 4, 0, kBack, stranger_)})
    EXPECT_EQ(error, cudaErrorInvalidResourceHandle);
  EXPECT_THAT(words(), Each(0));
  EXPECT_THAT(from, ElementsAre(1, 2, 3, 4));
}

TEST_F(Async, fills_ask_whether_their_stream_is_one) {
  EXPECT_EQ(cudaMemsetAsync(device_, 1, 4, stranger_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemset2DAsync(device_, 8, 1, 4, 2, stranger_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemset3DAsync({device_, 4, 4, 2}, 1, {4, 2, 2}, stranger_), cudaErrorInvalidResourceHandle);
  EXPECT_THAT(words(), Each(0));
}

TEST_F(Async, nothing_is_done_on_a_stream_that_is_gone) {
  cudaStream_t gone = nullptr;
  cudaStreamCreate(&gone);
  cudaStreamDestroy(gone);
  EXPECT_EQ(cudaMemsetAsync(device_, 1, 4, gone), cudaErrorInvalidResourceHandle);
  EXPECT_THAT(words(), Each(0));
}

}  // namespace api_async_test
}  // namespace warpfork::cuda

// The CUDA runtime's calls about memory and symbols, and the codes that its reference manual gives them ("CUDA Runtime
// API").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_memory_test {

using ::testing::ElementsAre;

using Words = std::array<unsigned, 4>;

class Memory : public ApiTest {
 protected:
  Memory() { cudaMalloc(&device_, 256); }
  ~Memory() override { cudaFree(device_); }

  Words words() const {
    Words back{};
    EXPECT_EQ(cudaMemcpy(back.data(), device_, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
    return back;
  }

  void* device_ = nullptr;
};

TEST_F(Memory, an_allocation_takes_what_is_free_and_gives_it_back) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  void* more = nullptr;
  cudaMemGetInfo(&before, &total);
  ASSERT_EQ(cudaMalloc(&more, 1 << 20), cudaSuccess);
  cudaMemGetInfo(&during, &total);
  EXPECT_EQ(cudaFree(more), cudaSuccess);
  cudaMemGetInfo(&after, &total);
  EXPECT_EQ(before - during, 1u << 20);
  EXPECT_EQ(after, before);
  EXPECT_EQ(total, 1536ull << 20);
}

TEST_F(Memory, allocations_that_cannot_be_are_refused) {
  void* more = &more;
  EXPECT_EQ(cudaMalloc(&more, 1536ull << 20), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&more, 0), cudaSuccess);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(device_) + 4), cudaErrorInvalidValue);
}

TEST_F(Memory, a_freed_pointer_cannot_be_freed_again) {
  void* once = nullptr;
  cudaMallocAsync(&once, 4, nullptr);
  EXPECT_EQ(cudaFreeAsync(once, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(once, nullptr), cudaErrorInvalidValue);
}

TEST_F(Memory, copies_go_in_the_direction_that_is_named) {
  const Words from{5, 6, 7, 8};
  EXPECT_EQ(cudaMemcpy(device_, from.data(), sizeof from, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(words(), from);
  EXPECT_EQ(cudaMemcpyAsync(static_cast<char*>(device_) + 4, device_, 8, cudaMemcpyDeviceToDevice, nullptr),
            cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(5, 5, 6, 8));
  EXPECT_EQ(cudaMemcpyPeer(device_, 0, static_cast<char*>(device_) + 12, 0, 4), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(8, 5, 6, 8));
}

TEST_F(Memory, copies_that_cannot_be_are_refused_by_their_codes) {
  Words host{};
  EXPECT_EQ(cudaMemcpy(device_, host.data(), 257, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, host.data(), 4, static_cast<cudaMemcpyKind>(5)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyPeer(device_, 1, device_, 0, 4), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemcpyPeer(device_, 0, device_, -1, 4), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess) << "nothing to copy";
}

TEST_F(Memory, rows_are_copied_and_filled_by_their_pitches) {
  const Words from{1, 2, 3, 4};
  cudaMemset(device_, 0, 256);
  EXPECT_EQ(cudaMemcpy2D(device_, 8, from.data(), 8, 4, 2, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(1, 0, 3, 0));
  EXPECT_EQ(cudaMemset2D(static_cast<char*>(device_) + 4, 8, 0xff, 4, 2), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(1, 0xffffffff, 3, 0xffffffff));
  EXPECT_EQ(cudaMemcpy2D(device_, 3, from.data(), 8, 4, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(device_, 3, 0, 4, 2), cudaErrorInvalidValue);
}

// Two slices of two rows of one word, in memory whose rows lie 8 bytes apart.
TEST_F(Memory, boxes_are_copied_slice_by_slice) {
  const Words from{1, 2, 3, 4};
  cudaMemset(device_, 0, 256);
  cudaMemcpy3DParms box{};
  box.srcPtr = {const_cast<unsigned*>(from.data()), 4, 4, 2};
  box.dstPtr = {device_, 8, 8, 2};
  box.dstPos.x = 4;
  box.extent = {4, 2, 2};
  box.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&box), cudaSuccess);
  std::array<unsigned, 8> back{};
  cudaMemcpy(back.data(), device_, sizeof back, cudaMemcpyDeviceToHost);
  EXPECT_THAT(back, ElementsAre(0, 1, 0, 2, 0, 3, 0, 4));
}

TEST_F(Memory, a_box_of_what_is_no_array_cannot_be_copied) {
  cudaMemcpy3DParms box{};
  box.srcArray = reinterpret_cast<cudaArray_t>(device_);
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

// CUDA C++ Programming Guide, "Device Memory": rows begin at multiples of the pitch, which is aligned.
TEST_F(Memory, pitched_rows_begin_at_multiples_of_512_bytes) {
  void* rows = nullptr;
  for (const auto& [width, pitch] : {std::pair{1, 512}, std::pair{512, 512}, std::pair{513, 1024}}) {
    std::size_t given = 0;
    ASSERT_EQ(cudaMallocPitch(&rows, &given, static_cast<std::size_t>(width), 3), cudaSuccess);
    EXPECT_EQ(given, static_cast<std::size_t>(pitch));
    EXPECT_EQ(cudaMemset2D(rows, given, 1, given, 3), cudaSuccess);
    cudaFree(rows);
  }
  std::size_t given = 0;
  EXPECT_EQ(cudaMallocPitch(&rows, &given, 512, 1ull << 40), cudaErrorMemoryAllocation);
}

TEST_F(Memory, a_pitched_box_knows_its_width_and_height) {
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, {100, 3, 2}), cudaSuccess);
  EXPECT_EQ(box.pitch, 512u);
  EXPECT_EQ(box.xsize, 100u);
  EXPECT_EQ(box.ysize, 3u);
  EXPECT_EQ(cudaMemset3D(box, 7, {100, 3, 2}), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(box, 7, {100, 3, 3}), cudaErrorInvalidValue) << "there are two slices";
  cudaFree(box.ptr);
}

TEST_F(Memory, pointers_know_what_they_point_into) {
  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, static_cast<char*>(device_) + 255), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.devicePointer, static_cast<char*>(device_) + 255);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  int own = 0;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &own), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(attributes.devicePointer, nullptr);
}

TEST_F(Memory, page_locked_memory_has_its_flags_and_is_not_freed_as_devices) {
  void* host = nullptr;
  unsigned flags = 0;
  ASSERT_EQ(cudaHostAlloc(&host, 64, cudaHostAllocPortable), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, host), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaHostAllocPortable | cudaHostAllocMapped}) << "as a GPU's runtime says";
  EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, host), cudaErrorInvalidValue);
}

TEST_F(Memory, own_memory_is_registered_once_and_must_be_to_be_unregistered) {
  Words own{};
  EXPECT_EQ(cudaHostRegister(own.data(), sizeof own, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(own.data(), sizeof own, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
}

TEST_F(Memory, kernels_write_to_own_memory_that_is_registered) {
  Words own{7, 7, 7, 7};
  void* seen = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, own.data(), 0), cudaErrorInvalidValue) << "not registered";
  ASSERT_EQ(cudaHostRegister(own.data(), sizeof own, cudaHostRegisterMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&seen, own.data(), 0), cudaSuccess);
  EXPECT_EQ(launch(&kStore, {1}, {3}, seen), cudaSuccess);
  EXPECT_THAT(own, ElementsAre(0, 1, 2, 7));
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, own.data()), cudaSuccess);
  EXPECT_EQ(attributes.devicePointer, seen);
  EXPECT_EQ(attributes.hostPointer, own.data());
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
}

TEST_F(Memory, what_a_kernel_wrote_before_it_failed_is_in_own_memory) {
  const auto body = [] {
    std::array<unsigned, 32> own{};
    void* seen = nullptr;
    cudaHostRegister(own.data(), sizeof own, cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&seen, own.data(), 0);
    const cudaError_t error = launch(&kStore, {1}, {64}, seen);
    std::_Exit(error == cudaErrorIllegalAddress && own[31] == 31 ? 0 : 1);
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST_F(Memory, boxes_of_two_devices_are_of_one) {
  const Words from{1, 2, 3, 4};
  cudaMemcpy3DPeerParms box{};
  cudaMemcpy(device_, from.data(), 16, cudaMemcpyHostToDevice);
  box.srcPtr = {device_, 8, 8, 2};
  box.dstPtr = {static_cast<char*>(device_) + 4, 8, 8, 2};
  box.extent = {4, 2, 1};
  EXPECT_EQ(cudaMemcpy3DPeer(&box), cudaSuccess);
  EXPECT_THAT(words(), ElementsAre(1, 1, 3, 3));
  box.dstDevice = 1;
  EXPECT_EQ(cudaMemcpy3DPeer(&box), cudaErrorInvalidDevice);
}

TEST_F(Memory, managed_memory_needs_a_flag_that_there_is) {
  void* managed = nullptr;
  EXPECT_EQ(cudaMallocManaged(&managed, 0, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&managed, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&managed, 4, 3), cudaErrorInvalidValue);
}

class Symbol : public ApiTest {};

TEST_F(Symbol, a_variable_has_an_address_and_a_size) {
  void* address = nullptr;
  std::size_t bytes = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, &kTable), cudaSuccess);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, &kTable), cudaSuccess);
  EXPECT_NE(address, nullptr);
  EXPECT_EQ(bytes, 16u);
}

TEST_F(Symbol, copies_move_its_bytes_from_an_offset_on) {
  Words back{};
  const unsigned nine = 9;
  EXPECT_EQ(cudaMemcpyFromSymbol(back.data(), &kTable, 16, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_THAT(back, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(cudaMemcpyToSymbol(&kTable, &nine, 4, 8, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbolAsync(back.data(), &kTable, 8, 8, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_THAT(back, ElementsAre(9, 4, 3, 4));
}

TEST_F(Symbol, copies_end_where_the_variable_does) {
  Words host{};
  EXPECT_EQ(cudaMemcpyToSymbol(&kTable, host.data(), 12, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(&kTable, host.data(), 13, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromSymbol(host.data(), &kTable, 0, 17, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromSymbol(host.data(), &kTable, 4, ~std::size_t{0}, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
}

TEST_F(Symbol, what_was_never_registered_is_no_symbol) {
  void* address = nullptr;
  std::size_t bytes = 0;
  char stranger = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, &stranger), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, &kStore), cudaErrorInvalidSymbol) << "a kernel is none";
  EXPECT_EQ(cudaGetSymbolSize(nullptr, &kTable), cudaErrorInvalidValue);
}

}  // namespace api_memory_test
}  // namespace warpfork::cuda

#include "cuda/runtime/memory_space.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <vector>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {
namespace memory_space_test {

constexpr std::uint64_t kCapacity = 1 << 20;

class DeviceAndHost : public testing::Test {
 protected:
  cudaError_t code_of(const std::function<void()>& body) {
    try {
      body();
    } catch (const ApiError& error) {
      return error.code();
    }
    return cudaSuccess;
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> told_;
  simt::DeviceMemory device_{kCapacity};
  MemorySpace memory_{device_, kCapacity, [this](std::uint64_t a, std::uint64_t n) { told_.emplace_back(a, n); }};
};

TEST_F(DeviceAndHost, bytes_go_there_and_back) {
  const std::array<int, 4> from{1, 2, 3, 4};
  std::array<int, 4> back{};
  void* a = memory_.allocate(sizeof from);
  void* b = memory_.allocate(sizeof from);
  memory_.copy(a, from.data(), sizeof from, cudaMemcpyHostToDevice);
  memory_.copy(b, a, sizeof from, cudaMemcpyDeviceToDevice);
  memory_.copy(back.data(), b, sizeof from, cudaMemcpyDefault);
  EXPECT_EQ(back, from);
}

TEST_F(DeviceAndHost, what_copies_and_fills_wrote_is_known_where_memory_is_watched) {
  device_.watch();
  const std::array<int, 4> from{};
  std::byte* a = static_cast<std::byte*>(memory_.allocate(32));
  std::byte* b = static_cast<std::byte*>(memory_.allocate(32));
  const auto written = [&](const std::byte* at) {
    return simt::first_unwritten(device_.watched()->written_from(reinterpret_cast<std::uint64_t>(at)), 32);
  };
  EXPECT_EQ(written(a), 0u);
  memory_.copy(a, from.data(), 16, cudaMemcpyHostToDevice);
  EXPECT_EQ(written(a), 16u);
  memory_.fill(b, 0, 32);
  memory_.copy(b, a, 24, cudaMemcpyDeviceToDevice);  // of which the last 8 are unknown
  EXPECT_EQ(written(b), 16u);
  memory_.fill(b + 16, 0, 8);
  EXPECT_EQ(written(b), 32u);
}

// The host may write there unseen.
TEST_F(DeviceAndHost, managed_and_page_locked_memory_counts_as_written_where_memory_is_watched) {
  if (!memory_.is_shared()) GTEST_SKIP() << "the device's addresses are taken in this process";
  device_.watch();
  std::byte* never = static_cast<std::byte*>(memory_.allocate(8));
  for (void* shared : {memory_.allocate(8, cudaMemoryTypeManaged), memory_.allocate_host(8, 0)}) {
    memory_.copy(shared, never, 8, cudaMemcpyDefault);
    const auto address = reinterpret_cast<std::uint64_t>(shared);
    EXPECT_EQ(simt::first_unwritten(device_.watched()->written_from(address), 8), 8u);
  }
}

TEST_F(DeviceAndHost, only_copies_from_the_host_are_told) {
  const std::array<int, 4> from{};
  void* a = memory_.allocate(64);
  const auto address = reinterpret_cast<std::uint64_t>(a);
  memory_.copy(a, from.data(), 16, cudaMemcpyDefault);
  memory_.copy(static_cast<std::byte*>(a) + 16, a, 16, cudaMemcpyDeviceToDevice);
  memory_.fill(a, 0, 64);
  EXPECT_EQ(told_, (decltype(told_){{address, 16}}));
}

TEST_F(DeviceAndHost, rows_are_copied_by_their_pitches) {
  const std::array<char, 6> from{'a', 'b', '.', 'c', 'd', '.'};
  std::array<char, 8> back{};
  void* a = memory_.allocate(8);
  memory_.fill(a, 'x', 8);
  memory_.copy_rows(a, 4, from.data(), 3, 2, 2, cudaMemcpyHostToDevice);
  memory_.copy(back.data(), a, 8, cudaMemcpyDeviceToHost);
  EXPECT_EQ(std::string(back.data(), 8), "abxxcdxx");
  EXPECT_EQ(code_of([&] { memory_.copy_rows(a, 1, from.data(), 3, 2, 2, cudaMemcpyHostToDevice); }),
            cudaErrorInvalidPitchValue);
}

TEST_F(DeviceAndHost, copy_past_the_end_of_an_allocation_is_refused) {
  std::array<char, 512> host{};
  void* a = memory_.allocate(100);
  EXPECT_EQ(code_of([&] { memory_.copy(a, host.data(), 100, cudaMemcpyHostToDevice); }), cudaSuccess);
  EXPECT_EQ(code_of([&] { memory_.copy(a, host.data(), 101, cudaMemcpyHostToDevice); }), cudaErrorInvalidValue);
  EXPECT_EQ(code_of([&] { memory_.fill(a, 0, 101); }), cudaErrorInvalidValue);
}

TEST_F(DeviceAndHost, wrong_side_or_direction_is_refused) {
  int host = 0;
  void* a = memory_.allocate(4);
  EXPECT_EQ(code_of([&] { memory_.copy(&host, a, 4, cudaMemcpyHostToDevice); }), cudaErrorInvalidValue);
  EXPECT_EQ(code_of([&] { memory_.copy(a, &host, 4, static_cast<cudaMemcpyKind>(7)); }),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(code_of([&] { memory_.copy(a, nullptr, 4, cudaMemcpyHostToDevice); }), cudaErrorInvalidValue);
}

TEST_F(DeviceAndHost, free_bytes_follow_allocations) {
  EXPECT_EQ(memory_.allocate(0), nullptr);
  void* a = memory_.allocate(kCapacity / 2);
  EXPECT_EQ(memory_.free_bytes(), kCapacity / 2);
  EXPECT_EQ(code_of([&] { memory_.allocate(kCapacity / 2 + 1); }), cudaErrorMemoryAllocation);
  memory_.free(a);
  EXPECT_EQ(memory_.free_bytes(), kCapacity);
  EXPECT_EQ(code_of([&] { memory_.free(a); }), cudaErrorInvalidValue);
  EXPECT_NO_THROW(memory_.free(nullptr));
}

TEST_F(DeviceAndHost, page_locked_memory_keeps_its_flags_until_it_is_freed) {
  void* a = memory_.allocate_host(100, cudaHostAllocPortable);
  EXPECT_EQ(memory_.host_flags(a), unsigned{cudaHostAllocPortable});
  EXPECT_EQ(memory_.type_of(a), cudaMemoryTypeHost);
  memory_.free_host(a);
  EXPECT_EQ(code_of([&] { memory_.host_flags(a); }), cudaErrorInvalidValue);
}

TEST_F(DeviceAndHost, registered_memory_is_host_memory) {
  std::array<char, 64> own{};
  memory_.register_host(own.data(), own.size(), 0);
  EXPECT_EQ(memory_.type_of(own.data() + 63), cudaMemoryTypeHost);
  EXPECT_EQ(code_of([&] { memory_.register_host(own.data(), 1, 0); }), cudaErrorHostMemoryAlreadyRegistered);
  memory_.unregister_host(own.data());
  EXPECT_EQ(memory_.type_of(own.data()), cudaMemoryTypeUnregistered);
}

TEST_F(DeviceAndHost, registered_memory_is_the_kernels_during_a_launch) {
  std::array<char, 8> own{1, 2, 3, 4, 5, 6, 7, 8};
  memory_.register_host(own.data() + 1, 4, 0);
  auto* const seen = static_cast<char*>(memory_.device_pointer(own.data() + 2));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(seen) % 256, reinterpret_cast<std::uintptr_t>(own.data() + 2) % 256);
  std::byte* const device = device_.find(reinterpret_cast<std::uintptr_t>(seen), 3);
  memory_.begin_launch();
  EXPECT_EQ(device[0], std::byte{3});
  device[0] = std::byte{30};
  own[3] = 40;  // by another thread of the host
  memory_.end_launch();
  EXPECT_EQ(own, (std::array<char, 8>{1, 2, 30, 40, 5, 6, 7, 8}));
  memory_.unregister_host(own.data() + 1);
  EXPECT_EQ(memory_.free_bytes(), kCapacity);
}

TEST_F(DeviceAndHost, copies_to_a_kernels_address_of_registered_memory_reach_the_hosts) {
  std::array<char, 4> own{1, 2, 3, 4};
  memory_.register_host(own.data(), own.size(), 0);
  auto* const seen = static_cast<char*>(memory_.device_pointer(own.data()));
  const char seven = 7;
  memory_.copy(seen + 1, &seven, 1, cudaMemcpyHostToDevice);
  memory_.fill(seen + 2, 9, 1);
  EXPECT_EQ(own, (std::array<char, 4>{1, 7, 9, 4}));
  EXPECT_EQ(code_of([&] { memory_.fill(seen + 3, 9, 2); }), cudaErrorInvalidValue);
  EXPECT_EQ(memory_.type_of(seen), cudaMemoryTypeHost);
  EXPECT_EQ(memory_.host_pointer(seen + 3), own.data() + 3);
}

TEST_F(DeviceAndHost, registered_memory_counts_as_written_where_memory_is_watched) {
  device_.watch();
  std::array<char, 4> own{};
  memory_.register_host(own.data(), own.size(), 0);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.device_pointer(own.data()));
  EXPECT_EQ(simt::first_unwritten(device_.watched()->written_from(address), 4), 4u);
}

TEST_F(DeviceAndHost, who_asks_for_registered_memory_that_finds_no_room_is_told_of_no_address) {
  std::vector<char> own(kCapacity + 1);
  memory_.register_host(own.data(), own.size(), 0);
  EXPECT_EQ(memory_.known_device_pointer(own.data()), nullptr);
  EXPECT_EQ(code_of([&] { memory_.device_pointer(own.data()); }), cudaErrorMemoryAllocation);
  EXPECT_EQ(code_of([&] { memory_.known_device_pointer(&own); }), cudaErrorInvalidValue);
}

TEST_F(DeviceAndHost, registered_memory_that_was_freed_is_no_kernels) {
  constexpr std::size_t kBytes = 1 << 16;
  void* const own = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory_.register_host(own, kBytes, 0);
  void* const seen = memory_.device_pointer(own);
  memory_.begin_launch();
  memory_.end_launch();
  EXPECT_NE(memory_.range_of(seen).bytes, 0u);
  munmap(own, kBytes);
  memory_.begin_launch();
  EXPECT_EQ(memory_.range_of(seen).bytes, 0u);
  EXPECT_NE(memory_.missing_memory().find("was freed: call cudaHostUnregister"), std::string::npos);
  EXPECT_EQ(code_of([&] { memory_.unregister_host(own); }), cudaSuccess);
}

TEST_F(DeviceAndHost, last_allocation_that_found_no_room_is_remembered_with_the_remedy) {
  EXPECT_EQ(memory_.missing_memory(), "");
  EXPECT_EQ(code_of([&] { memory_.allocate(kCapacity + 2); }), cudaErrorMemoryAllocation);
  EXPECT_EQ(code_of([&] { memory_.allocate(kCapacity + 1); }), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory_.missing_memory(),
            "cudaMalloc of 1048577 bytes was refused: 1048576 of the device's 1048576 were free; a machine that has "
            "more: --set memory_bytes=N");
}

TEST_F(DeviceAndHost, managed_memory_is_shared_or_refused) {
  if (memory_.is_shared()) {
    auto* a = static_cast<int*>(memory_.allocate(4, cudaMemoryTypeManaged));
    *a = 7;  // the host's own access
    EXPECT_EQ(*reinterpret_cast<int*>(device_.find(reinterpret_cast<std::uint64_t>(a), 4)), 7);
  } else {
    EXPECT_EQ(code_of([&] { memory_.allocate(4, cudaMemoryTypeManaged); }), cudaErrorNotSupported);
  }
}

}  // namespace memory_space_test
}  // namespace warpfork::cuda

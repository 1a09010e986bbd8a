// The CUDA runtime's calls and the codes that its reference manual gives them ("CUDA Runtime API").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  EXPECT_EQ(cudaMemset2D(device_, 3, 0, 4, 2), cudaErrorInvalidPitchValue);
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

TEST_F(Memory, a_box_of_an_array_is_not_supported) {
  cudaMemcpy3DParms box{};
  box.srcArray = reinterpret_cast<cudaArray_t>(device_);
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorNotSupported);
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
  EXPECT_EQ(flags, unsigned{cudaHostAllocPortable});
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

TEST_F(Memory, managed_memory_needs_bytes_and_a_flag_that_there_is) {
  void* managed = nullptr;
  EXPECT_EQ(cudaMallocManaged(&managed, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
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

class Streams : public ApiTest {};

TEST_F(Streams, a_stream_keeps_flags_and_priority_until_it_is_destroyed) {
  cudaStream_t stream = nullptr;
  unsigned flags = 7;
  int priority = 7;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1), cudaSuccess);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, -1);
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

class Device : public ApiTest {};

TEST_F(Device, there_is_one_and_its_number_is_zero) {
  int count = 0, device = 7;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
}

// The GTX 480's (CUDA C++ Programming Guide, "Technical Specifications", and its data sheet); sm_70 is the PTX's.
TEST_F(Device, attributes_are_those_of_the_description) {
  const auto attribute = [](cudaDeviceAttr name) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, name, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrWarpSize), 32);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), 15);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), 1536);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), 48 << 10);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimZ), 64);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimY), 65535);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), 7);
}

TEST_F(Device, attributes_need_a_place_and_the_device) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
}

TEST_F(Device, limits_are_kept_though_they_change_nothing) {
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(7)), cudaErrorUnsupportedLimit);
}

TEST_F(Device, the_bus_id_names_the_device_and_no_other) {
  char id[16] = {};
  int device = 7;
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, 12, 0), cudaErrorInvalidValue) << "twelve characters and their end";
  ASSERT_EQ(cudaDeviceGetPCIBusId(id, 13, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:01:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
}

TEST_F(Device, versions_are_those_of_the_library) {
  int runtime = 0, driver = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  EXPECT_EQ(runtime, 12000);
  EXPECT_EQ(driver, 12000);
  EXPECT_EQ(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
}

TEST_F(Device, hints_are_taken_and_read_back_as_defaults) {
  cudaFuncCache cache = cudaFuncCachePreferL1;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
  int peer = 7;
  EXPECT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetCacheConfig(&cache), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetSharedMemConfig(&banks), cudaSuccess);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 1), cudaSuccess);
  EXPECT_EQ(cache, cudaFuncCachePreferNone);
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
  EXPECT_EQ(peer, 0);
}

class Launch : public ApiTest {
 protected:
  Launch() { cudaMalloc(&to_, 4 * 1024); }
  ~Launch() override { cudaFree(to_); }

  void* to_ = nullptr;
};

TEST_F(Launch, runs_the_kernel_that_was_registered_under_the_address) {
  ASSERT_EQ(launch(&kStore, {1}, {4}, to_), cudaSuccess);
  Words back{};
  cudaMemcpy(back.data(), to_, sizeof back, cudaMemcpyDeviceToHost);
  EXPECT_THAT(back, ElementsAre(0, 1, 2, 3));
}

TEST_F(Launch, shapes_that_no_device_takes_are_refused_by_their_codes) {
  EXPECT_EQ(launch(&kStore, {0}, {4}, to_), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&kStore, {1}, {4, 0}, to_), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&kStore, {1}, {1025}, to_), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&kStore, {1, 65536}, {1}, to_), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&kStore, {1}, {1}, to_, (48 << 10) - 63), cudaErrorInvalidValue) << "64 bytes are the kernel's";
  EXPECT_EQ(launch(&kStore, {1}, {1}, to_, (48 << 10) - 64), cudaSuccess);
}

TEST_F(Launch, what_was_never_registered_is_no_kernel) {
  EXPECT_EQ(launch(&kTable, {1}, {1}, to_), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(nullptr, {1}, {1}, to_), cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &kTable), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFuncSetCacheConfig(&kTable, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, a_kernels_handle_stands_for_it) {
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaGetKernel(&kernel, &kStore), cudaSuccess);
  EXPECT_NE(kernel, nullptr);
  EXPECT_EQ(cudaGetKernel(nullptr, &kStore), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetKernel(&kernel, &kTable), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, a_kernel_tells_what_it_needs) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &kStore), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 64u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, (48 << 10) - 64);
  EXPECT_EQ(attributes.ptxVersion, 70);
  EXPECT_GT(attributes.numRegs, 0);
}

TEST_F(Launch, dynamic_shared_memory_may_be_raised_to_what_there_is) {
  const auto raise = [](int bytes) {
    return cudaFuncSetAttribute(&kStore, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  EXPECT_EQ(raise(48 << 10), cudaSuccess);
  EXPECT_EQ(raise((48 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(raise(-1), cudaErrorInvalidValue);
}

TEST_F(Launch, blocks_that_fit_on_a_core_are_counted) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 512, 0), cudaSuccess);
  EXPECT_EQ(blocks, 3) << "1536 threads";
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 512, 48 << 10), cudaSuccess);
  EXPECT_EQ(blocks, 0) << "more shared memory than there is";
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 0, 0), cudaErrorInvalidValue);
}

// What `kernel<<<grid, block, shared, stream>>>()` becomes: pushed by the caller, popped by the kernel's stub.
TEST_F(Launch, configurations_are_popped_in_reverse_and_not_once_more) {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  __cudaPushCallConfiguration({1}, {2}, 3, nullptr);
  __cudaPushCallConfiguration({4, 5}, {6}, 7, cudaStreamPerThread);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.y, 5u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(stream, cudaStreamPerThread);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(block.x, 2u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

class Errors : public ApiTest {};

TEST_F(Errors, the_last_one_is_given_once_and_looked_at_as_often_as_one_likes) {
  cudaFree(&kStore);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Errors, a_call_that_succeeds_does_not_take_an_earlier_one_away) {
  int device = 0;
  cudaSetDevice(5);
  cudaGetDevice(&device);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

// CUDA Runtime API, cudaError: numbers, names and texts.
const std::pair<int, const char*> kNamesByNumber[] = {{0, "cudaSuccess"},
                                                      {1, "cudaErrorInvalidValue"},
                                                      {2, "cudaErrorMemoryAllocation"},
                                                      {9, "cudaErrorInvalidConfiguration"},
                                                      {12, "cudaErrorInvalidPitchValue"},
                                                      {13, "cudaErrorInvalidSymbol"},
                                                      {21, "cudaErrorInvalidMemcpyDirection"},
                                                      {98, "cudaErrorInvalidDeviceFunction"},
                                                      {101, "cudaErrorInvalidDevice"},
                                                      {215, "cudaErrorUnsupportedLimit"},
                                                      {218, "cudaErrorInvalidPtx"},
                                                      {400, "cudaErrorInvalidResourceHandle"},
                                                      {700, "cudaErrorIllegalAddress"},
                                                      {701, "cudaErrorLaunchOutOfResources"},
                                                      {702, "cudaErrorLaunchTimeout"},
                                                      {710, "cudaErrorAssert"},
                                                      {712, "cudaErrorHostMemoryAlreadyRegistered"},
                                                      {713, "cudaErrorHostMemoryNotRegistered"},
                                                      {716, "cudaErrorMisalignedAddress"},
                                                      {719, "cudaErrorLaunchFailure"},
                                                      {801, "cudaErrorNotSupported"},
                                                      {999, "cudaErrorUnknown"}};

TEST_F(Errors, have_the_manuals_numbers_and_names) {
  for (const auto& [number, name] : kNamesByNumber)
    EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(number)), name);
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(Errors, have_the_manuals_texts) {
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
}

TEST_F(Errors, every_call_fails_alike_after_a_kernel_lost_the_device) {
  EXPECT_EXIT(
      {
        void* memory = nullptr;
        const bool lost =
            launch(&kStore, {1}, {1}, nullptr) == cudaErrorIllegalAddress &&
            cudaGetLastError() == cudaErrorIllegalAddress && cudaMalloc(&memory, 4) == cudaErrorIllegalAddress &&
            cudaDeviceSynchronize() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress;
        std::_Exit(lost ? 42 : 1);
      },
      testing::ExitedWithCode(42), "api_session|out of bounds");
}

TEST_F(Errors, calls_that_are_not_supported_say_so_by_name_once) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kStore, {1}, {1}, nullptr, 0, nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kStore, {1}, {1}, nullptr, 0, nullptr), cudaErrorNotSupported);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("cudaLaunchCooperativeKernel is not supported"));
  EXPECT_EQ(told.find("cudaLaunch"), told.rfind("cudaLaunch")) << told;
}

}  // namespace api_test
}  // namespace warpfork::cuda

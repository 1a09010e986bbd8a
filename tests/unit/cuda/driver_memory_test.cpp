#include <cstdint>

#include "cuda/driver/later_calls.h"
#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {
namespace driver_memory_test {

class DriverMemory : public DriverTest {
 protected:
  DriverMemory() { EXPECT_EQ(cuMemAlloc_v2(&memory_, 64), CUDA_SUCCESS); }
  ~DriverMemory() override { cuMemFree_v2(memory_); }

  CUdeviceptr memory_ = 0;
};

TEST_F(DriverMemory, nothing_cannot_be_allocated) {
  CUdeviceptr pointer = 0;
  void* host = nullptr;
  std::size_t pitch = 0;
  EXPECT_EQ(cuMemAlloc_v2(&pointer, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc_v2(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(&host, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocPitch_v2(&pointer, &pitch, 10, 0, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc_v2(&pointer, std::size_t{1} << 60), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(DriverMemory, allocation_is_known_by_any_address_in_it) {
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, memory_ + 63), CUDA_SUCCESS);
  EXPECT_EQ(base, memory_);
  EXPECT_EQ(bytes, 64u);
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, reinterpret_cast<CUdeviceptr>(&base)), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverMemory, pointers_tell_what_they_point_to) {
  unsigned type = 0;
  CUdeviceptr base = 0;
  bool is_managed = true;
  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory_ + 4), CUDA_SUCCESS);
  EXPECT_EQ(type, unsigned{CU_MEMORYTYPE_DEVICE});
  EXPECT_EQ(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory_ + 4), CUDA_SUCCESS);
  EXPECT_EQ(base, memory_);
  EXPECT_EQ(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory_ + 4), CUDA_SUCCESS);
  EXPECT_EQ(base, memory_ + 4);
  EXPECT_EQ(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, memory_), CUDA_SUCCESS);
  EXPECT_FALSE(is_managed);
  EXPECT_EQ(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&type)),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, copies_go_in_all_directions) {
  const unsigned from[] = {1, 2, 3, 4};
  unsigned to[4] = {};
  EXPECT_EQ(cuMemcpyHtoD_v2(memory_, from, 16), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoD_v2(memory_ + 16, memory_ + 4, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(to, memory_ + 12, 16, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(to[0], 4u);
  EXPECT_EQ(to[1], 2u);
  EXPECT_EQ(to[3], 4u);
  EXPECT_EQ(cuMemcpy(memory_, memory_ + 12, 4), CUDA_SUCCESS);
  EXPECT_EQ(word_at(memory_), 4u);
  EXPECT_EQ(cuMemcpyHtoD_v2(memory_ + 60, from, 8), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, fills_are_by_elements_of_1_2_or_4_bytes) {
  EXPECT_EQ(cuMemsetD8_v2(memory_, 0x11, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD16_v2(memory_ + 2, 0x2345, 2), CUDA_SUCCESS);
  EXPECT_EQ(word_at(memory_), 0x23451111u);
  EXPECT_EQ(word_at(memory_ + 4), 0x11112345u);
  EXPECT_EQ(cuMemsetD32Async(memory_ + 8, 0x6789abcd, 1, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(word_at(memory_ + 8), 0x6789abcdu);
  EXPECT_EQ(word_at(memory_ + 12), 0x11111111u);
  EXPECT_EQ(cuMemsetD32_v2(memory_ + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, fills_go_by_rows) {
  EXPECT_EQ(cuMemsetD8_v2(memory_, 0, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD2D16_v2(memory_, 32, 0x1234, 2, 2), CUDA_SUCCESS);
  EXPECT_EQ(word_at(memory_ + 32), 0x12341234u);
  EXPECT_EQ(word_at(memory_ + 4), 0u);
  EXPECT_EQ(word_at(memory_ + 36), 0u);
}

TEST_F(DriverMemory, rows_are_copied_from_and_to_places_in_larger_ones) {
  const unsigned char from[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  EXPECT_EQ(cuMemsetD8_v2(memory_, 0, 64), CUDA_SUCCESS);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = from;
  copy.srcXInBytes = copy.srcY = 1, copy.srcPitch = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE, copy.dstDevice = memory_, copy.dstPitch = 16;
  copy.WidthInBytes = copy.Height = 2;
  EXPECT_EQ(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
  EXPECT_EQ(word_at(memory_), 0x0706u);
  EXPECT_EQ(word_at(memory_ + 16), 0x0b0au);
  copy.dstPitch = 1;
  EXPECT_EQ(cuMemcpy2DAsync_v2(&copy, nullptr), CUDA_ERROR_INVALID_VALUE);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT_EQ(cuMemcpy2DUnaligned_v2(&copy), CUDA_ERROR_INVALID_VALUE) << "there is no array";
}

TEST_F(DriverMemory, page_locked_memory_has_an_address_on_the_device) {
  void* host = nullptr;
  CUdeviceptr device = 0;
  unsigned flags = 0;
  ASSERT_EQ(cuMemHostAlloc(&host, 16, CU_MEMHOSTALLOC_PORTABLE), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostGetFlags(&flags, host), CUDA_SUCCESS);
  EXPECT_TRUE((flags & CU_MEMHOSTALLOC_PORTABLE) != 0);
  EXPECT_EQ(cuMemHostGetDevicePointer_v2(&device, host, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32_v2(device, 5, 1), CUDA_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned*>(host), 5u);
  EXPECT_EQ(cuMemFreeHost(host), CUDA_SUCCESS);
}

TEST_F(DriverMemory, managed_variables_are_managed_memory) {
  CUmodule module = load(R"(.version 6.3
.target sm_70
.address_size 64
.visible .global .attribute(.managed) .align 4 .u32 managed;
.visible .global .align 4 .u32 plain;
)");
  CUdeviceptr managed = 0, plain = 0;
  cuModuleGetGlobal_v2(&managed, nullptr, module, "managed");
  cuModuleGetGlobal_v2(&plain, nullptr, module, "plain");
  EXPECT_EQ(cuMemPrefetchAsync(managed, 4, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemPrefetchAsync(managed, 5, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemPrefetchAsync(plain, 4, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  bool is_managed = false;
  EXPECT_EQ(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed), CUDA_SUCCESS);
  EXPECT_TRUE(is_managed);
  EXPECT_EQ(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, plain), CUDA_SUCCESS);
  EXPECT_FALSE(is_managed);
}

TEST_F(DriverMemory, streams_and_events_are_those_of_the_runtime_api) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  float milliseconds = -1;
  EXPECT_EQ(cuStreamCreate(&stream, 4), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(event, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, event, event), CUDA_SUCCESS);
  EXPECT_EQ(milliseconds, 0);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventDestroy_v2(event), CUDA_SUCCESS);
}

TEST_F(DriverMemory, host_functions_are_called_in_their_turn) {
  int called = 0;
  const auto count = [](void* to) { ++*static_cast<int*>(to); };
  const auto count_success = [](CUstream, CUresult status, void* to) {
    *static_cast<int*>(to) += status == 0 ? 10 : 0;
  };
  EXPECT_EQ(cuLaunchHostFunc(nullptr, count, &called), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamAddCallback(nullptr, count_success, &called, 0), CUDA_SUCCESS);
  EXPECT_EQ(called, 11);
  EXPECT_EQ(cuStreamAddCallback(nullptr, nullptr, &called, 0), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace driver_memory_test
}  // namespace warpfork::cuda

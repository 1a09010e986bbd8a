#include <gmock/gmock.h>

#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {
namespace driver_launch_test {

class DriverLaunches : public DriverTest {
 protected:
  DriverLaunches() { EXPECT_EQ(cuMemAlloc_v2(&to_, 64), CUDA_SUCCESS); }
  ~DriverLaunches() override { cuMemFree_v2(to_); }

  CUfunction store_ = store();
  CUdeviceptr to_ = 0;
  unsigned value_ = 6;
  void* arguments_[2] = {&to_, &value_};
};

TEST_F(DriverLaunches, arguments_are_pointers_to_each) {
  EXPECT_EQ(launch_one(store_, arguments_), CUDA_SUCCESS);
  EXPECT_EQ(word_at(to_), 6u);
}

TEST_F(DriverLaunches, arguments_may_lie_in_a_buffer_as_the_parameters_do) {
  struct {
    CUdeviceptr to;
    unsigned value;
  } buffer{to_ + 4, 9};
  std::size_t bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_END};
  EXPECT_EQ(launch_one(store_, nullptr, extra), CUDA_SUCCESS);
  EXPECT_EQ(word_at(to_ + 4), 9u);
  bytes = 11;
  EXPECT_EQ(launch_one(store_, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, launch_without_arguments_or_with_both_kinds_is_refused) {
  void* extra[] = {CU_LAUNCH_PARAM_END};
  EXPECT_EQ(launch_one(store_, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_one(store_, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_one(store_, arguments_, extra), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, launch_that_cannot_be_is_refused_by_the_drivers_code) {
  EXPECT_EQ(cuLaunchKernel(store_, 1, 0, 1, 1, 1, 1, 0, nullptr, arguments_, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(store_, 1, 1, 1, 257, 1, 1, 0, nullptr, arguments_, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(store_, 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<CUstream>(77), arguments_, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch_one(nullptr, arguments_), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);  // that is the runtime API's
}

TEST_F(DriverLaunches, attributes_of_a_launch_are_read) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  const CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, nullptr, &attribute, 1};
  EXPECT_EQ(cuLaunchKernelEx(&config, store_, arguments_, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(word_at(to_), 6u);
  attribute.value.clusterDim.x = 2;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuLaunchKernelEx(&config, store_, arguments_, nullptr), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("cuLaunchKernelEx is not supported: clusters of blocks"));
}

TEST_F(DriverLaunches, cooperative_launch_must_fit_the_machine) {
  EXPECT_EQ(cuLaunchCooperativeKernel(store_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments_), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchCooperativeKernel(store_, 1 << 20, 1, 1, 256, 1, 1, 0, nullptr, arguments_),
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

TEST_F(DriverLaunches, runtime_api_launches_a_function_of_the_driver) {
  EXPECT_EQ(cudaLaunchKernel(store_, 1, 1, arguments_, 0, nullptr), cudaSuccess);
  EXPECT_EQ(word_at(to_), 6u);
}

TEST_F(DriverLaunches, launch_on_a_stream_that_is_captured_waits_for_the_graph) {
  CUstream stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cuMemsetD32_v2(to_, 0, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cuLaunchKernel(store_, 1, 1, 1, 1, 1, 1, 0, stream, arguments_, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(word_at(to_), 0u);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(word_at(to_), 6u);
}

// CUDA Driver API, cuLaunchKernel: "the context must be destroyed" after it.
TEST_F(DriverLaunches, failed_kernel_stays_an_error_until_its_context_is_destroyed) {
  const auto fail = [this] {
    CUdeviceptr wild = 64;
    void* arguments[] = {&wild, &value_};
    const CUresult failed = launch_one(store_, arguments), later = cuMemsetD8_v2(to_, 0, 1);
    const CUresult destroyed = cuCtxDestroy_v2(context_), created = cuCtxCreate_v2(&context_, 0, 0);
    const bool is_right = failed == CUDA_ERROR_ILLEGAL_ADDRESS && later == failed && destroyed == CUDA_SUCCESS &&
                          created == CUDA_SUCCESS && cuMemsetD8_v2(to_, 0, 1) == CUDA_SUCCESS;
    _exit(is_right ? 0 : 1);
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(0), "out of bounds");
}

TEST_F(DriverLaunches, function_says_what_it_needs) {
  int value = 0, blocks = 0, grid = 0, block = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, store_), CUDA_SUCCESS);
  EXPECT_EQ(value, 256);
  // 1536 threads a core, as the functional sink has it, on 15 cores
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store_, 128, 0), CUDA_SUCCESS);
  EXPECT_EQ(blocks, 12);
  EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, store_, nullptr, 0, 200), CUDA_SUCCESS);
  EXPECT_EQ(block, 192);
  EXPECT_EQ(grid, 8 * 15);
}

TEST_F(DriverLaunches, attributes_that_programs_may_set_are_read_back) {
  int value = 0;
  EXPECT_EQ(cuFuncSetAttribute(store_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, store_), CUDA_SUCCESS);
  EXPECT_EQ(value, 4096);
  EXPECT_EQ(cuFuncSetAttribute(store_, CU_FUNC_ATTRIBUTE_NUM_REGS, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(store_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
            CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace driver_launch_test
}  // namespace warpfork::cuda

// The CUDA runtime's calls about launches, and the codes that its reference manual gives them ("CUDA Runtime API").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_launch_test {

using ::testing::ElementsAre;

using Words = std::array<unsigned, 4>;

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
  EXPECT_EQ(launch(kernel, {1}, {4}, to_), cudaSuccess);
  EXPECT_EQ(cudaGetKernel(nullptr, &kStore), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetKernel(&kernel, &kTable), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, a_kernel_tells_its_name_and_its_parameters) {
  const char* name = nullptr;
  std::size_t offset = 7, bytes = 0;
  EXPECT_EQ(cudaFuncGetName(&name, &kStore), cudaSuccess);
  EXPECT_STREQ(name, "store");
  EXPECT_EQ(cudaFuncGetParamInfo(&kStore, 0, &offset, &bytes), cudaSuccess);
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(cudaFuncGetParamInfo(&kStore, 1, &offset, &bytes), cudaErrorInvalidValue);
}

// A block of `store` has 64 bytes by itself; the functional sink says how many fit.
TEST_F(Launch, shared_memory_is_what_so_many_blocks_leave) {
  std::size_t bytes = 0;
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &kStore, 1, 32), cudaSuccess);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 32, bytes), cudaSuccess);
  EXPECT_GE(blocks, 1);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 32, bytes + 128), cudaSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &kStore, 0, 32), cudaErrorInvalidValue);
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

TEST_F(Launch, a_kernel_tells_how_many_threads_its_bounds_allow) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &kNarrow), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 100);
}

// 1536 threads a core, 15 cores.
TEST_F(Launch, that_is_cooperative_has_all_its_blocks_at_once_or_is_refused) {
  void* arguments[] = {&to_};
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kStore, {45}, {512}, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kStore, {46}, {512}, arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kTable, {1}, {1}, arguments, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

class LaunchWithAttributes : public Launch {
 protected:
  cudaError_t launch(cudaLaunchAttributeID id, int value, unsigned blocks = 1) {
    cudaLaunchAttribute attribute{};
    attribute.id = id;
    attribute.val.clusterDim = {1, 1, 1};
    attribute.val.cooperative = value;  // the same bytes as a cluster's x
    return launch(&attribute, 1, blocks);
  }
  cudaError_t launch(cudaLaunchAttribute* attributes, unsigned count, unsigned blocks) {
    const cudaLaunchConfig_t configuration{{blocks}, {512}, 0, nullptr, attributes, count};
    void* arguments[] = {&to_};
    return cudaLaunchKernelExC(&configuration, &kStore, arguments);
  }
};

TEST_F(LaunchWithAttributes, is_one_like_any_other_without_them) {
  EXPECT_EQ(launch(nullptr, 0, 1), cudaSuccess);
  EXPECT_EQ(launch(nullptr, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernelExC(nullptr, &kStore, nullptr), cudaErrorInvalidValue);
}

TEST_F(LaunchWithAttributes, is_cooperative_if_it_says_so) {
  EXPECT_EQ(launch(cudaLaunchAttributeCooperative, 1, 45), cudaSuccess);
  EXPECT_EQ(launch(cudaLaunchAttributeCooperative, 1, 46), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(launch(cudaLaunchAttributeCooperative, 0, 46), cudaSuccess);
}

TEST_F(LaunchWithAttributes, takes_hints_and_refuses_what_would_change_the_kernel) {
  EXPECT_EQ(launch(cudaLaunchAttributePriority, 3), cudaSuccess);
  EXPECT_EQ(launch(cudaLaunchAttributeProgrammaticStreamSerialization, 1), cudaSuccess);
  EXPECT_EQ(launch(cudaLaunchAttributeClusterDimension, 1), cudaSuccess);
  EXPECT_EQ(launch(cudaLaunchAttributeClusterDimension, 2), cudaErrorNotSupported);
  EXPECT_EQ(launch(cudaLaunchAttributeProgrammaticEvent, 0), cudaErrorNotSupported);
}

TEST_F(Launch, dynamic_shared_memory_may_be_raised_to_what_there_is) {
  const auto raise = [](int bytes) {
    return cudaFuncSetAttribute(&kStore, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  EXPECT_EQ(raise(48 << 10), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(raise((48 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("cudaFuncSetAttribute of 'store': 49153 bytes of dynamic shared memory: the machine "
                                 "allows 49152; one that has more: --set core.shared.bytes=N"));
  EXPECT_EQ(raise(-1), cudaErrorInvalidValue);
}

// As on an NVIDIA H200.
TEST_F(Launch, attributes_of_a_kernel_hold_and_are_told_again) {
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributeMaxDynamicSharedMemorySize, 256), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributePreferredSharedMemoryCarveout, 50), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributePreferredSharedMemoryCarveout, 101), cudaErrorInvalidValue);
  cudaFuncAttributes told;
  EXPECT_EQ(cudaFuncGetAttributes(&told, &kStore), cudaSuccess);
  EXPECT_EQ(told.maxDynamicSharedSizeBytes, 256);
  EXPECT_EQ(told.preferredShmemCarveout, 50);
  EXPECT_EQ(launch(&kStore, {1}, {1}, to_, 257), cudaErrorInvalidValue);
  EXPECT_EQ(launch(&kStore, {1}, {1}, to_, 256), cudaSuccess);
}

TEST_F(Launch, blocks_that_fit_on_a_core_are_counted) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 512, 0), cudaSuccess);
  EXPECT_EQ(blocks, 3) << "1536 threads";
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 512, 48 << 10), cudaSuccess);
  EXPECT_EQ(blocks, 0) << "more shared memory than there is";
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kStore, 0, 0), cudaErrorInvalidValue);
}

TEST_F(Launch, clusters_that_fit_on_the_device_are_blocks) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {1, 1, 1};
  cudaLaunchConfig_t configuration{};
  configuration.blockDim = dim3{128, 4};
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  int clusters = 0, cores = 0, most = 0;
  cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, &kStore, &configuration), cudaSuccess);
  EXPECT_EQ(clusters, 3 * cores) << "1536 threads of a core";
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&most, &kStore, &configuration), cudaSuccess);
  EXPECT_EQ(most, 1);
  attribute.val.clusterDim.x = 2;
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, &kStore, &configuration), cudaErrorNotSupported);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, &kStore, nullptr), cudaErrorInvalidValue);
}

TEST_F(Launch, a_kernel_is_given_no_clusters_of_several_blocks) {
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributeRequiredClusterWidth, 1), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributeRequiredClusterDepth, 2), cudaErrorNotSupported);
  EXPECT_EQ(cudaFuncSetAttribute(&kStore, cudaFuncAttributeRequiredClusterHeight, -1), cudaErrorInvalidValue);
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

}  // namespace api_launch_test
}  // namespace warpfork::cuda

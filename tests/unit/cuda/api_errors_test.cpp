// The CUDA runtime's calls about errors, and the codes that its reference manual gives them ("CUDA Runtime API").
#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "cuda/api/call.h"
#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_errors_test {

using ::testing::HasSubstr;

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

void find_no_memory() { throw std::bad_alloc(); }

/// As the destructor of a large JSON object may.
struct FindsNoMemory {
  ~FindsNoMemory() { find_no_memory(); }
};

TEST_F(Errors, memory_that_is_too_short_to_tell_of_it_ends_the_program_with_a_message) {
  EXPECT_EXIT(guarded_call([](Process&) { const FindsNoMemory destroyed; }), testing::ExitedWithCode(1),
              "^warpfork: error: not enough memory");
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

TEST_F(Errors, every_call_fails_alike_after_a_kernel_lost_the_device_until_it_is_reset) {
  EXPECT_EXIT(
      {
        void* memory = nullptr;
        const bool lost = launch(&kStore, {1}, {1}, nullptr) == cudaErrorIllegalAddress &&
                          cudaGetLastError() == cudaErrorIllegalAddress &&
                          cudaMalloc(&memory, 4) == cudaErrorIllegalAddress &&
                          cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                          cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaSuccess &&
                          cudaDeviceReset() == cudaSuccess && cudaMalloc(&memory, 4) == cudaSuccess;
        std::_Exit(lost ? 42 : 1);
      },
      testing::ExitedWithCode(42), "api_session|out of bounds");
}

/// As on a GPU: the driver's CUDA_ERROR_NOT_INITIALIZED has the same number.
TEST_F(Errors, process_that_is_forked_from_one_that_uses_the_device_has_none) {
  void* memory = nullptr;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  const pid_t child = fork();
  if (child == 0) {
    CUdeviceptr other = 0;
    int version = 0;
    const bool refused = cudaMalloc(&memory, 4) == cudaErrorInitializationError &&
                         launch(&kStore, {1}, {1}, nullptr) == cudaErrorInitializationError &&
                         cuInit(0) == CUDA_ERROR_NOT_INITIALIZED && cuMemAlloc_v2(&other, 4) == 3 &&
                         cuDriverGetVersion(&version) == CUDA_SUCCESS &&
                         cudaRuntimeGetVersion(&version) == cudaSuccess && version >= 11000 &&
                         cudaDriverGetVersion(&version) == cudaSuccess;
    std::_Exit(refused ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Errors, kernel_that_faults_says_which_allocation_was_refused_before) {
  EXPECT_EXIT(
      {
        void* memory = nullptr;
        cudaMalloc(&memory, 2ull << 30);
        std::_Exit(launch(&kStore, {1}, {1}, memory) == cudaErrorIllegalAddress ? 42 : 1);
      },
      testing::ExitedWithCode(42), "cudaMalloc of 2147483648 bytes was refused: .* --set memory_bytes=N");
}

TEST_F(Errors, calls_that_are_not_supported_say_so_by_name_once) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaFreeMipmappedArray(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaFreeMipmappedArray(nullptr), cudaErrorNotSupported);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("cudaFreeMipmappedArray is not supported"));
  EXPECT_EQ(told.find("cudaFreeMipmapped"), told.rfind("cudaFreeMipmapped")) << told;
}

}  // namespace api_errors_test
}  // namespace warpfork::cuda

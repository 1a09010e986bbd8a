#include <memory>
#include <thread>

#include "cuda/driver/contexts.h"
#include "cuda/driver/later_calls.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/runtime.h"
#include "cudart/functional_sink.h"
#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {
namespace driver_context_test {

using driver::Contexts;

class DriverContexts : public DriverTest {
 protected:
  static CUcontext current() {
    CUcontext context = nullptr;
    EXPECT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    return context;
  }
};

template <typename Call>
cudaError_t code_of(Call&& call) {
  try {
    call();
    return cudaSuccess;
  } catch (const ApiError& error) {
    return error.code();
  }
}

TEST(Contexts, nothing_is_allowed_before_the_driver_is_initialised_and_little_before_there_is_a_context) {
  std::thread([] {
    Contexts contexts;
    EXPECT_EQ(code_of([&] { contexts.require_current(); }), cudaErrorInitializationError);
    contexts.initialise();
    EXPECT_EQ(code_of([&] { contexts.require_initialised(); }), cudaSuccess);
    EXPECT_EQ(code_of([&] { contexts.require_current(); }), cudaErrorDeviceUninitialized);
    contexts.create(0);
    EXPECT_EQ(code_of([&] { contexts.require_current(); }), cudaSuccess);
  }).join();
}

TEST_F(DriverContexts, threads_have_contexts_of_their_own) {
  CUcontext other = context_;
  std::thread([&] {
    EXPECT_EQ(cuCtxGetCurrent(&other), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(other, nullptr);
}

TEST_F(DriverContexts, contexts_are_a_stack) {
  CUcontext second = nullptr, popped = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&second, CU_CTX_MAP_HOST, 0), CUDA_SUCCESS);
  EXPECT_EQ(current(), second);
  EXPECT_EQ(cuCtxPushCurrent_v2(context_), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, context_);
  EXPECT_EQ(cuCtxDestroy_v2(second), CUDA_SUCCESS);
  EXPECT_EQ(current(), context_);
}

TEST_F(DriverContexts, context_that_another_thread_destroyed_is_no_context) {
  std::thread([&] { EXPECT_EQ(cuCtxDestroy_v2(context_), CUDA_SUCCESS); }).join();
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxDestroy_v2(context_), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPushCurrent_v2(context_), CUDA_ERROR_INVALID_CONTEXT);
}

// As MLIR's runner calls them.
TEST_F(DriverContexts, what_a_handle_or_an_address_names_needs_no_context) {
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  const CUmodule module = load();
  std::thread([&] {
    EXPECT_EQ(cuMemsetD32Async(memory, 7, 1, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32Async(memory, 7, 1, nullptr), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree_v2(memory), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(current(), nullptr);
  }).join();
}

TEST_F(DriverContexts, runtime_api_makes_the_primary_context_current_where_there_is_none) {
  CUcontext primary = nullptr;
  std::size_t free = 0;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
  EXPECT_EQ(cudaMemGetInfo(&free, nullptr), cudaSuccess);
  EXPECT_EQ(current(), context_);
  std::thread([&] {
    EXPECT_EQ(cudaMemGetInfo(&free, nullptr), cudaSuccess);
    EXPECT_EQ(current(), primary);
  }).join();
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(current(), primary);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

TEST(Contexts, primary_context_is_active_while_it_is_retained) {
  Contexts contexts;
  contexts.retain_primary();
  EXPECT_TRUE(contexts.is_primary_active());
  contexts.release_primary();
  EXPECT_FALSE(contexts.is_primary_active());
  EXPECT_EQ(code_of([&] { contexts.release_primary(); }), cudaErrorDeviceUninitialized);
}

TEST_F(DriverContexts, flags_and_limits_are_read_back) {
  unsigned flags = 0, version = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(cuCtxCreate_v2(&context_, 0x100, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_YIELD), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetCurrent(Contexts::kPrimary), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetFlags(&flags), CUDA_SUCCESS);
  EXPECT_EQ(flags, unsigned{CU_CTX_SCHED_YIELD});
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 4096u);
  EXPECT_EQ(cuCtxGetApiVersion(nullptr, &version), CUDA_SUCCESS);
  EXPECT_GE(version, 3020u);
}

TEST_F(DriverContexts, later_forms_are_refused_with_what_they_add) {
  CUcontext made = nullptr;
  int affinity = 0;
  EXPECT_EQ(cuCtxCreate_v3(&made, nullptr, 0, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy_v2(made), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxCreate_v4(&made, nullptr, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy_v2(made), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxCreate_v3(&made, &affinity, 1, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuCtxCreate_v4(&made, &affinity, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverContexts, all_contexts_are_of_the_one_device) {
  CUdevice device = 7;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuCtxGetDevice_v2(&device, context_), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize_v2(context_), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxPopCurrent_v2(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, there_is_one_device) {
  int count = 0, major = 0, minor = 0;
  char name[8] = "";
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cuDeviceGet(&count, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "GeForce");  // cut off
  EXPECT_EQ(cuDeviceComputeCapability(&major, &minor, 0), CUDA_SUCCESS);
  EXPECT_EQ(10 * major + minor, 70);  // of the registered PTX
  EXPECT_EQ(cuDeviceGetAttribute(&count, static_cast<CUdevice_attribute>(0), 0), CUDA_ERROR_INVALID_VALUE);
}

TEST(DeviceOfLoadedCode, is_one_that_tools_know_where_the_machine_leaves_it_open) {
  Runtime open(DeviceDescription{}, "program", std::make_unique<FunctionalSink>(), {}, {});
  EXPECT_EQ(open.device().compute_capability, 20);
  open.expect_loaded_code();
  EXPECT_EQ(open.device().compute_capability, 75);
  DeviceDescription description;
  description.compute_capability = 70;
  Runtime fixed(description, "program", std::make_unique<FunctionalSink>(), {}, {});
  fixed.expect_loaded_code();
  EXPECT_EQ(fixed.device().compute_capability, 70);
}

TEST_F(DriverContexts, errors_have_names_and_texts) {
  const char* text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_NO_BINARY_FOR_GPU, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_NO_BINARY_FOR_GPU");
  EXPECT_EQ(cuGetErrorString(CUDA_SUCCESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "no error");
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(1000), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

}  // namespace driver_context_test
}  // namespace warpfork::cuda

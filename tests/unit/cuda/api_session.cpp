#include "unit/cuda/api_session.h"

#include <cstdlib>

#include "cuda/api/embedding.h"
#include "cuda/image/fat_binary.h"
#include "cudart/functional_sink.h"
#include "unit/cuda/fat_wrapper.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace {

constexpr const char* kPtx = R"(.version 6.3
.target sm_70
.address_size 64
.global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .entry store(.param .u64 to) {
  .shared .align 4 .b8 scratch[64];
  .reg .u32 %r<2>;
  .reg .u64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry narrow() .maxntid 10, 10 { ret; }
)";

void start_session() {
  static const bool started = [] {
    const std::string request = test_folder() + "/api_request.json";
    save({test_folder() + "/api_result.jsonl", DeviceDescription{}, Json::object()}, request);
    setenv(kSessionVariable, request.c_str(), 1);
    int count = 0;
    cudaGetDeviceCount(&count);  // the runtime reads the request
    unsetenv(kSessionVariable);
    return count == 1;
  }();
  ASSERT_TRUE(started);
}

}  // namespace

const Embedding kEmbedding{
    12000, [](const SessionRequest&) -> std::unique_ptr<LaunchSink> { return std::make_unique<FunctionalSink>(); }};

char ApiTest::kStore, ApiTest::kNarrow, ApiTest::kTable;

ApiTest::ApiTest() : image_(wrap_ptx(kPtx, 70)) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // starts anew: a forked process would have no device
  start_session();
  static FatWrapper wrapper;
  wrapper.image = image_.data();
  handle_ = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle_, &kStore, nullptr, "store", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFunction(handle_, &kNarrow, nullptr, "narrow", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle_, &kTable, nullptr, "table", 0, 16, 0, 0);
  cudaGetLastError();  // none of an earlier test
}

ApiTest::~ApiTest() { __cudaUnregisterFatBinary(handle_); }

cudaError_t ApiTest::launch(const void* kernel, dim3 grid, dim3 block, void* to, std::size_t shared,
                            cudaStream_t stream) {
  void* arguments[] = {&to};
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

}  // namespace warpfork::cuda

#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {

const char* const DriverTest::kText = R"(.version 6.3
.target sm_70
.address_size 64
.visible .global .align 4 .u32 table[2] = {7, 8};
.visible .entry store(.param .u64 to, .param .u32 value) .maxntid 256 {
  .reg .u32 %r<2>;
  .reg .u64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .func helper() { ret; }
)";

const char* const DriverTest::kBroken = R"(.version 6.3
.target sm_70
.address_size 64
.visible .entry broken() {
  frobnicate.u32 %r1;
  ret;
}
)";

DriverTest::DriverTest() {
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  while (cuCtxPopCurrent_v2(nullptr) == CUDA_SUCCESS) {  // an earlier test's
  }
  EXPECT_EQ(cuCtxCreate_v2(&context_, 0, 0), CUDA_SUCCESS);
}

DriverTest::~DriverTest() { cuCtxDestroy_v2(context_); }

CUmodule DriverTest::load(const char* text) {
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, text), CUDA_SUCCESS);
  return module;
}

CUfunction DriverTest::function(CUmodule module, const char* name) {
  CUfunction found = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&found, module, name), CUDA_SUCCESS);
  return found;
}

CUresult DriverTest::launch_one(CUfunction function, void** arguments, void** extra) {
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, extra);
}

unsigned DriverTest::word_at(CUdeviceptr address) {
  unsigned word = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&word, address, sizeof word), CUDA_SUCCESS);
  return word;
}

}  // namespace warpfork::cuda

#include <gmock/gmock.h>

#include <cstring>

#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {
namespace driver_link_test {

const std::string kHead = ".version 6.3\n.target sm_70\n.address_size 64\n";
const std::string kCaller = kHead +
                            ".extern .func (.param .b32 out) seven();\n"
                            ".visible .entry store_seven(.param .u64 to) {\n"
                            "  .reg .b32 %r<2>;\n  .reg .b64 %rd<2>;\n"
                            "  ld.param.u64 %rd1, [to];\n"
                            "  { .param .b32 result; call.uni (result), seven, (); ld.param.b32 %r1, [result]; }\n"
                            "  st.global.u32 [%rd1], %r1;\n  ret;\n}\n";
const std::string kCalled = kHead +
                            ".visible .func (.param .b32 out) seven() {\n"
                            "  .reg .b32 %r<2>;\n  mov.b32 %r1, 7;\n  st.param.b32 [out], %r1;\n  ret;\n}\n";

class DriverLinks : public DriverTest {
 protected:
  void create() {
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    EXPECT_EQ(cuLinkCreate_v2(2, options, values_, &state_), CUDA_SUCCESS);
  }
  CUresult add(std::string text, CUjitInputType type = CU_JIT_INPUT_PTX) {
    return cuLinkAddData_v2(state_, type, text.data(), text.size() + 1, "part", 0, nullptr, nullptr);
  }
  CUresult complete() { return cuLinkComplete(state_, &image_, &bytes_); }

  char log_[300] = "";
  void* values_[2] = {log_, reinterpret_cast<void*>(sizeof log_)};
  CUlinkState state_ = nullptr;
  void* image_ = nullptr;
  std::size_t bytes_ = 0;
};

TEST_F(DriverLinks, sources_that_need_each_other_become_one_image) {
  create();
  EXPECT_EQ(add(kCaller), CUDA_SUCCESS);
  EXPECT_EQ(add(kCalled), CUDA_SUCCESS);
  ASSERT_EQ(complete(), CUDA_SUCCESS);
  EXPECT_EQ(std::strlen(static_cast<const char*>(image_)) + 1, bytes_);
  const CUmodule module = load(static_cast<const char*>(image_));
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
  CUdeviceptr to = 0;
  void* arguments[] = {&to};
  ASSERT_EQ(cuMemAlloc_v2(&to, 4), CUDA_SUCCESS);
  EXPECT_EQ(launch_one(function(module, "store_seven"), arguments), CUDA_SUCCESS);
  EXPECT_EQ(word_at(to), 7u);
}

TEST_F(DriverLinks, source_with_an_error_is_refused_when_it_is_added) {
  create();
  EXPECT_EQ(add(kBroken), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(log_, testing::HasSubstr("part:5:"));
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, name_that_two_sources_define_is_refused) {
  create();
  EXPECT_EQ(add(kCalled), CUDA_SUCCESS);
  EXPECT_EQ(add(kCalled), CUDA_SUCCESS);
  EXPECT_EQ(complete(), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(log_, testing::HasSubstr("seven"));
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, other_inputs_than_ptx_are_refused) {
  create();
  EXPECT_EQ(add("!<arch>", CU_JIT_INPUT_LIBRARY), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(complete(), CUDA_ERROR_INVALID_VALUE);  // there is nothing
  EXPECT_EQ(cuLinkAddFile_v2(state_, CU_JIT_INPUT_PTX, "/no/such.ptx", 0, nullptr, nullptr), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace driver_link_test
}  // namespace warpfork::cuda

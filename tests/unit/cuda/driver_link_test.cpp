#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "cuda/image/fat_binary.h"
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
    const std::size_t bytes = text.size() + (type == CU_JIT_INPUT_PTX ? 1 : 0);
    return cuLinkAddData_v2(state_, type, text.data(), bytes, "part", 0, nullptr, nullptr);
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

TEST_F(DriverLinks, kernels_get_the_limit_of_registers_of_their_source_or_of_the_whole) {
  CUjit_option options[] = {CU_JIT_MAX_REGISTERS};
  void* whole[] = {reinterpret_cast<void*>(40)};
  void* own[] = {reinterpret_cast<void*>(24)};
  std::string first = kHead + ".entry first() { ret; }", second = kHead + ".entry second() { ret; }";
  ASSERT_EQ(cuLinkCreate_v2(1, options, whole, &state_), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkAddData_v2(state_, CU_JIT_INPUT_PTX, first.data(), first.size() + 1, "first", 1, options, own),
            CUDA_SUCCESS);
  EXPECT_EQ(add(second), CUDA_SUCCESS);
  ASSERT_EQ(complete(), CUDA_SUCCESS);
  EXPECT_THAT(static_cast<const char*>(image_),
              testing::ContainsRegex("first\\(\\)[ \n]*.maxnreg 24(.|\n)*second\\(\\)[ \n]*.maxnreg 40"));
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

TEST_F(DriverLinks, objects_and_archives_give_the_ptx_in_them) {
  const std::vector<std::byte> image = wrap_ptx(kCalled, 70);
  const std::string object = "\177ELF...." + std::string(reinterpret_cast<const char*>(image.data()), image.size());
  create();
  EXPECT_EQ(add(kCaller), CUDA_SUCCESS);
  EXPECT_EQ(add("!<arch>\n", CU_JIT_INPUT_LIBRARY), CUDA_SUCCESS);  // an empty one
  EXPECT_EQ(add(object, CU_JIT_INPUT_OBJECT), CUDA_SUCCESS);
  ASSERT_EQ(complete(), CUDA_SUCCESS);
  EXPECT_THAT(static_cast<const char*>(image_), testing::HasSubstr("mov.b32 %r1, 7;"));
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, archives_give_what_is_needed_of_them_alone) {
  const auto member = [](const std::string& ptx) {
    const std::vector<std::byte> image = wrap_ptx(ptx, 70);
    const std::string object = "\177ELF...." + std::string(reinterpret_cast<const char*>(image.data()), image.size());
    return fmt::format("{:<48}{:<10}`\n", "part.o/", object.size()) + object + (object.size() % 2 != 0 ? "\n" : "");
  };
  const std::string other = kHead + ".visible .func other() { ret; }\n";
  create();
  EXPECT_EQ(add("!<arch>\n" + member(other) + member(kCalled), CU_JIT_INPUT_LIBRARY), CUDA_SUCCESS);
  EXPECT_EQ(add(kCaller), CUDA_SUCCESS);
  ASSERT_EQ(complete(), CUDA_SUCCESS);
  EXPECT_THAT(static_cast<const char*>(image_),
              testing::AllOf(testing::HasSubstr("mov.b32 %r1, 7;"), testing::Not(testing::HasSubstr("other"))));
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, objects_of_machine_code_alone_are_refused) {
  std::vector<std::byte> image = wrap_ptx("ELF", 75);
  image[FatBinary::kHeaderBytes] = std::byte{2};  // the entry's kind
  create();
  EXPECT_EQ(
      add("\177ELF...." + std::string(reinterpret_cast<const char*>(image.data()), image.size()), CU_JIT_INPUT_OBJECT),
      CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, other_inputs_are_refused_and_files_that_there_are_not_whatever_they_were) {
  create();
  EXPECT_EQ(add("neither", CU_JIT_INPUT_LIBRARY), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(add("\177ELF", CU_JIT_INPUT_CUBIN), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(complete(), CUDA_ERROR_INVALID_VALUE);  // there is nothing
  for (const CUjitInputType type : {CU_JIT_INPUT_PTX, CU_JIT_INPUT_LIBRARY, CU_JIT_INPUT_CUBIN})
    EXPECT_EQ(cuLinkAddFile_v2(state_, type, "/no/such", 0, nullptr, nullptr), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(state_), CUDA_ERROR_INVALID_HANDLE);
}

/// What a grid's barrier answers goes to the address. tests/checks/grid_barrier.cu has blocks wait for one another.
const std::string kGridKernel =
    kHead +
    ".extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);\n"
    ".extern .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);\n"
    ".visible .entry wait(.param .u64 error, .param .u32 scope) {\n"
    "  .reg .b32 %r<4>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [error];\n  ld.param.u32 %r1, [scope];\n  mov.u32 %r2, 0;\n"
    "  { .param .b32 scope; .param .b64 handle;\n    st.param.b32 [scope], %r1;\n"
    "    call.uni (handle), cudaCGGetIntrinsicHandle, (scope);\n    ld.param.b64 %rd2, [handle]; }\n"
    "  { .param .b64 handle; .param .b32 flags, error;\n    st.param.b64 [handle], %rd2;\n"
    "    st.param.b32 [flags], %r2;\n    call.uni (error), cudaCGSynchronize, (handle, flags);\n"
    "    ld.param.b32 %r3, [error]; }\n"
    "  st.global.u32 [%rd1], %r3;\n  ret;\n}\n";

class GridBarrier : public DriverLinks {
 protected:
  void SetUp() override {
    create();
    ASSERT_EQ(add(kGridKernel), CUDA_SUCCESS);
    ASSERT_EQ(complete(), CUDA_SUCCESS);
    wait_ = function(load(static_cast<const char*>(image_)), "wait");
    EXPECT_EQ(cuLinkDestroy(state_), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc_v2(&error_, 4), CUDA_SUCCESS);
  }

  CUdeviceptr error_ = 0;
  unsigned scope_ = 1;  // cudaCGScopeGrid
  void* arguments_[2] = {&error_, &scope_};
  CUfunction wait_ = nullptr;
};

TEST_F(GridBarrier, opens_in_a_cooperative_launch) {
  ASSERT_EQ(cuMemsetD32_v2(error_, 7, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchCooperativeKernel(wait_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments_), CUDA_SUCCESS);
  EXPECT_EQ(word_at(error_), 0u);
}

TEST_F(GridBarrier, is_cuda_error_unknown_in_another_launch_and_of_several_grids) {
  ASSERT_EQ(launch_one(wait_, arguments_), CUDA_SUCCESS);
  EXPECT_EQ(word_at(error_), 999u);
  scope_ = 2;
  ASSERT_EQ(cuLaunchCooperativeKernel(wait_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments_), CUDA_SUCCESS);
  EXPECT_EQ(word_at(error_), 999u);
}

}  // namespace driver_link_test
}  // namespace warpfork::cuda

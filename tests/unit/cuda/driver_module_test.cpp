#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

#include "cuda/api/call.h"
#include "cuda/image/fat_binary.h"
#include "unit/cuda/driver_session.h"
#include "unit/cuda/fat_wrapper.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace driver_module_test {

using DriverModules = DriverTest;

TEST_F(DriverModules, kernels_are_found_by_their_names) {
  const CUmodule module = load();
  CUfunction found = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&found, module, "store"), CUDA_SUCCESS);
  EXPECT_EQ(found, function(module, "store"));
  EXPECT_EQ(cuModuleGetFunction(&found, module, "stor"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetFunction(&found, module, "helper"), CUDA_ERROR_NOT_FOUND);  // no entry
  EXPECT_EQ(cuModuleGetFunction(&found, nullptr, "store"), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverModules, variables_are_found_by_their_names) {
  CUdeviceptr table = 0;
  std::size_t bytes = 0;
  const CUmodule module = load();
  EXPECT_EQ(cuModuleGetGlobal_v2(&table, &bytes, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(word_at(table + 4), 8u);
  EXPECT_EQ(cuModuleGetGlobal_v2(nullptr, &bytes, module, "store"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverModules, each_module_has_variables_of_its_own) {
  CUdeviceptr first = 0, second = 0;
  EXPECT_EQ(cuModuleGetGlobal_v2(&first, nullptr, load(), "table"), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetGlobal_v2(&second, nullptr, load(), "table"), CUDA_SUCCESS);
  EXPECT_NE(first, second);
}

/// n + (n - 1) + … + 0, for which 8 bytes a call are on the stack: n and the number of the call.
constexpr const char* kSum = R"(.version 6.3
.target sm_70
.address_size 64
.func (.reg .u32 %s) sum(.reg .u32 %n) {
  .reg .pred %q;
  .reg .u32 %m;
  mov.u32 %s, 0;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %m, %n, 1;
  call (%s), sum, (%m);
  add.u32 %s, %s, %n;
  ret;
}
.visible .entry sums(.param .u64 to, .param .u32 n) {
  .reg .u32 %r;
  .reg .u64 %rd;
  ld.param.u64 %rd, [to];
  ld.param.u32 %r, [n];
  call (%r), sum, (%r);
  st.global.u32 [%rd], %r;
  ret;
}
)";

TEST_F(DriverModules, have_the_stack_that_is_asked_for_when_they_are_loaded_already) {
  CUfunction sums = function(load(kSum), "sums");
  int registers = 0;
  EXPECT_EQ(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, sums), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 64 << 10), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024), CUDA_SUCCESS);  // none is made smaller
  CUdeviceptr to = 0;
  unsigned n = 8000;
  void* arguments[] = {&to, &n};
  EXPECT_EQ(cuMemAlloc_v2(&to, 4), CUDA_SUCCESS);
  EXPECT_EQ(launch_one(sums, arguments), CUDA_SUCCESS);
  EXPECT_EQ(word_at(to), 4000u * 8001u);
}

TEST_F(DriverModules, nothing_is_left_of_an_unloaded_module) {
  const CUmodule module = load();
  CUfunction kernel = function(module, "store"), found = nullptr;
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleGetFunction(&found, module, "store"), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch_one(kernel, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverModules, fat_binary_is_loaded_by_its_ptx) {
  const std::vector<std::byte> binary = wrap_ptx(kText, 70);
  FatWrapper wrapper;
  wrapper.image = binary.data();
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadFatBinary(&module, binary.data()), CUDA_SUCCESS);
  EXPECT_NE(function(module, "store"), nullptr);
  EXPECT_EQ(cuModuleLoadFatBinary(&module, &wrapper), CUDA_SUCCESS);
  EXPECT_NE(function(module, "store"), nullptr);
}

TEST_F(DriverModules, machine_code_is_refused_by_its_code_and_named) {
  CUmodule module = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuModuleLoadData(&module, "\x7f\x45LF\x02"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_THAT(
      testing::internal::GetCapturedStderr(),
      testing::HasSubstr("machine code without PTX is not supported: only PTX can be simulated; nvrtcGetPTX gives it"));
}

TEST_F(DriverModules, files_hold_texts_or_fat_binaries) {
  const std::string file = test_folder() + "/module.ptx";
  CUmodule module = nullptr;
  std::ofstream(file) << kText;
  EXPECT_EQ(cuModuleLoad(&module, file.c_str()), CUDA_SUCCESS);
  const std::vector<std::byte> binary = wrap_ptx(kText, 70);
  std::ofstream(file).write(reinterpret_cast<const char*>(binary.data()), static_cast<long>(binary.size()));
  EXPECT_EQ(cuModuleLoad(&module, file.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoad(&module, (file + ".none").c_str()), CUDA_ERROR_FILE_NOT_FOUND);
}

TEST_F(DriverModules, error_of_the_text_is_told_to_the_user_and_to_the_program) {
  char log[200] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuModuleLoadDataEx(&module, kBroken, 2, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("frobnicate"));
  EXPECT_THAT(log, testing::HasSubstr(".ptx:5:"));
  EXPECT_EQ(reinterpret_cast<std::size_t>(values[1]), std::strlen(log));
}

TEST_F(DriverModules, log_is_cut_off_at_the_end_of_its_buffer) {
  char log[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
  void* values[] = {reinterpret_cast<void*>(std::size_t{7}), log};
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadDataEx(&module, kBroken, 2, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(std::strlen(log), 6u);
  EXPECT_EQ(log[7], 1);
}

TEST_F(DriverModules, kernels_get_the_limit_of_registers_that_an_option_says) {
  CUjit_option options[] = {CU_JIT_MAX_REGISTERS};
  void* values[] = {reinterpret_cast<void*>(24)};
  CUmodule module = nullptr;
  ASSERT_EQ(
      cuModuleLoadDataEx(&module, ".version 6.3\n.target sm_70\n.visible .entry none() { ret; }", 1, options, values),
      CUDA_SUCCESS);
  const CodeImage* const image = Process::instance().runtime().registry().find_image(module);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image->module->module().functions.at(0).max_registers, 24u);
}

TEST_F(DriverModules, option_that_is_not_honoured_is_refused) {
  CUjit_option options[] = {CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_OPTIMIZATION_LEVEL};
  void* values[] = {reinterpret_cast<void*>(4), reinterpret_cast<void*>(4)};
  CUmodule module = nullptr;
  options[1] = CU_JIT_GLOBAL_SYMBOL_NAMES;
  EXPECT_EQ(cuModuleLoadDataEx(&module, kText, 2, options, values), CUDA_ERROR_NOT_SUPPORTED);
  options[1] = static_cast<CUjit_option>(60);
  EXPECT_EQ(cuModuleLoadDataEx(&module, kText, 2, options, values), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModules, library_is_a_module_and_its_kernels_are_functions) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUmodule module = nullptr;
  CUfunction found = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "store"), CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "none"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuLibraryGetModule(&module, library), CUDA_SUCCESS);
  EXPECT_EQ(cuKernelGetFunction(&found, kernel), CUDA_SUCCESS);
  EXPECT_EQ(found, function(module, "store"));
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(DriverModules, kernel_that_the_program_registered_is_one_of_a_module_too) {
  cudaKernel_t registered = nullptr;
  CUmodule module = nullptr;
  ASSERT_EQ(cudaGetKernel(&registered, &kStore), cudaSuccess);
  const auto kernel = reinterpret_cast<CUfunction>(registered);
  ASSERT_EQ(cuFuncGetModule(&module, kernel), CUDA_SUCCESS);
  EXPECT_EQ(function(module, "store"), kernel);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);  // it is not the program's to unload
}

}  // namespace driver_module_test
}  // namespace warpfork::cuda

#include "cuda/driver/driver_functions.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cuda/driver/later_calls.h"
#include "cuda/session/session_request.h"
#include "unit/cuda/driver_session.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace driver_functions_test {

using driver::find_driver_function;

template <typename Function>
driver::DriverFunction erased(Function* function) {
  return reinterpret_cast<driver::DriverFunction>(function);
}

TEST(DriverFunctions, name_stands_for_the_form_of_the_programs_release) {
  EXPECT_EQ(find_driver_function("cuMemAlloc", 12000).function, erased(&cuMemAlloc_v2));
  EXPECT_EQ(find_driver_function("cuInit", 2000).function, erased(&cuInit));
  EXPECT_EQ(find_driver_function("cuCtxCreate", 11030).function, erased(&cuCtxCreate_v2));
  EXPECT_NE(find_driver_function("cuCtxCreate", 11040).function, erased(&cuCtxCreate_v2));
}

TEST(DriverFunctions, name_of_a_later_release_is_told_from_one_that_there_is_none_of) {
  EXPECT_EQ(find_driver_function("cuLibraryLoadData", 11080).function, nullptr);
  EXPECT_TRUE(find_driver_function("cuLibraryLoadData", 11080).is_later);
  EXPECT_FALSE(find_driver_function("cuNothing", 13000).is_later);
}

TEST_F(DriverTest, address_of_a_call_is_asked_for_by_its_name) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  EXPECT_EQ(cuGetProcAddress_v2("cuMemFree", &found, 12000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemFree_v2));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_EQ(cuGetProcAddress_v2("cuNothing", &found, 12000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(cuGetProcAddress("cuNothing", &found, 12000, 0), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuGetProcAddress_v2("cuMemFree", &found, 12000, 8, &status), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, runtime_api_gives_addresses_and_functions_of_the_driver) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  EXPECT_EQ(cudaGetDriverEntryPoint("cuMemFree", &found, 0, &result), cudaSuccess);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemFree_v2));
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuLibraryUnload", &found, 11000, 0, &result), cudaSuccess);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(result, cudaDriverEntryPointVersionNotSufficent);
  cudaFunction_t function = nullptr;
  CUmodule module = nullptr;
  EXPECT_EQ(cudaGetFuncBySymbol(&function, &kStore), cudaSuccess);
  EXPECT_EQ(cuFuncGetModule(&module, function), CUDA_SUCCESS);
}

/// In processes of their own, which have loaded no library of ours yet.
class DriverLibrary : public testing::Test {
 protected:
  DriverLibrary() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static void* open(const char* name) {
    save({test_folder() + "/driver.jsonl", DeviceDescription{}, Json::object()}, test_folder() + "/driver.json");
    setenv(kSessionVariable, (test_folder() + "/driver.json").c_str(), 1);
    return dlopen((std::string(TEST_CUDART_FOLDER "/") + name).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  template <typename Function>
  static Function* symbol(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
  }
};

TEST_F(DriverLibrary, takes_the_runtime_library_that_the_process_has) {
  const auto version_with = [](const char* runtime) {
    if (runtime != nullptr) open(runtime);
    void* init = nullptr;
    symbol<decltype(cuGetProcAddress)>(open("libcuda.so.1"), "cuGetProcAddress")("cuInit", &init, 12000, 0);
    Dl_info library;
    dladdr(init, &library);
    std::_Exit(std::atoi(std::strrchr(library.dli_fname, 'o') + 2));  // of libcudart.so.12
  };
  EXPECT_EXIT(version_with(nullptr), testing::ExitedWithCode(13), "");
  EXPECT_EXIT(version_with("libcudart.so.12"), testing::ExitedWithCode(12), "");
  EXPECT_EXIT(version_with("libcudart.so.11.0"), testing::ExitedWithCode(11), "");
}

TEST_F(DriverLibrary, knows_every_call_and_names_those_that_are_not_supported) {
  const auto call_all = [] {
    void* const library = open("libcuda.so.1");
    bool is_right = symbol<void()>(library, "cuLaunchKernel_ptsz") != nullptr;
    for (const char* name : {
#define UNSUPPORTED(name, since) #name,
#include "cuda/driver/unsupported_calls.def"
#undef UNSUPPORTED
         }) {
      auto* const call = symbol<CUresult()>(library, name);
      is_right &= call != nullptr && call() == CUDA_ERROR_NOT_SUPPORTED;
    }
    std::_Exit(is_right ? 0 : 1);
  };
  EXPECT_EXIT(call_all(), testing::ExitedWithCode(0), "cuTexRefCreate is not supported");
}

}  // namespace driver_functions_test
}  // namespace warpfork::cuda

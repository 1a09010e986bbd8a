// The three shared libraries as a program of each CUDA release sees them.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cuda/api/image_descriptions.h"
#include "cuda/session/session_request.h"

namespace warpfork::cuda {
namespace library_test {

class Library : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_);
    save({folder_ + "/result.jsonl", DeviceDescription{}, Json::object()}, folder_ + "/request.json");
    setenv(kSessionVariable, (folder_ + "/request.json").c_str(), 1);
    handle_ = dlopen((std::string(TEST_CUDART_FOLDER "/libcudart.so.") + GetParam()).c_str(),
                     RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);  // what it keeps to the end is no leak
    ASSERT_NE(handle_, nullptr) << dlerror();
  }
  void TearDown() override {
    if (handle_) dlclose(handle_);
    unsetenv(kSessionVariable);
    std::filesystem::remove_all(folder_);
  }

  template <typename Function>
  Function* symbol(const char* name) {
    const std::string version = std::string("libcudart.so.") + GetParam();
    return reinterpret_cast<Function*>(dlvsym(handle_, name, version.c_str()));
  }

  /// Bytes that a call writes at the front of a larger buffer that it is given with `about`.
  template <typename About = int>
#ifdef __clang__
  __attribute__((no_sanitize("function")))  // its releases' structures have types of their own
#endif
  std::size_t
  bytes_written_by(const char* name, About about = {}) {
    alignas(16) std::array<unsigned char, 2048> buffer;
    buffer.fill(0xA5);
    auto* call = symbol<cudaError_t(void*, About)>(name);
    EXPECT_EQ(call(buffer.data(), about), cudaSuccess);
    std::size_t end = buffer.size();
    while (end > 0 && buffer[end - 1] == 0xA5) --end;
    return end;
  }

  /// Of an array of four texels, with `flags` and `reserved` where CUDA 13 has them, behind CUDA 12's structures.
  cudaError_t create_texture(cudaTextureObject_t* made, unsigned flags, unsigned reserved) {
    const cudaChannelFormatDesc format{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    const cudaTextureDesc description{};
    ResourceDescription13 resource{{}, {}, flags, 0};
    const ViewDescription13 view{{cudaResViewFormatNone, 4, 0, 0, 0, 0, 0, 0}, {reserved}};
    symbol<decltype(cudaMallocArray)>("cudaMallocArray")(&resource.of_12.res.array.array, &format, 4, 0, 0);
    return symbol<decltype(cudaCreateTextureObject)>("cudaCreateTextureObject")(made, &resource.of_12, &description,
                                                                                &view.of_12);
  }

  std::string folder_ = testing::TempDir() + "warpfork_library_" + std::to_string(getpid());
  void* handle_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Releases, Library, testing::Values("11.0", "12", "13"));

TEST_P(Library, exports_its_symbols_under_its_own_version_and_nothing_else) {
  EXPECT_NE(symbol<void()>("cudaMalloc"), nullptr);
  EXPECT_NE(symbol<void()>("__cudaRegisterFatBinary"), nullptr);
  EXPECT_NE(symbol<void()>("cudaBindTexture"), nullptr);
  EXPECT_EQ(dlsym(handle_, "_ZN8warpfork4cuda7Process8instanceEv"), nullptr);
}

// As programs name them that are compiled with --default-stream per-thread.
TEST_P(Library, knows_calls_on_the_default_stream_of_a_thread) {
  EXPECT_EQ(symbol<void()>("cudaMemcpy_ptds"), symbol<void()>("cudaMemcpy"));
  EXPECT_EQ(symbol<void()>("cudaLaunchKernel_ptsz"), symbol<void()>("cudaLaunchKernel"));
  EXPECT_NE(symbol<void()>("cudaLaunchKernel_ptsz"), nullptr);
}

TEST_P(Library, speaks_its_release) {
  int version = 0;
  ASSERT_EQ(symbol<cudaError_t(int*)>("cudaRuntimeGetVersion")(&version), cudaSuccess);
  EXPECT_EQ(version / 1000, std::atoi(GetParam()));
}

// What a program may link with is there; what is not supported says so.
TEST_P(Library, refuses_every_call_that_is_not_supported_by_its_code) {
  const char* const names[] = {
#define UNSUPPORTED(name) #name,
#include "cuda/api/unsupported_calls.def"
#undef UNSUPPORTED
  };
  testing::internal::CaptureStderr();
  for (const char* name : names) {
    auto* const call = symbol<cudaError_t()>(name);
    ASSERT_NE(call, nullptr) << name;
    EXPECT_EQ(call(), cudaErrorNotSupported) << name;
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("cudaBindTextureToMipmappedArray is not supported"), std::string::npos);
}

// Sizes of cudaDeviceProp: 728 in CUDA 11, 1032 in CUDA 12 (under a new name), 1008 in CUDA 13.
TEST_P(Library, fills_no_more_than_its_releases_properties) {
  const bool is_13 = std::strcmp(GetParam(), "13") == 0;
  EXPECT_EQ(bytes_written_by("cudaGetDeviceProperties"), is_13 ? 1008u : 728u);
  EXPECT_EQ(bytes_written_by("cudaGetDeviceProperties_v2"), is_13 ? 1008u : 1032u);
}

// Sizes of cudaTextureDesc, cudaResourceDesc and cudaResourceViewDesc as the headers of 11.8, 12.0 and 13.0 have them.
TEST_P(Library, describes_textures_by_its_releases_structures) {
  const int release = std::atoi(GetParam());
  cudaTextureObject_t made = 0;
  ASSERT_EQ(create_texture(&made, 0, 0), cudaSuccess);
  EXPECT_EQ(bytes_written_by("cudaGetTextureObjectTextureDesc", made), release == 11 ? 68u : 72u);
  EXPECT_EQ(bytes_written_by("cudaGetTextureObjectResourceDesc", made), release == 13 ? 144u : 64u);
  EXPECT_EQ(bytes_written_by("cudaGetTextureObjectResourceViewDesc", made), release == 13 ? 112u : 48u);
}

// CUDA 13: "must be zero".
TEST_P(Library, looks_no_further_than_its_releases_structures) {
  const cudaError_t of_13 = std::strcmp(GetParam(), "13") == 0 ? cudaErrorInvalidValue : cudaSuccess;
  cudaTextureObject_t made = 0;
  EXPECT_EQ(create_texture(&made, 1, 0), of_13);
  EXPECT_EQ(create_texture(&made, 0, 1), of_13);
}

}  // namespace library_test
}  // namespace warpfork::cuda

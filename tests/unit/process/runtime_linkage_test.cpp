#include "process/runtime_linkage.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "process/find_program.h"
#include "unit/run_program.h"

namespace warpfork::process {
namespace runtime_linkage_test {

/// What the compilers leave in every program with kernels: a fat binary, and a call that registers it.
constexpr const char* kProgram =
    "__attribute__((section(\".nv_fatbin\"))) char image[16] = {1};\n"
    "extern \"C\" void** __cudaRegisterFatBinary(void*);\n"
    "int main() { return __cudaRegisterFatBinary(image) == nullptr; }\n";
constexpr const char* kRuntime = "extern \"C\" void** __cudaRegisterFatBinary(void*) { return nullptr; }\n";

class Linkage : public testing::Test {
 protected:
  void SetUp() override {
    compiler_ = find_program("clang++");
    if (compiler_.empty()) GTEST_SKIP() << "there is no clang";
    std::filesystem::create_directory(folder_);
    std::ofstream(path("program.cpp")) << kProgram;
    std::ofstream(path("runtime.cpp")) << kRuntime;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ + "/" + name; }
  void build(std::vector<std::string> words) {
    words.insert(words.begin(), compiler_);
    ASSERT_EQ(run_program(words), 0);
  }

  std::string compiler_, folder_ = testing::TempDir() + "warpfork_linkage_" + std::to_string(getpid());
};

TEST_F(Linkage, runtime_in_a_program_can_be_replaced_where_it_has_names_and_a_loader) {
  build({path("program.cpp"), path("runtime.cpp"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Linked);
  build({"-s", path("program.cpp"), path("runtime.cpp"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Static);
  build({"-static", path("program.cpp"), path("runtime.cpp"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Static);
}

TEST_F(Linkage, release_of_a_runtime_is_known_by_its_functions) {
  for (const auto& [function, release] : {std::pair{"cudaMalloc", "13"}, std::pair{"cudaGetDeviceProperties_v2", "12"},
                                          std::pair{"cudaBindTexture", "11.0"}}) {
    std::ofstream(path("more.cpp")) << "extern \"C\" int " << function << "() { return 0; }\n";
    build({path("program.cpp"), path("runtime.cpp"), path("more.cpp"), "-o", path("program")});
    EXPECT_EQ(linked_release(path("program")), release);
  }
}

TEST_F(Linkage, program_that_asks_a_library_is_shared) {
  build({"-shared", "-fPIC", path("runtime.cpp"), "-o", path("libruntime.so")});
  build({"-s", path("program.cpp"), path("libruntime.so"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Shared);
}

TEST_F(Linkage, program_without_kernels_is_shared_if_it_asks_for_the_runtime_library) {
  std::ofstream(path("host.cpp")) << "__attribute__((section(\".nv_fatbin\"))) char image[16] = {1};\n"
                                     "extern \"C\" int cudaGetDeviceCount(int*);\n"
                                     "int main() { return cudaGetDeviceCount(nullptr); }\n";
  std::ofstream(path("library.cpp")) << "extern \"C\" int cudaGetDeviceCount(int*) { return 0; }\n";
  for (const auto& [name, linkage] :
       {std::pair{"libcudart.so.12", RuntimeLinkage::Shared}, std::pair{"libcuda_like.so", RuntimeLinkage::Static}}) {
    build({"-shared", "-fPIC", std::string("-Wl,-soname,") + name, path("library.cpp"), "-o", path(name)});
    build({"-s", path("host.cpp"), path(name), "-o", path("program")});
    EXPECT_EQ(runtime_linkage(path("program")), linkage) << name;
  }
}

TEST_F(Linkage, program_without_a_runtime_of_its_own_is_shared_if_it_asks_for_the_driver) {
  build({"-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", path("runtime.cpp"), "-o", path("libcuda.so.1")});
  std::ofstream(path("host.cpp")) << "__attribute__((section(\".nv_fatbin\"))) char image[16] = {1};\n"
                                     "int main() {}\n";
  build({"-Wl,--no-as-needed", path("host.cpp"), path("libcuda.so.1"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Shared);
  build({"-Wl,--no-as-needed", path("program.cpp"), path("runtime.cpp"), path("libcuda.so.1"), "-o", path("program")});
  EXPECT_EQ(runtime_linkage(path("program")), RuntimeLinkage::Linked);
}

TEST_F(Linkage, what_is_no_cuda_program_is_neither) {
  EXPECT_EQ(runtime_linkage("/proc/self/exe"), RuntimeLinkage::None);
  EXPECT_EQ(runtime_linkage(path("program.cpp")), RuntimeLinkage::None);
  EXPECT_EQ(runtime_linkage(path("nothing")), RuntimeLinkage::None);
}

TEST_F(Linkage, file_that_was_cut_off_is_survived) {
  build({path("program.cpp"), path("runtime.cpp"), "-o", path("program")});
  std::ifstream file(path("program"), std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    std::ofstream(path("part"), std::ios::binary).write(whole.data(), static_cast<std::streamsize>(length));
    EXPECT_EQ(runtime_linkage(path("part")), RuntimeLinkage::None);  // the section table stands at the end
  }
}

}  // namespace runtime_linkage_test
}  // namespace warpfork::process

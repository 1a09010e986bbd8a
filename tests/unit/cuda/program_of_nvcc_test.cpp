// Whole programs, built by nvcc where there is one: the runtime shared, or linked into programs and libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cuda/image/file_ptx.h"
#include "process/runtime_linkage.h"
#include "unit/cuda/program_run.h"

namespace warpfork::cuda {
namespace program_of_nvcc_test {

constexpr const char* kNvcc = "/usr/local/cuda/bin/nvcc";

class ProgramOfNvcc : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!std::filesystem::exists(kNvcc)) GTEST_SKIP() << "there is no nvcc";
  }

  std::string build_by_nvcc(const std::string& name, const std::vector<std::string>& options) {
    const std::string program = folder_ + "/" + name;
    std::vector<std::string> command{kNvcc, "-cudart", "shared", "-o", program, source(name)};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(run_program(command), 0);
    return program;
  }

  /// Path of a shared library that multiplies by the factor.
  std::string build_library(const std::string& name, int factor, const std::vector<std::string>& options) {
    const std::string library = folder_ + "/" + name + ".so";
    std::vector<std::string> command{kNvcc,
                                     "-arch=sm_75",
                                     "-shared",
                                     "-Xcompiler",
                                     "-fPIC",
                                     source("library_of_kernels"),
                                     "-DFACTOR=" + std::to_string(factor),
                                     "-o",
                                     library};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(run_program(command), 0);
    return library;
  }
};

TEST_F(ProgramOfNvcc, features_work_with_each_way_to_compress_ptx) {
  expect_pass(run(build_by_nvcc("features", {"-arch=sm_75"})), 7);
  expect_pass(run(build_by_nvcc("features", {"-arch=sm_75", "--compress-mode=speed"})), 7);
  expect_pass(run(build_by_nvcc("features", {"-arch=sm_75", "--compress-mode=none"})), 7);
}

TEST_F(ProgramOfNvcc, threads_may_have_default_streams_of_their_own) {
  expect_pass(run(build_by_nvcc("features", {"-arch=sm_75", "--default-stream", "per-thread"})), 7);
}

TEST_F(ProgramOfNvcc, kernels_launch_kernels) {
  const ProgramRun ended = run(build_by_nvcc("device_launches", {"-arch=sm_75", "-rdc=true", "-lcudadevrt"}));
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.output, testing::AllOf(testing::HasSubstr("launch of 'leaf' with 4096 threads per block"),
                                           testing::EndsWith("\nPASS\n")));
  // By hand: 7 of test_order(), 3 of test_arguments(), 25 halvings down to 13 elements, 2 of test_errors(), 3 of
  // test_copies().
  EXPECT_EQ(ended.result.launches.size(), 40u);
  EXPECT_EQ(ended.result.launches[2].launched_by.launch, 2u);
}

TEST_F(ProgramOfNvcc, driver_api_loads_ptx_and_is_one_with_the_runtime_api) {
  expect_pass(run(build_by_nvcc("driver_api.cpp", {"-std=c++17", "-lcuda"})), 3);
}

TEST_F(ProgramOfNvcc, program_without_kernels_works) {
  const std::string program = build_by_nvcc("host_only.cpp", {});
  EXPECT_EQ(process::runtime_linkage(program), process::RuntimeLinkage::Shared);
  expect_pass(run(program), 0);
}

TEST_F(ProgramOfNvcc, names_that_we_provide_are_those_of_nvcc) {
  expect_pass(run(build_by_nvcc("names", {"-arch=sm_75"})), 0);
}

TEST_F(ProgramOfNvcc, printing_and_assertions_work) {
  expect_printing(run(build_by_nvcc("printing", {"-arch=sm_75"})));
  expect_assertion(run(build_by_nvcc("assertion", {"-arch=sm_75"})));
}

TEST_F(ProgramOfNvcc, headers_that_we_have_too_do_as_ours_do) {
  expect_pass(run(build_by_nvcc("bfloat16", {"-arch=sm_80"})), 2);
  expect_pass(run(build_by_nvcc("random", {"-arch=sm_75"})), 8);
  expect_pass(run(build_by_nvcc("complex", {"-arch=sm_75"})), 1);
  expect_pass(run(build_by_nvcc("group_work", {"-arch=sm_80"})), 3);
  expect_pass(run(build_by_nvcc("block_primitives", {"-arch=sm_75"})), 3);
}

TEST_F(ProgramOfNvcc, thrust_finds_the_code_that_was_compiled) {
  const ProgramRun finished = run(build_by_nvcc("thrust", {"-arch=sm_75"}));
  EXPECT_EQ(finished.output, "sum 500500\nsorted 1000 999 1\nscanned 1999 500500\n");
}

TEST_F(ProgramOfNvcc, virtual_functions_and_pointers_to_functions_work) {
  expect_pass(run(build_by_nvcc("virtual_functions", {"-arch=sm_75"})), 2);
}

TEST_F(ProgramOfNvcc, functions_that_call_themselves_work) {
  expect_pass(run(build_by_nvcc("recursion", {"-arch=sm_75"})), 10);
  expect_pass(run(build_by_nvcc("recursion", {"-arch=sm_75", "-G"})), 10);
}

TEST_F(ProgramOfNvcc, arrays_on_the_stack_have_any_size) {
  expect_pass(run(build_by_nvcc("allocations", {"-arch=sm_75"})), 1);
  expect_pass(run(build_by_nvcc("allocations", {"-arch=sm_75", "-G"})), 1);
}

TEST_F(ProgramOfNvcc, graphs_are_captured_and_built) { expect_pass(run(build_by_nvcc("graphs", {"-arch=sm_75"})), 8); }

TEST_F(ProgramOfNvcc, managed_variables_work) {
  expect_pass(run(build_by_nvcc("managed", {"-arch=sm_75"})), 2);
  expect_pass(run(build_by_nvcc("managed", {"-arch=sm_75", "-Xcompiler", "-no-pie"})), 2);
  expect_pass(run(build_by_nvcc("managed_variables", {"-arch=sm_75"})), 1);
  expect_pass(run(build_by_nvcc("managed_files", {source("managed_files_part"), "-arch=sm_75", "-rdc=true"})), 2);
}

TEST_F(ProgramOfNvcc, variables_without_a_namespaces_name_are_there_for_the_host) {
  expect_pass(run(build_by_nvcc("anonymous_variables", {"-arch=sm_75"})), 1);
}

TEST_F(ProgramOfNvcc, one_file_of_relocatable_device_code_works) {
  expect_pass(run(build_by_nvcc("features", {"-arch=sm_75", "-rdc=true"})), 7);
}

TEST_F(ProgramOfNvcc, several_files_of_relocatable_device_code_are_linked) {
  const std::string program = build_by_nvcc("linked", {source("linked_part"), "-arch=sm_75", "-rdc=true"});
  expect_pass(run(program), 2);
  EXPECT_EQ(ptx_of_file(program).size(), 1u);
}

TEST_F(ProgramOfNvcc, runtime_is_linked_and_replaced_unless_asked_for) {
  const std::string program = folder_ + "/program";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"-Xcompiler", "-no-pie"}, {"-rdc=true"}}) {
    std::vector<std::string> command{kNvcc, "-arch=sm_75", source("features"), "-o", program};
    command.insert(command.end(), more.begin(), more.end());
    ASSERT_EQ(run_program(command), 0);
    EXPECT_EQ(process::runtime_linkage(program), process::RuntimeLinkage::Linked);
    EXPECT_EQ(process::linked_release(program), "13");
    expect_pass(run(program, replacing("13")), 7);
  }
  EXPECT_EQ(process::runtime_linkage(build_by_nvcc("wild_store", {})), process::RuntimeLinkage::Shared);
}

#ifdef TEST_RUNTIME_AUDIT
// The loader's auditor finds them before anything of them runs; a library that is loaded again lies elsewhere.
TEST_F(ProgramOfNvcc, runtimes_in_libraries_are_replaced_when_they_are_loaded) {
  const std::string linked = build_library("linked", 2, {}), loaded = build_library("loaded", 3, {"-rdc=true"});
  const std::string program = folder_ + "/program";
  ASSERT_EQ(run_program({"/usr/bin/c++", source("loads_libraries.cpp"), linked, "-ldl", "-o", program}), 0);
  const std::vector<std::string> audited{"LD_AUDIT=" TEST_RUNTIME_AUDIT};
  expect_pass(run(program, audited, {loaded, loaded}), 3);
  ASSERT_EQ(run_program({"/usr/bin/strip", loaded}), 0);
  const ProgramRun stripped = run(program, audited, {loaded});
  EXPECT_EQ(stripped.status, 1);
  EXPECT_THAT(stripped.output, testing::HasSubstr("loaded.so holds a CUDA runtime without the names of its functions"));
}

TEST_F(ProgramOfNvcc, libraries_share_the_runtime_with_the_program) {
  const std::string linked = build_library("linked", 2, {"-cudart", "shared"}), loaded = build_library("loaded", 3, {});
  const std::string program = folder_ + "/program";
  ASSERT_EQ(run_program({"/usr/bin/c++", source("loads_libraries.cpp"), linked, "-ldl", "-o", program}), 0);
  expect_pass(run(program, {"LD_AUDIT=" TEST_RUNTIME_AUDIT}, {loaded}), 2);
}
#endif

// -g is about the host's code.
TEST_F(ProgramOfNvcc, lines_of_the_source_are_there_with_lineinfo_and_with_device_debugging) {
  const std::string line = "wild_store.cu:6)";
  EXPECT_THAT(run(build_by_nvcc("wild_store", {"-arch=sm_75", "-lineinfo"})).output, testing::HasSubstr(line));
  EXPECT_THAT(run(build_by_nvcc("wild_store", {"-arch=sm_75", "-G"})).output, testing::HasSubstr(line));
  EXPECT_THAT(run(build_by_nvcc("wild_store", {"-arch=sm_75", "-g"})).output,
              testing::Not(testing::HasSubstr("wild_store.cu:")));
}

TEST_F(ProgramOfNvcc, machine_code_alone_is_refused_with_the_remedy) {
  const ProgramRun failed = run(build_by_nvcc("wild_store", {"-gencode", "arch=compute_75,code=sm_75"}));
  EXPECT_THAT(failed.output, testing::HasSubstr("rebuild it with -arch=sm_75"));
  EXPECT_EQ(failed.result.launches.size(), 0u);
}

}  // namespace program_of_nvcc_test
}  // namespace warpfork::cuda

// Runs whole programs on the runtime libraries with kernels executed functionally, and says what all of them must do.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/compiler.h"
#include "cuda/library/linked_runtime.h"
#include "cuda/session/session_request.h"
#include "cuda/session/session_result.h"
#include "process/find_program.h"
#include "unit/run_program.h"

namespace warpfork::cuda {

struct ProgramRun {
  int status = 0;
  std::string output;  // standard output and standard error
  SessionResult result;
};

/// A folder of its own, in which programs are built and run.
class Program : public testing::Test {
 protected:
  void SetUp() override {
#ifdef TEST_ADDRESS_SANITIZER
    GTEST_SKIP() << "a program without sanitizers cannot load a library with them";
#endif
    if (process::find_program("clang++").empty()) GTEST_SKIP() << "there is no clang";
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// A name without an extension is that of a CUDA program.
  static std::string source(const std::string& name) {
    return "tests/cudart/programs/" + name + (name.find('.') == std::string::npos ? ".cu" : "");
  }

  std::string build(const std::string& name, std::vector<std::string> options = {}) {
    const std::string program = folder_ + "/" + name + ".out";
    options.insert(options.end(), {source(name), "-o", program});
    EXPECT_EQ(compiler::compile(options, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}), 0);
    return program;
  }

  /// One step of a build of several: the words as for `warpfork cc`.
  static int compile(const std::vector<std::string>& words) {
    return compiler::compile(words, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER});
  }

  /// What `warpfork run` adds for a program with a runtime of its own.
  static std::vector<std::string> replacing(const char* release) {
    return {std::string("LD_PRELOAD=libcudart.so.") + release, std::string(kLinkedRuntimeVariable) + "=1"};
  }

  ProgramRun run(const std::string& program, const std::vector<std::string>& environment = {},
                 const std::vector<std::string>& arguments = {}) {
    const std::string result = folder_ + "/result.jsonl", output = folder_ + "/output";
    save({result, DeviceDescription{}, Json::object()}, folder_ + "/request.json");
    std::filesystem::remove(result);
    ProgramRun run;
    std::vector<std::string> command{"/bin/sh",
                                     "-c",
                                     "exec /usr/bin/env \"$@\" >\"$0\" 2>&1",
                                     output,
                                     std::string(kSessionVariable) + "=" + folder_ + "/request.json",
                                     "LD_LIBRARY_PATH=" TEST_CUDART_FOLDER};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(program);
    command.insert(command.end(), arguments.begin(), arguments.end());
    run.status = run_program(command);
    std::ifstream file(output);
    run.output.assign(std::istreambuf_iterator<char>(file), {});
    run.result = read_session(result);
    return run;
  }

  std::string folder_ = testing::TempDir() + "warpfork_program_" + std::to_string(getpid());
};

inline void expect_pass(const ProgramRun& run, std::size_t launches) {
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "PASS\n");
  EXPECT_TRUE(run.result.complete);
  EXPECT_EQ(run.result.launches.size(), launches);
  EXPECT_TRUE(run.result.errors.empty());
}

// The order of the functional sink: of a branch, the side at the lower address first.
inline void expect_printing(const ProgramRun& run) {
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.output, testing::StartsWith("begin\n-1  1.50 literal c 1099511627776 ff 0x10 local\n"
                                              "   ab|cd   |%|   7|(null)\nbetween\n"));
  EXPECT_THAT(run.output, testing::HasSubstr("odd 1 of block 0\nodd 3 of block 0\n"));
  EXPECT_THAT(run.output, testing::HasSubstr("even 0\neven 2\n"));
  EXPECT_THAT(run.output, testing::EndsWith("\n1 2 1 2\n"));
  EXPECT_TRUE(run.result.printed);
}

// CUDA C++ Programming Guide, "Assertion".
inline void expect_assertion(const ProgramRun& run) {
  EXPECT_EQ(run.output,
            "before\n"
            "tests/cudart/programs/assertion.cu:9: void check(int): block: [0,0,0], thread: [2,0,0] Assertion "
            "`threadIdx.x < n` failed.\n"
            "tests/cudart/programs/assertion.cu:9: void check(int): block: [0,0,0], thread: [3,0,0] Assertion "
            "`threadIdx.x < n` failed.\n"
            "cudaErrorAssert, device-side assert triggered\n");
  EXPECT_EQ(run.result.errors.size(), 1u);
}

}  // namespace warpfork::cuda

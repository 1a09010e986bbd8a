#include "compiler/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/text_file.h"
#include "unit/test_folder.h"

namespace warpfork::compiler {
namespace compiler_test {

namespace fs = std::filesystem;

void write_program(const fs::path& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script;
  fs::permissions(path, fs::perms::owner_all);
}

/// Alone on PATH is a folder with programs of these names, each of which exits with the number behind its name's dash,
/// or 1.
int status_with(const std::vector<std::string>& compilers) {
  const fs::path folder = fs::path(test_folder()) / "bin";
  fs::create_directory(folder);
  for (const std::string& name : compilers) {
    const auto dash = name.find('-');
    write_program(folder / name, "exit " + (dash == std::string::npos ? "1" : name.substr(dash + 1)));
  }
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  std::ofstream(folder / "x.cu").flush();
  const std::vector<std::string> words{(folder / "x.cu").string(), "-o", (folder / "x").string()};
  int status = -1;
  std::string message;
  try {
    status = compile(words, {"/include", "/lib"});
  } catch (const Error& error) {
    message = error.what();
  }
  setenv("PATH", path.c_str(), 1);
  fs::remove_all(folder);
  if (status == -1) {
    EXPECT_THAT(message, testing::HasSubstr("there is no clang: apt install clang"));
  }
  return status;
}

TEST(Compiler, is_the_default_clang_or_else_the_newest_that_is_there) {
  EXPECT_EQ(status_with({"clang++-14"}), 14);
  EXPECT_EQ(status_with({"clang++-14", "clang++-18", "clang++-9"}), 18);
  EXPECT_EQ(status_with({"clang++-20", "clang++-19"}), 20);
  EXPECT_EQ(status_with({"clang++", "clang++-19"}), 1);
}

TEST(Compiler, is_none_older_than_14) {
  EXPECT_EQ(status_with({"clang++-13"}), -1);
  EXPECT_EQ(status_with({}), -1);
}

TEST(Compiler, libclc_of_another_clang_is_told_with_the_package) {
  constexpr const char* kLibclc = "/usr/lib/clc/nvptx64--nvidiacl.bc";
  if (!fs::exists(kLibclc)) GTEST_SKIP() << "there is no libclc";
  const fs::path folder = fs::path(test_folder()) / "bin";
  fs::create_directory(folder);
  write_program(folder / "clang++", std::string("[ $1 = -dumpversion ] && echo 17.0.6 && exit 0\n"
                                                "echo \"fatal error: cannot open file '") +
                                        kLibclc + "': Unknown attribute kind\" >&2\nexit 1\n");
  std::ofstream(folder / "x.cu") << "__global__ void k() {}\n";
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(compile(std::vector{(folder / "x.cu").string(), std::string("-ptx")}, {"/include", "/lib"}), 1);
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("apt install libclc-17"));
}

// Of CMake's FindCUDAToolkit " V([0-9]+)\\.([0-9]+)\\.([0-9]+)", of its CMakeDetermineCUDACompiler
// "nvcc: NVIDIA \\(R\\) Cuda compiler driver", of PyTorch's build "release (\\S+),".
TEST(Compiler, version_is_told_in_the_words_of_nvcc) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(compile(std::vector<std::string>{"--version"}, {"/include", "/lib"}), 0);
  std::fflush(stdout);
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::MatchesRegex("warpfork cc [0-9.]+, in place of nvcc: NVIDIA \\(R\\) Cuda compiler driver, "
                                    "release 12\\.0, V12\\.0\\.140, with .*clang.*\n"));
}

TEST(Compiler, dependencies_name_the_headers_of_the_host) {
  const fs::path folder = test_folder(), source = folder / "x.cu", rules = folder / "x.d";
  std::ofstream(folder / "x.h").flush();
  std::ofstream(source) << "#include \"x.h\"\n__global__ void k() {}\n";
  const std::vector<std::string> words{"-M", source.string(), "-o", rules.string()};
  ASSERT_EQ(compile(words, {TEST_TOOLCHAIN, "/lib"}), 0);
  const std::string text = config::read_text(rules);
  EXPECT_THAT(text, testing::StartsWith("x.o: "));
  EXPECT_THAT(text, testing::HasSubstr((folder / "x.h").string()));
}

/// Runs `warpfork cc` with these words in a folder with a.cpp, which includes a.h, and main.cpp.
void link_in_folder(const std::vector<std::string>& words) {
  const fs::path folder = test_folder(), before = fs::current_path();
  std::ofstream(folder / "a.h") << "int a();\n";
  std::ofstream(folder / "a.cpp") << "#include \"a.h\"\nint a() { return 0; }\n";
  std::ofstream(folder / "main.cpp") << "int a(); int main() { return a(); }\n";
  std::ofstream(folder / "libcudart.so.12") << "INPUT(-lc)\n";
  fs::current_path(folder);
  EXPECT_EQ(compile(words, {TEST_TOOLCHAIN, folder}), 0);
  fs::current_path(before);
}

std::string text_of(const char* name) { return config::read_text(fs::path(test_folder()) / name); }

// As nvcc names file and target; of several sources nvcc keeps the last one's alone.
TEST(Compiler, dependencies_of_what_is_linked_are_those_of_the_program) {
  link_in_folder({"-MMD", "a.cpp", "main.cpp", "-o", "prog"});
  EXPECT_EQ(text_of("prog.d"), "prog: a.cpp a.h\nprog: main.cpp\n");
}

TEST(Compiler, dependencies_of_what_is_linked_are_where_the_options_say) {
  link_in_folder({"-MMD", "-MF", "rules", "a.cpp", "main.cpp", "-o", "prog"});
  EXPECT_EQ(text_of("rules"), "prog: a.cpp a.h\nprog: main.cpp\n");
  link_in_folder({"-MMD", "-MT", "all", "a.cpp", "main.cpp", "-o", "prog"});
  EXPECT_EQ(text_of("prog.d"), "all: a.cpp a.h\nall: main.cpp\n");
}

TEST(Compiler, dependencies_of_what_is_linked_without_a_name_are_of_each_source) {
  link_in_folder({"-MMD", "a.cpp", "main.cpp"});
  EXPECT_EQ(text_of("a.d"), "a.o: a.cpp a.h\n");
  EXPECT_EQ(text_of("main.d"), "main.o: main.cpp\n");
}

/// What `warpfork cc` writes to standard output for a source that calls a macro `NUMBER`.
std::string standard_output(const std::string& option) {
  const fs::path source = fs::path(test_folder()) / "x.cu";
  std::ofstream(source) << "#define NUMBER 77\n__global__ void k(int* to) { *to = NUMBER; }\n";
  testing::internal::CaptureStdout();
  EXPECT_EQ(
      compile(std::vector{option, source.string(), std::string("-o"), std::string("-")}, {TEST_TOOLCHAIN, "/lib"}), 0);
  std::fflush(stdout);
  EXPECT_FALSE(fs::exists("-"));
  return testing::internal::GetCapturedStdout();
}

TEST(Compiler, dash_is_standard_output) {
  EXPECT_THAT(standard_output("-ptx"), testing::HasSubstr(".visible .entry _Z1kPi("));
  EXPECT_THAT(standard_output("-E"), testing::HasSubstr("{ *to = 77; }"));
  EXPECT_THAT(standard_output("-M"), testing::StartsWith("x.o: "));
}

// The number is an integral constant expression, which may have parentheses. Clang says that in CUDA it may not, and
// with -Werror refused the program.
TEST(Compiler, number_of_turns_to_unroll_may_stand_in_parentheses) {
  const fs::path source = fs::path(test_folder()) / "x.cu";
  std::ofstream(source) << "__global__ void k(float* to) {\n#pragma unroll (4)\n"
                           "  for (int i = 0; i < 16; i++) to[i] += i;\n}\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(compile(std::vector<std::string>{"-Werror", "all-warnings", "-c", source, "-o", source.string() + ".o"},
                    {TEST_TOOLCHAIN, "/lib"}),
            0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// What clang does not use, it says so.
TEST(Compiler, names_of_dependencies_are_not_the_linkers) {
  const fs::path folder = test_folder();
  std::ofstream(folder / "x.cpp") << "int main() {}\n";
  std::ofstream(folder / "libcudart.so.12") << "INPUT(-lc)\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(
      compile(std::vector<std::string>{"-MT", "foo.o", folder / "x.cpp", "-o", folder / "x"}, {TEST_TOOLCHAIN, folder}),
      0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace compiler_test
}  // namespace warpfork::compiler

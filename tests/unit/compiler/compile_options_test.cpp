#include "compiler/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::compiler {
namespace compile_options_test {

using testing::ElementsAre;

// A source that exists, wherever the tests run.
const std::string kSource = "tests/cudart/programs/features.cu";

CompileOptions parse(std::vector<std::string> arguments) { return parse_compile_options(arguments); }

std::string error_of(std::vector<std::string> arguments) {
  try {
    parse_compile_options(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompileOptions, sorts_options_by_who_gets_them) {
  const auto options = parse({kSource, "-I", "folder", "-DN=3", "-g", "-lm", "helper.o", "-std=c++17", "-o", "out"});
  EXPECT_THAT(options.common, ElementsAre("-I", "folder", "-DN=3", "-std=c++17"));
  EXPECT_THAT(options.host_only, ElementsAre("-g"));
  EXPECT_THAT(options.link_inputs, ElementsAre("-lm", "helper.o"));
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.optimization, "-O2");
}

TEST(CompileOptions, knows_the_language_of_a_source_by_its_name) {
  const std::string c = "tests/cudart/programs/host_only.c", cxx = "tests/cudart/programs/host_only.cpp";
  const auto options = parse({c, "part.o", kSource, cxx});
  ASSERT_EQ(options.sources.size(), 3u);
  EXPECT_EQ(options.sources[0].language, Language::C);
  EXPECT_EQ(options.sources[1].language, Language::Cuda);
  EXPECT_EQ(options.sources[2].language, Language::Cxx);
  EXPECT_EQ(options.sources[2].path, cxx);
  EXPECT_THAT(options.link_inputs, ElementsAre("part.o"));
  EXPECT_THAT(error_of({"-ptx", c}), testing::HasSubstr("host_only.c: has no kernels"));
}

TEST(CompileOptions, understands_nvccs_ways_to_name_an_architecture) {
  EXPECT_EQ(parse({kSource}).architecture, "70");
  EXPECT_EQ(parse({kSource, "-arch=sm_75"}).architecture, "75");
  EXPECT_EQ(parse({kSource, "-arch", "compute_80"}).architecture, "80");
  EXPECT_EQ(parse({kSource, "-gencode", "arch=compute_61,code=sm_61"}).architecture, "61");
  EXPECT_EQ(parse({kSource, "--cuda-gpu-arch=sm_35"}).architecture, "35");
}

TEST(CompileOptions, passes_words_of_xcompiler_to_the_host_only) {
  EXPECT_THAT(parse({kSource, "-Xcompiler", "-fopenmp"}).host_only, ElementsAre("-fopenmp"));
}

TEST(CompileOptions, ignores_what_is_always_so) {
  const auto options = parse({kSource, "-cudart", "shared", "-lineinfo"});
  EXPECT_TRUE(options.host_only.empty());
  EXPECT_TRUE(options.link_inputs.empty());
}

TEST(CompileOptions, refuses_what_cannot_be) {
  EXPECT_THAT(error_of({kSource, "-cudart", "static"}), testing::HasSubstr("always shared"));
  EXPECT_THAT(error_of({kSource, "-rdc=true"}), testing::HasSubstr("relocatable device code"));
  EXPECT_THAT(error_of({kSource, "-arch=fast"}), testing::HasSubstr("no architecture"));
  EXPECT_THAT(error_of({"-O2"}), testing::HasSubstr("nothing to compile"));
  EXPECT_THAT(error_of({kSource, "-o"}), testing::HasSubstr("needs a value"));
  EXPECT_THAT(error_of({"none.cu"}), testing::HasSubstr("no such file"));
  EXPECT_THAT(error_of({"-c", kSource, kSource, "-o", "x.o"}), testing::HasSubstr("names one file"));
}

}  // namespace compile_options_test
}  // namespace warpfork::compiler

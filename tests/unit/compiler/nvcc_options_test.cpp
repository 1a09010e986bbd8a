#include "compiler/nvcc_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "compiler/compile_options.h"

namespace warpfork::compiler {
namespace nvcc_options_test {

struct Option {
  std::string long_name, short_name, value;
};

// All but --help, which is asked for alone (cli/cc.cpp), and --options-file (option_files_test.cpp).
const Option kOptions[] = {
#define NVCC_HELP(long_name, short_name, value) {long_name, short_name, value},
#include "nvcc_help.def"
#undef NVCC_HELP
};

// What clang, or the linker, takes by nvcc's name or ours, and the examples' values.
constexpr std::array<std::string_view, 17> kKnown{"-MD",      "-MMD", "-MP", "-MF", "-MT", "-g",
                                                  "-pg",      "x",    "-lx", "-Lx", "-L",  "-shared",
                                                  "-Xlinker", "-s",   "-lm", "-w",  "-O2"};

/// What of the words neither clang nor the linker knows; nothing where the option is refused.
std::vector<std::string> unknown_of(std::vector<std::string> words) {
  std::vector<std::string> unknown;
  words.emplace_back("tests/cudart/programs/features.cu");
  try {
    const CompileOptions options = parse_compile_options(words);
    EXPECT_EQ(options.sources.size(), 1u) << words[0];
    for (const auto* const part : {&options.host_only, &options.dependencies, &options.link_inputs})
      std::ranges::copy_if(*part, std::back_inserter(unknown),
                           [](const std::string& word) { return std::ranges::find(kKnown, word) == kKnown.end(); });
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("warpfork cc: "));
    EXPECT_THAT(error.what(),
                testing::AnyOf(testing::HasSubstr(" is not possible: "), testing::HasSubstr("-dlink takes")));
  }
  return unknown;
}

TEST(NvccOptions, none_of_nvccs_reaches_clang_that_clang_does_not_know) {
  ASSERT_EQ(std::size(kOptions), 141u);
  for (const Option& option : kOptions)
    for (const std::string& name : {option.long_name, option.short_name}) {
      if (option.value.empty()) {
        EXPECT_THAT(unknown_of({name}), testing::IsEmpty()) << name;
        continue;
      }
      EXPECT_THAT(unknown_of({name, option.value}), testing::IsEmpty()) << name;
      EXPECT_THAT(unknown_of({name + "=" + option.value}), testing::IsEmpty()) << name;
    }
}

TEST(NvccOptions, dashes_are_two_of_long_names_and_one_of_short_ones) {
  EXPECT_EQ(with_nvccs_dashes("-gpu-architecture"), "--gpu-architecture");
  EXPECT_EQ(with_nvccs_dashes("-list-gpu-code"), "--list-gpu-code");
  EXPECT_EQ(with_nvccs_dashes("--gencode"), "-gencode");
  EXPECT_EQ(with_nvccs_dashes("--lineinfo"), "-lineinfo");
  for (const char* right : {"-shared", "-std", "-Wreorder", "-ftz", "-fPIC", "--sysroot", "-lm", "-"})
    EXPECT_EQ(with_nvccs_dashes(right), "") << right;
}

}  // namespace nvcc_options_test
}  // namespace warpfork::compiler

// What the toolchain's headers make of barriers, fences, shuffles and votes: the order of the PTX that clang writes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>

#include "compiler/compiler.h"
#include "process/find_program.h"

namespace warpfork::compiler {
namespace synchronisation_test {

struct Builtin {
  const char* call;         // `value` is an int
  const char* instruction;  // what it begins with in PTX
};

constexpr Builtin kBuiltins[] = {
    {"__syncthreads()", "bar.sync"},
    {"::__syncthreads()", "bar.sync"},
    {"value += __syncthreads_count(value)", "bar.red.popc"},
    {"value += __syncthreads_and(value)", "bar.red.and"},
    {"value += __syncthreads_or(value)", "bar.red.or"},
    {"__barrier_sync(1)", "barrier.sync"},
    {"__barrier_sync_count(1, 64)", "barrier.sync"},
    {"__syncwarp()", "bar.warp.sync"},
    {"__threadfence_block()", "membar.cta"},
    {"__threadfence()", "membar.gl"},
    {"__threadfence_system()", "membar.sys"},
    {"value += __shfl_sync(~0u, value, 1)", "shfl.sync.idx"},
    {"value += __shfl_sync(~0u, (float)value, 1)", "shfl.sync.idx"},
    {"value += __shfl_up_sync(~0u, value, 1)", "shfl.sync.up"},
    {"value += __shfl_up_sync(~0u, (float)value, 1)", "shfl.sync.up"},
    {"value += __shfl_down_sync(~0u, value, 1)", "shfl.sync.down"},
    {"value += __shfl_down_sync(~0u, (float)value, 1)", "shfl.sync.down"},
    {"value += __shfl_xor_sync(~0u, value, 1)", "shfl.sync.bfly"},
    {"value += __shfl_xor_sync(~0u, (float)value, 1)", "shfl.sync.bfly"},
    {"value += __ballot_sync(~0u, value)", "vote.sync.ballot"},
    {"value += __all_sync(~0u, value)", "vote.sync.all"},
    {"value += __any_sync(~0u, value)", "vote.sync.any"},
    {"value += __uni_sync(~0u, value)", "vote.sync.uni"},
    {"value += __match_any_sync(~0u, value)", "match.any.sync.b32"},
    {"value += __match_any_sync(~0u, (long long)value)", "match.any.sync.b64"},
    {"value += __match_all_sync(~0u, value, out + 3)", "match.all.sync.b32"},
    {"value += __match_all_sync(~0u, (long long)value, out + 3)", "match.all.sync.b64"},
    {"value += __reduce_add_sync(~0u, value)", "redux.sync.add.s32"},
    {"value += __reduce_add_sync(~0u, (unsigned)value)", "redux.sync.add.u32"},
    {"value += __reduce_min_sync(~0u, value)", "redux.sync.min.s32"},
    {"value += __reduce_min_sync(~0u, (unsigned)value)", "redux.sync.min.u32"},
    {"value += __reduce_max_sync(~0u, value)", "redux.sync.max.s32"},
    {"value += __reduce_max_sync(~0u, (unsigned)value)", "redux.sync.max.u32"},
    {"value += __reduce_and_sync(~0u, value)", "redux.sync.and.b32"},
    {"value += __reduce_or_sync(~0u, value)", "redux.sync.or.b32"},
    {"value += __reduce_xor_sync(~0u, value)", "redux.sync.xor.b32"},
};

/// Of a time before member masks; those for architectures without them.
constexpr Builtin kOldBuiltins[] = {
    {"value += __shfl(value, 1)", "shfl.idx"},
    {"value += __shfl((float)value, 1)", "shfl.idx"},
    {"value += __shfl_up(value, 1)", "shfl.up"},
    {"value += __shfl_down(value, 1)", "shfl.down"},
    {"value += __shfl_down((float)value, 1)", "shfl.down"},
    {"value += __shfl_xor(value, 1)", "shfl.bfly"},
    {"value += __ballot(value)", "vote.ballot"},
    {"value += __all(value)", "vote.all"},
    {"value += __any(value)", "vote.any"},
};

/// One kernel a builtin: between its two calls the same variable must be read again, another one not earlier, and a
/// third not be written earlier.
std::string kernels(std::span<const Builtin> builtins) {
  std::ostringstream text;
  int number = 0;
  for (const Builtin& builtin : builtins)
    text << "extern \"C\" __global__ void kernel" << number++ << "(int* out, int value) {\n"
         << "  __shared__ int same, other;\n  same = value;\n  " << builtin.call << ";\n"
         << "  out[0] = same;\n  out[1] = other;\n  " << builtin.call << ";\n  other = value;\n  out[2] = value;\n}\n";
  return text.str();
}

/// The kernel's accesses to shared memory, and `instruction`, in the order of the text.
std::vector<std::string> order_of(const std::string& ptx, std::size_t kernel, const std::string& instruction) {
  std::vector<std::string> found;
  std::istringstream lines(ptx.substr(std::min(ptx.find(fmt::format(".entry kernel{}(", kernel)), ptx.size())));
  for (std::string line; std::getline(lines, line) && line != "}";)
    for (const std::string& word : {std::string("ld.shared"), std::string("st.shared"), instruction})
      if (line.find("\t" + word) != std::string::npos) found.push_back(word);
  return found;
}

class Synchronisation : public testing::Test {
 protected:
  void SetUp() override {
    if (process::find_program("clang++").empty()) GTEST_SKIP() << "there is no clang";
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void expect_barriers(std::span<const Builtin> builtins, std::vector<std::string> options) {
    std::ofstream(folder_ + "/kernels.cu") << kernels(builtins);
    options.insert(options.end(), {"-ptx", folder_ + "/kernels.cu", "-o", folder_ + "/kernels.ptx"});
    ASSERT_EQ(compile(options, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}), 0);
    std::ifstream file(folder_ + "/kernels.ptx");
    const std::string ptx(std::istreambuf_iterator<char>(file), {});
    for (std::size_t kernel = 0; kernel < builtins.size(); ++kernel) {
      const std::string word = builtins[kernel].instruction;
      EXPECT_THAT(order_of(ptx, kernel, word),
                  testing::ElementsAre("st.shared", word, "ld.shared", "ld.shared", word, "st.shared"))
          << builtins[kernel].call;
    }
  }

  std::string folder_ = testing::TempDir() + "warpfork_synchronisation_" + std::to_string(getpid());
};

TEST_F(Synchronisation, nothing_moves_over_a_builtin) {
  expect_barriers(kBuiltins, {"-arch=sm_80"});
  expect_barriers(kBuiltins, {"-arch=sm_80", "-O3"});
}

TEST_F(Synchronisation, nothing_moves_over_a_builtin_without_members) {
  expect_barriers(kOldBuiltins, {"-arch=sm_60"});
}

TEST_F(Synchronisation, shuffle_without_members_is_one_of_the_active_lanes_on_later_architectures) {
  constexpr Builtin kShuffles[] = {{"value += __shfl(value, 1)", "shfl.sync.idx"},
                                   {"value += __shfl_up((float)value, 1)", "shfl.sync.up"}};
  expect_barriers(kShuffles, {"-arch=sm_70"});
}

}  // namespace synchronisation_test
}  // namespace warpfork::compiler

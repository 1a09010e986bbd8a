#include "cli/cpu_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace cpu_options_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

CpuOptions parse(const std::string& words) {
  CommandLine line;
  Command command = line.root();
  CpuOptions options;
  add_cpu_options(command, options);
  std::istringstream stream(words);
  line.run({std::istream_iterator<std::string>(stream), {}});
  return options;
}

/// "W×T" for a recording of so many threads.
std::string shape(const std::string& words, unsigned threads) {
  const ooo::MachineSpec machine = simulation::cpu_machine(parse(words), threads);
  return fmt::format("{}×{}", machine.warps, machine.threads);
}

TEST(CpuOptions, takes_two_warps_as_wide_as_the_threads_need) {
  EXPECT_EQ(shape("it.wft", 1), "1×1");
  EXPECT_EQ(shape("it.wft", 2), "2×1");
  EXPECT_EQ(shape("it.wft", 7), "2×4");
  EXPECT_EQ(shape("it.wft", 8), "2×4");
  EXPECT_EQ(shape("it.wft", 9), "2×5");
  EXPECT_EQ(shape("it.wft", 64), "2×32");
}

TEST(CpuOptions, takes_the_warps_and_threads_that_it_is_given) {
  EXPECT_EQ(shape("it.wft --warps 4", 8), "4×2");
  EXPECT_EQ(shape("it.wft --warps 1", 8), "1×8");
  EXPECT_EQ(shape("it.wft --threads 8", 4), "2×8");
  EXPECT_EQ(shape("it.wft --warps 4 --threads 4", 1), "4×4");
  EXPECT_EQ(shape("it.wft --set warps=3 --set threads=5", 1), "3×5");
  EXPECT_EQ(shape("it.wft --set warps=3 --threads 2", 1), "3×2");
}

TEST(CpuOptions, refuses_to_be_told_twice) {
  EXPECT_THAT([] { shape("it.wft --set warps=3 --warps 2", 4); },
              ThrowsMessage<Error>(HasSubstr("--set warps=3: --warps 2 decides warps\n  leave one of them out")));
  EXPECT_THAT([] { shape("it.wft --threads 2 --set threads=2", 4); },
              ThrowsMessage<Error>(HasSubstr("--threads 2 decides threads")));
}

TEST(CpuOptions, refuses_none_with_the_option_and_what_is_allowed) {
  for (const char* option : {"--warps", "--threads"})
    EXPECT_THAT([&] { parse(fmt::format("it.wft {} 0", option)); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr(option), HasSubstr("0 not in range 1 to 64"))));
  EXPECT_THAT([] { shape("it.wft --set warps=0", 8); },
              ThrowsMessage<Error>(HasSubstr("'warps' must be an integer from 1 to 64")));
  EXPECT_THAT([] { shape("it.wft --warps 2 --set threads=0", 8); },
              ThrowsMessage<Error>(HasSubstr("'threads' must be an integer from 1 to 64")));
}

TEST(CpuOptions, refuses_more_threads_than_a_core_may_have) {
  EXPECT_EQ(shape("it.wft --warps 4 --threads 16", 1), "4×16");
  EXPECT_THAT([] { shape("it.wft --warps 5 --threads 13", 1); },
              ThrowsMessage<Error>(HasSubstr("5 warps of 13 threads: a core has at most 64 threads")));
  EXPECT_THAT([] { shape("it.wft --warps 1 --set threads=65", 1); },
              ThrowsMessage<Error>(HasSubstr("from 1 to 64, not 65")));
  EXPECT_THROW(shape("it.wft --set warps=65536 --set threads=65536", 1), Error);  // their product is 2^32
  EXPECT_THAT([] { shape("it.wft", 65); }, ThrowsMessage<Error>(HasSubstr("the recording has 65")));
}

TEST(CpuOptions, refuses_no_warps_and_no_recording) {
  EXPECT_THROW(parse("it.wft --warps 0"), UsageError);
  EXPECT_THROW(parse("it.wft --threads -1"), UsageError);
  EXPECT_THROW(parse("--warps 2"), UsageError);
}

// SIMT-X Table I.
TEST(CpuOptions, describes_the_papers_core_unless_told_otherwise) {
  const ooo::MachineSpec machine = simulation::cpu_machine(parse("it.wft"), 8);
  EXPECT_EQ(machine.rename, "pirat");
  EXPECT_EQ(machine.pipeline.reorder_buffer, 192u);
  EXPECT_EQ(machine.pipeline.issue_queue, 60u);
  EXPECT_EQ(machine.pipeline.load_store_queue, 114u);
  EXPECT_EQ(machine.pipeline.integer_registers, 168u);
  EXPECT_EQ(machine.memory.l1_kilobytes, 32u);
  EXPECT_EQ(machine.memory.l2_kilobytes, 4096u);
  EXPECT_EQ(machine.memory.memory_latency, 215u);
}

TEST(CpuOptions, changes_single_keys_after_the_machine_file) {
  const std::string path = test_folder() + "/core.toml";
  std::ofstream(path) << "warps = 4\n[pipeline]\nreorder_buffer = 100\nissue_width = 2\n";
  const CpuOptions options = parse("it.wft --machine " + path + " --set pipeline.issue_width=8 --set rename=rat");
  const ooo::MachineSpec machine = simulation::cpu_machine(options, 8);
  EXPECT_EQ(machine.warps, 4u);
  EXPECT_EQ(machine.threads, 2u);
  EXPECT_EQ(machine.pipeline.reorder_buffer, 100u);
  EXPECT_EQ(machine.pipeline.issue_width, 8u);
  EXPECT_EQ(machine.rename, "rat");
}

TEST(CpuOptions, refuses_keys_that_a_machine_does_not_have) {
  EXPECT_THAT([] { shape("it.wft --set pipeline.reorder_bufer=3", 1); },
              ThrowsMessage<Error>(HasSubstr("reorder_buffer")));
  EXPECT_THAT([] { shape("it.wft --machine /nowhere.toml", 1); }, ThrowsMessage<Error>(HasSubstr("/nowhere.toml")));
}

}  // namespace cpu_options_test
}  // namespace warpfork::cli

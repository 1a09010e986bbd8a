#include "cli/cpu_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "base/error.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

CpuOptions parse(const std::string& words) {
  CLI::App command;
  CpuOptions options;
  add_cpu_options(command, options);
  command.parse(words);
  return options;
}

/// "W×T" for a recording of so many threads.
std::string shape(const std::string& words, unsigned threads) {
  const ooo::MachineSpec machine = cpu_machine(parse(words), threads);
  return fmt::format("{}×{}", machine.warps, machine.threads);
}

TEST(CpuWork, takes_two_warps_as_wide_as_the_threads_need) {
  EXPECT_EQ(shape("it.wft", 1), "1×1");
  EXPECT_EQ(shape("it.wft", 2), "2×1");
  EXPECT_EQ(shape("it.wft", 7), "2×4");
  EXPECT_EQ(shape("it.wft", 8), "2×4");
  EXPECT_EQ(shape("it.wft", 9), "2×5");
  EXPECT_EQ(shape("it.wft", 64), "2×32");
}

TEST(CpuWork, takes_the_warps_and_threads_that_it_is_given) {
  EXPECT_EQ(shape("it.wft --warps 4", 8), "4×2");
  EXPECT_EQ(shape("it.wft --warps 1", 8), "1×8");
  EXPECT_EQ(shape("it.wft --threads 8", 4), "2×8");
  EXPECT_EQ(shape("it.wft --warps 4 --threads 4", 1), "4×4");
  EXPECT_EQ(shape("it.wft --set warps=3 --set threads=5", 1), "3×5");
  EXPECT_EQ(shape("it.wft --set warps=3 --warps 2", 4), "2×2");  // options of their own come last
}

TEST(CpuWork, refuses_none_with_the_option_and_what_is_allowed) {
  for (const char* option : {"--warps", "--threads"})
    EXPECT_THAT([&] { parse(fmt::format("it.wft {} 0", option)); },
                ThrowsMessage<CLI::ValidationError>(AllOf(HasSubstr(option), HasSubstr("0 not in range 1 to 64"))));
  EXPECT_THAT([] { shape("it.wft --set warps=0", 8); },
              ThrowsMessage<Error>(HasSubstr("warps is 0\n  a core has 1 to 64")));
  EXPECT_THAT([] { shape("it.wft --warps 2 --set threads=0", 8); }, ThrowsMessage<Error>(HasSubstr("threads is 0\n")));
}

TEST(CpuWork, refuses_more_threads_than_a_core_may_have) {
  EXPECT_EQ(shape("it.wft --warps 4 --threads 16", 1), "4×16");
  EXPECT_THAT([] { shape("it.wft --warps 5 --threads 13", 1); },
              ThrowsMessage<Error>(HasSubstr("5 warps of 13 threads: a core has at most 64 threads")));
  EXPECT_THROW(shape("it.wft --set warps=65536 --set threads=65536", 1), Error);  // their product is 2^32
  EXPECT_THAT([] { shape("it.wft", 65); }, ThrowsMessage<Error>(HasSubstr("the recording has 65")));
}

TEST(CpuWork, refuses_no_warps_and_no_recording) {
  EXPECT_THROW(parse("it.wft --warps 0"), CLI::ValidationError);
  EXPECT_THROW(parse("it.wft --threads -1"), CLI::ValidationError);
  EXPECT_THROW(parse("--warps 2"), CLI::RequiredError);
}

// SIMT-X Table I.
TEST(CpuWork, describes_the_papers_core_unless_told_otherwise) {
  const ooo::MachineSpec machine = cpu_machine(parse("it.wft"), 8);
  EXPECT_EQ(machine.rename, "pirat");
  EXPECT_EQ(machine.pipeline.reorder_buffer, 192u);
  EXPECT_EQ(machine.pipeline.issue_queue, 60u);
  EXPECT_EQ(machine.pipeline.load_store_queue, 114u);
  EXPECT_EQ(machine.pipeline.integer_registers, 168u);
  EXPECT_EQ(machine.memory.l1_kilobytes, 32u);
  EXPECT_EQ(machine.memory.l2_kilobytes, 4096u);
  EXPECT_EQ(machine.memory.memory_latency, 215u);
}

TEST(CpuWork, changes_single_keys_after_the_machine_file) {
  const std::string path = test_folder() + "/core.toml";
  std::ofstream(path) << "warps = 4\n[pipeline]\nreorder_buffer = 100\nissue_width = 2\n";
  const CpuOptions options = parse("it.wft --machine " + path + " --set pipeline.issue_width=8 --set rename=rat");
  const ooo::MachineSpec machine = cpu_machine(options, 8);
  EXPECT_EQ(machine.warps, 4u);
  EXPECT_EQ(machine.threads, 2u);
  EXPECT_EQ(machine.pipeline.reorder_buffer, 100u);
  EXPECT_EQ(machine.pipeline.issue_width, 8u);
  EXPECT_EQ(machine.rename, "rat");
}

TEST(CpuWork, refuses_keys_that_a_machine_does_not_have) {
  EXPECT_THAT([] { shape("it.wft --set pipeline.reorder_bufer=3", 1); },
              ThrowsMessage<Error>(HasSubstr("reorder_buffer")));
  EXPECT_THAT([] { shape("it.wft --machine /nowhere.toml", 1); }, ThrowsMessage<Error>(HasSubstr("/nowhere.toml")));
}

report::Json result(const char* core, std::uint64_t cycles) {
  return {{"core", core},
          {"recording", {{"limit", 0}, {"spinning", 0}}},
          {"totals",
           {{"cycles", cycles},
            {"instructions", 2000},
            {"ipc", 1.5},
            {"occupancy", 3.25},
            {"merges", 5},
            {"branches", 400},
            {"branch_mispredictions", 10},
            {"divergent_branches", 4},
            {"warp_cycles",
             {{"busy", 600},
              {"memory", 300},
              {"latency", 50},
              {"width", 25},
              {"rename", 15},
              {"front_end", 5},
              {"waiting", 5},
              {"ended", 0}}},
            {"energy", {{"processor", 12000.0}}}}}};
}

// 10 and 4 of 400 branches are 2.5 and 1 per cent; 5 merges in 2000 instructions are 2.5 in a thousand.
TEST(CpuWork, compares_cores_with_the_first) {
  const std::string table = cpu_table({result("smt", 12000), result("simt-x", 8000), result("ditva", 24000)});
  EXPECT_THAT(table, ContainsRegex("smt +12 000 +1.00× +1.50 +3.25 +2.50 % +1.00 % +2.5 /k"));
  EXPECT_THAT(table, ContainsRegex("simt-x +8 000 +1.50×"));
  EXPECT_THAT(table, ContainsRegex("ditva +24 000 +0.50×"));
}

TEST(CpuWork, tells_where_the_cycles_went) {
  EXPECT_THAT(cpu_table({result("smt", 12000)}),
              AllOf(ContainsRegex("busy +memory +latency +width +rename +front_end +waiting +ended"),
                    ContainsRegex("smt +60.0 % +30.0 % +5.0 % +2.5 % +1.5 % +0.5 % +0.5 % +0.0 %")));
}

TEST(CpuWork, tells_what_was_left_out) {
  report::Json spins = result("smt", 12000);
  EXPECT_THAT(cpu_table({spins}), Not(HasSubstr("Left out")));
  spins["recording"]["spinning"] = 4321;
  EXPECT_THAT(cpu_table({spins}), HasSubstr("Left out: 4 321 instructions of threads that only waited"));
}

TEST(CpuWork, compares_nothing_with_nothing) {
  report::Json empty = result("smt", 0);
  for (const char* const key : {"instructions", "branches", "branch_mispredictions", "divergent_branches", "merges"})
    empty["totals"][key] = 0;
  EXPECT_THAT(cpu_table({empty}), AllOf(HasSubstr("0.00 %"), HasSubstr("0.0 /k")));
}

}  // namespace
}  // namespace warpfork::cli

#include "cli/cpu_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpfork::cli {
namespace cpu_table_test {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

simulation::CpuResult result(const char* core, Cycle cycles) {
  simulation::CpuResult result;
  result.core = core;
  result.counts.cycles = cycles;
  result.counts.merges = 5;
  result.counts.front = {.instructions = 2000,
                         .thread_instructions = 18000,
                         .branches = 400,
                         .divergent_branches = 4,
                         .branch_mispredictions = 10};
  result.counts.warp_cycles = {600, 300, 50, 25, 15, 5, 5, 0};
  result.energy.nanojoules[0] = 12000;
  return result;
}

// 18000 instructions of threads are 9 for each of 2000 and 1.5 a cycle of 12000; 10 and 4 of 400 branches are 2.5 and 1
// per cent; 5 merges in 2000 instructions are 2.5 in a thousand.
TEST(CpuTable, compares_cores_with_the_first) {
  const std::string table = cpu_table({result("smt", 12000), result("simt-x", 8000), result("ditva", 24000)});
  EXPECT_THAT(table, ContainsRegex("smt +12 000 +1.00× +1.50 +9.00 +2.50 % +1.00 % +2.5 /k +12.0 µJ"));
  EXPECT_THAT(table, ContainsRegex("simt-x +8 000 +1.50×"));
  EXPECT_THAT(table, ContainsRegex("ditva +24 000 +0.50×"));
}

TEST(CpuTable, tells_where_the_cycles_went) {
  EXPECT_THAT(cpu_table({result("smt", 12000)}),
              AllOf(ContainsRegex("busy +memory +latency +width +rename +front_end +waiting +ended"),
                    ContainsRegex("smt +60.0 % +30.0 % +5.0 % +2.5 % +1.5 % +0.5 % +0.5 % +0.0 %")));
}

TEST(CpuTable, tells_what_was_left_out) {
  simulation::CpuResult spins = result("smt", 12000);
  EXPECT_THAT(cpu_table({spins}), Not(HasSubstr("Left out")));
  EXPECT_THAT(cpu_table({spins}), Not(HasSubstr("Recorded")));
  spins.spinning = 4321;
  spins.recording.limit = 5000;
  EXPECT_THAT(cpu_table({spins}), HasSubstr("Left out: 4 321 instructions of threads that only waited"));
  EXPECT_THAT(cpu_table({spins}), HasSubstr("the first 5 000 instructions alone"));
  spins.spinning = spins.recording.limit = 1;
  EXPECT_THAT(cpu_table({spins}),
              AllOf(HasSubstr("Left out: 1 instruction of"), HasSubstr("first 1 instruction alone")));
}

TEST(CpuTable, compares_nothing_with_nothing) {
  simulation::CpuResult empty;
  empty.core = "smt";
  EXPECT_THAT(cpu_table({empty}), AllOf(HasSubstr("0.00 %"), HasSubstr("0.0 /k")));
}

}  // namespace cpu_table_test
}  // namespace warpfork::cli

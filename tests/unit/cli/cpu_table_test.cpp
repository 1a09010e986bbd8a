#include "cli/cpu_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpfork::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

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
TEST(CpuTable, compares_cores_with_the_first) {
  const std::string table = cpu_table({result("smt", 12000), result("simt-x", 8000), result("ditva", 24000)});
  EXPECT_THAT(table, ContainsRegex("smt +12 000 +1.00× +1.50 +3.25 +2.50 % +1.00 % +2.5 /k"));
  EXPECT_THAT(table, ContainsRegex("simt-x +8 000 +1.50×"));
  EXPECT_THAT(table, ContainsRegex("ditva +24 000 +0.50×"));
}

TEST(CpuTable, tells_where_the_cycles_went) {
  EXPECT_THAT(cpu_table({result("smt", 12000)}),
              AllOf(ContainsRegex("busy +memory +latency +width +rename +front_end +waiting +ended"),
                    ContainsRegex("smt +60.0 % +30.0 % +5.0 % +2.5 % +1.5 % +0.5 % +0.5 % +0.0 %")));
}

TEST(CpuTable, tells_what_was_left_out) {
  report::Json spins = result("smt", 12000);
  EXPECT_THAT(cpu_table({spins}), Not(HasSubstr("Left out")));
  spins["recording"]["spinning"] = 4321;
  EXPECT_THAT(cpu_table({spins}), HasSubstr("Left out: 4 321 instructions of threads that only waited"));
}

TEST(CpuTable, compares_nothing_with_nothing) {
  report::Json empty = result("smt", 0);
  for (const char* const key : {"instructions", "branches", "branch_mispredictions", "divergent_branches", "merges"})
    empty["totals"][key] = 0;
  EXPECT_THAT(cpu_table({empty}), AllOf(HasSubstr("0.00 %"), HasSubstr("0.0 /k")));
}

}  // namespace
}  // namespace warpfork::cli

#include "report/result_document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <tuple>

#include "unit/report/example_launches.h"
#include "unit/test_folder.h"

namespace warpfork::report {
namespace result_document_test {

// The example's sums were formed outside this program, by the script that wrote it.
TEST(ResultDocument, totals_are_the_sums_of_the_timed_launches) {
  EXPECT_EQ(to_json(sum_launches(example_launches())), example()["totals"]);
}

TEST(ResultDocument, totals_of_no_launch_are_zeros_in_the_same_form) {
  const Json totals = to_json(sum_launches({}));
  EXPECT_EQ(totals["cycles"], 0);
  EXPECT_EQ(totals["simd_efficiency"], 0.0);
  EXPECT_EQ(totals["active_lanes_histogram"].size(), 33u);
}

// 10 warp instructions of 16 lanes, all active: 160 of 160 lane-slots; of 32 lanes it would be half of them.
TEST(ResultDocument, totals_of_functional_launches_are_what_they_executed) {
  LaunchRecord launch;  // two warp instructions, of 32 lanes and of 16: three quarters
  launch.active_lanes[32] = launch.active_lanes[16] = 1;
  launch.count_instructions();
  const Json totals = to_json(sum_launches(std::vector{launch, launch}));
  EXPECT_EQ(totals["launches"], 0);
  EXPECT_EQ(totals["warp_instructions"], 4);
  EXPECT_EQ(totals["simd_efficiency"], 0.75);
  EXPECT_EQ(totals["cycles"], 0);
}

TEST(ResultDocument, totals_divide_by_the_lanes_that_a_warp_has) {
  Json launch = example()["launches"][0];
  launch["thread_instructions"] = 160;
  launch["warp_size"] = 16;
  std::vector launches{launch_of(launch)};
  EXPECT_EQ(sum_launches(launches).sums.simd_efficiency(), 1.0);
  EXPECT_EQ(sum_launches(launches).sums.divergent_paths.simd_efficiency(), 1.0);  // 64 thread instructions in 4
  launch["warp_size"] = 32;
  launches.push_back(launch_of(launch));
  EXPECT_EQ(sum_launches(launches).sums.simd_efficiency(), 2.0 / 3);  // 320 of 160 + 320 lane-slots
}

TEST(ResultDocument, totals_sum_what_compaction_did_over_branches) {
  std::vector<LaunchRecord> launches = example_launches();
  EXPECT_TRUE(sum_launches(launches).compaction.empty());
  std::vector<BranchCount>& branches = launches[0].branches;
  branches = {branches[0], branches[0]};
  branches[0].compaction = {.waited = 6, .right = 2, .wrong = 1};
  branches[1].compaction = {.waited = 4, .right = 3};
  const CompactionCount sum = sum_launches(launches).compaction;
  EXPECT_EQ(std::tuple(sum.waited, sum.right, sum.wrong), std::tuple(10u, 5u, 1u));
}

// Of kernels of 10 and of 30 instructions, 1 and 15 of them scalar: 16 of 40.
TEST(ResultDocument, totals_have_the_most_registers_and_the_share_of_all_text) {
  std::vector<LaunchRecord> launches(2);
  launches[0].registers = {20, 4, 644};
  launches[1].registers = {10, 9, 329};
  launches[0].scalars = {.launches = 1, .code = 10, .scalar_code = 1};
  launches[1].scalars = {.launches = 1, .code = 30, .scalar_code = 15};
  for (LaunchRecord& launch : launches) launch.timed = true;
  const Json totals = to_json(sum_launches(launches));
  EXPECT_EQ(totals["registers"], Json({{"vector", 20}, {"scalar", 9}, {"warp", 644}}));
  EXPECT_EQ(totals["scalars"]["static_share"], 0.4);
}

TEST(ResultDocument, keys_stand_in_the_order_of_the_schema) {
  const Json wanted = example();
  const Json document = result_document({"0.1.0", "unknown"}, wanted["machine"], wanted["program"], example_launches());
  EXPECT_EQ(document.dump(), wanted.dump());
}

TEST(ResultDocument, is_written_with_lists_of_numbers_on_one_line) {
  const Json document = {{"a", {1, 2}}, {"b", {{{"c", "d"}}}}, {"e", Json::object()}};
  EXPECT_EQ(write_document(document),
            "{\n  \"a\": [1,2],\n  \"b\": [\n    {\n      \"c\": \"d\"\n    }\n  ],\n  \"e\": {}\n}\n");
}

TEST(ResultDocument, what_is_written_conforms_to_the_published_schema) {
  const Json wanted = example();
  const std::string file = test_folder() + "/written_result.json";
  std::ofstream(file) << write_document(
      result_document({"0.1.0", "unknown"}, wanted["machine"], wanted["program"], example_launches()));
  EXPECT_EQ(std::system(("/usr/bin/python3 scripts/validate_result.py " + file).c_str()), 0);
  std::ofstream(file) << write_document(result_document({"0.1.0", "unknown"}, {}, wanted["program"], {}));
  EXPECT_NE(std::system(("/usr/bin/python3 scripts/validate_result.py " + file + " 2>/dev/null").c_str()), 0);
}

}  // namespace result_document_test
}  // namespace warpfork::report

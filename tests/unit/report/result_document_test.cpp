#include "report/result_document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "unit/test_folder.h"

namespace warpfork::report {
namespace {

Json example() { return Json::parse(std::ifstream("tests/data/report/result.json")); }

// The example's sums were formed outside this program, by the script that wrote it.
TEST(ResultDocument, totals_are_the_sums_of_the_timed_launches) {
  const Json document = example();
  EXPECT_EQ(sum_launches(document["launches"]), document["totals"]);
}

TEST(ResultDocument, totals_of_no_launch_are_zeros_in_the_same_form) {
  const Json totals = sum_launches(Json::array());
  EXPECT_EQ(totals["cycles"], 0);
  EXPECT_EQ(totals["simd_efficiency"], 0.0);
  EXPECT_EQ(totals["active_lanes_histogram"].size(), 33u);
}

// 10 warp instructions of 16 lanes, all active: 160 of 160 lane-slots; of 32 lanes it would be half of them.
TEST(ResultDocument, totals_divide_by_the_lanes_that_a_warp_has) {
  Json launches = {example()["launches"][0]};
  launches[0]["thread_instructions"] = 160;
  launches[0]["warp_size"] = 16;
  EXPECT_EQ(sum_launches(launches)["simd_efficiency"], 1.0);
  EXPECT_EQ(sum_launches(launches)["divergent_paths"]["simd_efficiency"], 1.0);  // 64 thread instructions in 4
  launches[0]["warp_size"] = 32;
  EXPECT_EQ(sum_launches(launches)["simd_efficiency"], 0.5);
}

TEST(ResultDocument, totals_sum_what_compaction_did_over_branches) {
  Json launches = example()["launches"];
  EXPECT_FALSE(sum_launches(launches).contains("compaction"));
  Json& branches = launches[0]["branches"];
  branches = {branches[0], branches[0]};
  branches[0]["compaction"] = {{"right", 2}, {"wrong", 1}};
  branches[1]["compaction"] = {{"right", 3}, {"wrong", 0}};
  EXPECT_EQ(sum_launches(launches)["compaction"], (Json{{"right", 5}, {"wrong", 1}}));
}

TEST(ResultDocument, keys_stand_in_the_order_of_the_schema) {
  const Json wanted = example();
  const Json document = result_document({"0.1.0", "unknown"}, wanted["machine"], wanted["program"], wanted["launches"]);
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
      result_document({"0.1.0", "unknown"}, wanted["machine"], wanted["program"], wanted["launches"]));
  EXPECT_EQ(std::system(("/usr/bin/python3 scripts/validate_result.py " + file).c_str()), 0);
  std::ofstream(file) << write_document(result_document({"0.1.0", "unknown"}, {}, wanted["program"], Json::array()));
  EXPECT_NE(std::system(("/usr/bin/python3 scripts/validate_result.py " + file + " 2>/dev/null").c_str()), 0);
}

}  // namespace
}  // namespace warpfork::report

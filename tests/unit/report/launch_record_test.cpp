#include "report/launch_record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/launch_json.h"
#include "report/result_document.h"
#include "unit/test_folder.h"

namespace warpfork::report {
namespace launch_record_test {

LaunchRecord sample(bool timed) {
  LaunchRecord record;
  record.name = "split";
  record.timed = timed;
  record.cycles = 100;
  record.warp_instructions = 10;
  record.thread_instructions = 256;
  record.executed_thread_instructions = 200;
  record.active_lanes[32] = 6;
  record.active_lanes[16] = 4;
  record.lane_slots = 320;
  record.divergent_paths = {5, 80, 160};
  record.stalls[static_cast<std::size_t>(StallCause::Fetch)] = 45;
  record.occupancy = {8, 0, 0, 8, 48, 6, 0, 8, 0, "live", {"blocks"}, 150, 100};
  record.branches = {{3, 21, {"split.cu", 7}, 2, 1, 3, 64}, {9, 30, {}, 1, 0, 1, 0}};
  record.branches.front().compaction = {.waited = 6,
                                        .bypassed = 3,
                                        .bypassed_right = 2,
                                        .bypassed_wrong = 1,
                                        .right = 1,
                                        .wrong = 1,
                                        .undivided = 1,
                                        .warps_before = 8,
                                        .warps_after = 6,
                                        .cycles_waited_for_nothing = 40};
  return record;
}

TEST(LaunchRecord, rates_are_formed_from_the_counts) {
  const Json json = to_json(sample(true));
  EXPECT_EQ(json["simd_efficiency"], 0.8);
  EXPECT_EQ(json["divergent_paths"]["simd_efficiency"], 0.5);
  EXPECT_EQ(json["ipc"], 2.56);
  EXPECT_EQ(json["occupancy"]["mean_warps"], 1.5);
  EXPECT_EQ(json["branches"][0]["mean_splits"], 1.5);
  EXPECT_EQ(json["stalls"]["fetch"], 45);
}

TEST(LaunchRecord, a_branch_names_its_source_line_where_it_is_known) {
  const Json json = to_json(sample(true));
  EXPECT_EQ(json["branches"][0]["source"]["file"], "split.cu");
  EXPECT_TRUE(json["branches"][1]["source"].is_null());
}

TEST(LaunchRecord, a_branch_says_what_compaction_did_where_warps_met_or_passed) {
  const Json json = to_json(sample(true));
  EXPECT_EQ(json["branches"][0]["compaction"]["warps_after"], 6);
  EXPECT_FALSE(json["branches"][1].contains("compaction"));
}

TEST(LaunchRecord, both_kinds_of_launch_conform_to_the_published_schema) {
  const std::string file = test_folder() + "/launch_record.json";
  const Json program = {{"kind", "ptx"}, {"name", "k.ptx"}, {"expectations", Json::array()}};
  const std::vector launches = {sample(true), sample(false)};
  std::ofstream(file) << write_document(result_document({"0.1.0", "unknown"}, {{"name", "toy"}}, program, launches));
  EXPECT_EQ(std::system(("/usr/bin/python3 scripts/validate_result.py " + file).c_str()), 0);
}

TEST(LaunchRecord, is_read_back_as_it_was) {
  for (const bool timed : {true, false}) {
    LaunchRecord launch = sample(timed);
    launch.cut_off = "still ran";
    launch.lanes.lanes = timed ? 8 : 0;
    launch.lanes.timeline.add(2, 5, 130);
    const Json state = state_of(launch);
    EXPECT_EQ(state_of(launch_from(state)), state);
    EXPECT_EQ(to_json(launch_from(state)).dump(), to_json(launch).dump());
  }
}

TEST(LaunchRecord, counts_of_zero_take_no_room_on_the_way_to_warpfork_run) {
  LaunchRecord launch = sample(true);
  launch.idle_cycles = 0;
  launch.splits.warp_cycles = {0, 7};
  const Json state = state_of(launch);
  EXPECT_FALSE(state.contains("idle_cycles"));
  EXPECT_EQ(state["splits"]["warp_cycles"], Json({0, 7}));
  EXPECT_EQ(to_json(launch_from(state))["idle_cycles"], 0);
  EXPECT_EQ(to_json(launch_from(state))["splits"]["warp_cycles"].size(), 33u);
}

TEST(LaunchRecord, is_not_read_from_more_counts_than_there_are_lanes) {
  Json state = state_of(sample(true));
  state["splits"]["warp_cycles"] = std::vector<unsigned>(34);
  EXPECT_THROW(launch_from(state), Error);
}

TEST(LaunchRecord, is_not_read_from_what_lacks_a_key) {
  Json state = state_of(sample(true));
  state["splits"].erase("split_cycles");
  EXPECT_THROW(launch_from(state), Json::exception);
}

}  // namespace launch_record_test
}  // namespace warpfork::report

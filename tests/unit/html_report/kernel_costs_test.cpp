#include "html_report/kernel_costs.h"

#include <gtest/gtest.h>

namespace warpfork::html_report {
namespace kernel_costs_test {

using report::Json;

Json instruction(unsigned pc, unsigned line, std::uint64_t issues, std::uint64_t memory_stalls) {
  return {{"pc", pc},
          {"ptx_line", 20 + pc},
          {"file", line == 0 ? "" : "k.cu"},
          {"line", line},
          {"ptx", "add.u32 a, b, c;"},
          {"issues", issues},
          {"requests", 2},
          {"thread_instructions", 24 * issues},
          {"lost_lane_slots", 8 * issues},
          {"transactions", 6},
          {"shared_requests", 0},
          {"conflict_rounds", 0},
          {"misses", 1},
          {"awaited", memory_stalls},
          {"stalled", {{"memory", memory_stalls}, {"fetch", 0}}}};
}

/// Two blocks: instructions 0 and 1, and 2.
Json launch(const std::string& name, std::vector<Json> instructions) {
  const Json blocks = Json::parse(R"([
    {"pc": 0, "ptx": ["i0", "i1"], "ptx_lines": [20, 21], "successors": [2], "reconvergence": [2]},
    {"pc": 2, "ptx": ["i2"], "ptx_lines": [22], "successors": [], "reconvergence": []}])");
  return {{"name", name}, {"scheduler_cycles", 100}, {"lines", {{"instructions", instructions}, {"blocks", blocks}}}};
}

Json costs(std::vector<Json> launches) {
  html_report::Run run;
  run.launches = launches;
  return kernel_costs(run);
}

// 10 + 5 issues and 30 + 5 stalled cycles of 100; 8 of 32 lanes lost.
TEST(KernelCosts, add_up_the_instructions_of_a_line) {
  const Json line = costs({launch("k", {instruction(0, 7, 10, 30), instruction(1, 7, 5, 5)})})[0]["lines"][0];
  EXPECT_EQ(line["file"], "k.cu");
  EXPECT_EQ(line["ptx"], (Json{20, 21}));
  EXPECT_EQ(line["time"], 0.5);
  EXPECT_EQ(line["cause"], "memory");
  EXPECT_EQ(line["stalled"], 0.35);
  EXPECT_EQ(line["lost"], 0.25);
  EXPECT_EQ(line["transactions"], 3.0);
  EXPECT_TRUE(line["rounds"].is_null());
}

TEST(KernelCosts, are_of_all_launches_of_a_kernel) {
  const Json all = costs({launch("a", {instruction(0, 7, 10, 0)}), launch("b", {instruction(0, 7, 1, 0)}),
                          launch("a", {instruction(0, 7, 30, 0)})});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["launches"], 2);
  EXPECT_EQ(all[0]["lines"][0]["issues"], 40.0);
  EXPECT_EQ(all[0]["lines"][0]["time"], 0.2);  // of both launches' 200
}

TEST(KernelCosts, without_a_source_line_are_of_the_ptx_line_with_its_text) {
  const Json line = costs({launch("k", {instruction(1, 0, 10, 0)})})[0]["lines"][0];
  EXPECT_EQ(line["file"], "");
  EXPECT_EQ(line["line"], 21);
  EXPECT_EQ(line["text"], "add.u32 a, b, c;");
}

TEST(KernelCosts, stand_in_the_blocks_of_the_graph) {
  const Json blocks = costs({launch("k", {instruction(0, 7, 10, 30), instruction(1, 7, 5, 5)})})[0]["blocks"];
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0]["next"], Json::array({1}));
  EXPECT_EQ(blocks[0]["meets"], 1);
  EXPECT_EQ(blocks[0]["instructions"][1]["issues"], 5.0);
  EXPECT_EQ(blocks[0]["time"], 0.5);
  EXPECT_EQ(blocks[1]["issues"], 0.0);
  EXPECT_TRUE(blocks[1]["meets"].is_null());
}

TEST(KernelCosts, are_none_where_lines_were_not_counted) {
  EXPECT_TRUE(costs({{{"name", "k"}, {"scheduler_cycles", 100}}}).empty());
}

}  // namespace kernel_costs_test
}  // namespace warpfork::html_report

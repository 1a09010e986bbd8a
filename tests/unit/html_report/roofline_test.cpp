#include "html_report/roofline.h"

#include <gtest/gtest.h>

#include "unit/html_report/sample_results.h"

namespace warpfork::html_report {
namespace roofline_test {

Run run_with(std::uint64_t bursts) {
  RunResult result = gpu_run("bfs", "pdom", 1000);
  result.document["totals"]["thread_instructions"] = 64000;
  result.document["totals"]["dram"] = {{"reads", bursts}, {"writes", 0}};
  return runs_of({{result}, {}, 0}).front();
}

// 15 cores × 2 schedulers × 32 lanes; 6 channels × 64 bytes / 2 clocks × 924 / 700 MHz.
TEST(Roofline, of_lanes_side_by_side_is_a_warp_from_each_scheduler) {
  const Roof roof = *roof_of(run_with(1));
  EXPECT_DOUBLE_EQ(roof.peak, 960);
  EXPECT_NEAR(roof.bytes, 253.44, 1e-9);
}

// 15 cores × 32 ALUs.
TEST(Roofline, of_temporal_lanes_is_their_alus) {
  html_report::Run run = run_with(1);
  run.machine["core"]["lanes"]["organisation"] = "temporal";
  EXPECT_DOUBLE_EQ(roof_of(run)->peak, 480);
}

// 64,000 instructions in 1000 cycles, with 10 bursts of 64 bytes.
TEST(Roofline, places_a_run_by_instructions_a_byte_and_a_cycle) {
  const RooflinePoint point = *roofline_point(run_with(10));
  EXPECT_DOUBLE_EQ(point.intensity, 100);
  EXPECT_DOUBLE_EQ(point.performance, 64);
}

TEST(Roofline, has_no_place_for_a_run_without_dram) {
  EXPECT_FALSE(roofline_point(run_with(0)));
  EXPECT_TRUE(roofline_point(run_with(1)));
}

}  // namespace roofline_test
}  // namespace warpfork::html_report

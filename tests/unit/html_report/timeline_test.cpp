#include "html_report/timeline.h"

#include <gtest/gtest.h>

namespace warpfork::html_report {
namespace timeline_test {

using report::Json;

Json sample(double begin, double cycles, double instructions) {
  return {{"begin", begin},
          {"cycles", cycles},
          {"warp_instructions", instructions / 32},
          {"thread_instructions", instructions},
          {"warp_cycles", 4 * cycles},
          {"core_cycles", cycles},
          {"stall_cycles", {{"memory", cycles - instructions / 32}}},
          {"l1d_accesses", 10},
          {"l1d_misses", 5},
          {"l2_accesses", 0},
          {"l2_misses", 0},
          {"dram_reads", cycles},
          {"dram_writes", 0}};
}

Run run_with(std::vector<Json> samples, int launches = 1) {
  Run run;
  for (int i = 0; i < launches; ++i)
    run.launches.push_back({{"name", "k"}, {"cycles", 150}, {"intervals", {{"window", 100}, {"samples", samples}}}});
  return run;
}

TEST(Timeline, has_means_and_shares_of_each_interval) {
  const Json line = timeline_of(run_with({sample(0, 100, 1600), sample(100, 50, 320)}));
  EXPECT_EQ(line["ipc"], (Json{16.0, 6.4, nullptr}));
  EXPECT_EQ(line["active_lanes"], (Json{32.0, 32.0, nullptr}));
  EXPECT_EQ(line["waits"]["memory"], (Json{0.5, 0.8, nullptr}));
  EXPECT_EQ(line["l2_misses"], (Json{nullptr, nullptr, nullptr}));
}

TEST(Timeline, has_launches_one_behind_the_other) {
  const Json line = timeline_of(run_with({sample(0, 100, 1600), sample(100, 50, 320)}, 2));
  EXPECT_EQ(line["begin"], (Json{0.0, 100.0, 150.0, 150.0, 250.0, 300.0}));
  EXPECT_EQ(line["launches"][1]["begin"], 150);
}

// 1200 samples in 600 places: two are one, (1600 + 3200) instructions in 200 cycles.
TEST(Timeline, joins_intervals_that_no_chart_could_show) {
  std::vector<Json> samples;
  for (int i = 0; i < 1200; ++i) samples.push_back(sample(100 * i, 100, i % 2 == 0 ? 1600 : 3200));
  const Json line = timeline_of(run_with(samples));
  ASSERT_EQ(line["ipc"].size(), kMostSamples + 1);
  EXPECT_EQ(line["ipc"][0], 24.0);
  EXPECT_EQ(line["begin"][1], 200);
}

TEST(Timeline, is_null_where_nothing_was_counted_over_time) {
  html_report::Run run;
  run.launches.push_back({{"name", "k"}, {"cycles", 150}});
  EXPECT_TRUE(timeline_of(run).is_null());
}

}  // namespace timeline_test
}  // namespace warpfork::html_report

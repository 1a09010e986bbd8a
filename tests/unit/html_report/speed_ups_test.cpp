#include "html_report/speed_ups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/html_report/sample_results.h"

namespace warpfork::html_report {
namespace speed_ups_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

SpeedUps of(std::vector<RunResult> results) {
  const std::vector<Run> runs = runs_of({std::move(results), {}, 0});
  return speed_ups(runs, varying_settings(runs));
}

TEST(SpeedUps, are_the_first_mechanisms_time_by_each_ones_own) {
  const SpeedUps all = of({gpu_run("bfs", "pdom", 200), gpu_run("bfs", "tbc", 100), gpu_run("bfs", "capri", 400)});
  EXPECT_THAT(all.contestants, ElementsAre("pdom", "tbc", "capri"));
  EXPECT_THAT(all.of_run, ElementsAre(Optional(1.0), Optional(2.0), Optional(0.5)));
}

// The geometric mean of 2 and 8 is 4, the arithmetic one 5.
TEST(SpeedUps, have_a_geometric_mean) {
  const SpeedUps all =
      of({gpu_run("a", "pdom", 200), gpu_run("a", "tbc", 100), gpu_run("b", "pdom", 800), gpu_run("b", "tbc", 100)});
  ASSERT_EQ(all.means.size(), 2u);
  EXPECT_DOUBLE_EQ(*all.means[1], 4);
  EXPECT_EQ(all.groups_of_means, 2u);
}

TEST(SpeedUps, mean_only_over_programs_that_every_mechanism_has_run) {
  const SpeedUps all = of({gpu_run("a", "pdom", 200), gpu_run("a", "tbc", 100), gpu_run("b", "pdom", 800)});
  EXPECT_DOUBLE_EQ(*all.means[1], 2);
  EXPECT_EQ(all.groups_of_means, 1u);
  EXPECT_EQ(all.values[1][1], std::nullopt);
}

TEST(SpeedUps, are_unknown_where_the_baseline_is) {
  const SpeedUps all = of({gpu_run("a", "pdom", 200), gpu_run("b", "tbc", 100)});
  EXPECT_EQ(all.of_run[1], std::nullopt);
  EXPECT_FALSE(all.compares_any());
}

// 100 cycles at 1400 MHz take a quarter of the time of 200 at 700 MHz.
TEST(SpeedUps, of_machines_reckon_with_their_clocks) {
  RunResult other = gpu_run("bfs", "pdom", 100);
  other.document["machine"]["name"] = "fast";
  other.document["machine"]["memory"]["clock"]["core_mhz"] = 1400;
  EXPECT_THAT(of({gpu_run("bfs", "pdom", 200), other}).of_run, ElementsAre(Optional(1.0), Optional(4.0)));
}

TEST(SpeedUps, of_cpus_and_gpus_have_a_baseline_each) {
  const auto cpu = [](const char* core, int cycles) {
    const Json recording = {{"program", "p"}, {"arguments", Json::array()}};
    return RunResult{
        "cpu.json",
        {{"core", core}, {"machine", Json::object()}, {"recording", recording}, {"totals", {{"cycles", cycles}}}},
        nullptr};
  };
  const SpeedUps all = of({cpu("smt", 30), cpu("ditva", 10), gpu_run("bfs", "pdom", 200), gpu_run("bfs", "tbc", 100)});
  EXPECT_THAT(all.of_run, ElementsAre(Optional(1.0), Optional(3.0), Optional(1.0), Optional(2.0)));
  EXPECT_EQ(all.baselines.size(), 2u);
}

TEST(SpeedUps, need_something_to_compare) {
  EXPECT_THAT(of({gpu_run("a", "pdom", 200), gpu_run("b", "pdom", 100)}).contestants, IsEmpty());
}

}  // namespace speed_ups_test
}  // namespace warpfork::html_report

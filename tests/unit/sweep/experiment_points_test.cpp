#include "sweep/experiment_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpfork::sweep {
namespace experiment_points_test {

using report::Json;
using testing::ElementsAre;

const std::string kGpu = R"(title = "t"
paper = "p"
machine = "gtx480"
set = ["cores=2"]
baseline = "stack"
[[configuration]]
name = "stack"
divergence = "pdom"
[[configuration]]
name = "temporal"
divergence = "multi-path"
lanes = "tsimt"
set = ["core.warps=24"]
)";
const std::string kCpu = R"(title = "t"
paper = "p"
baseline = "smt"
[[configuration]]
name = "smt"
core = "smt"
warps = 2
threads = 4
[[benchmark]]
name = "barnes"
program = "spmd/barnes"
region = ["work"]
small = ["{threads}"]
varies = true
)";
const std::string kFigure = R"([[figure]]
name = "Figure 1"
title = "f"
[[figure.quantity]]
title = "cycles"
value = "cycles"
)";

std::vector<ExperimentPoint> points(const std::string& text, unsigned recordings = 1) {
  return points_of(config::parse_experiment(text + kFigure, "e.toml", "small"), recordings, "/programs",
                   [](const config::Benchmark& benchmark, unsigned threads, unsigned recording) {
                     return benchmark.name + std::to_string(threads) + "-" + std::to_string(recording);
                   });
}

TEST(ExperimentPoints, are_a_benchmark_on_a_configuration_each) {
  const auto all = points(kGpu + "[[benchmark]]\nname = \"BFS\"\nprogram = \"bfs\"\nsmall = [\"20\"]\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].point.label(), "BFS on temporal");
  EXPECT_EQ(all[1].point.file, "/programs/bfs");
  EXPECT_THAT(all[1].point.arguments, ElementsAre("20"));
  EXPECT_EQ(all[1].point.description, "gtx480");
  EXPECT_THAT(all[1].point.overrides, ElementsAre("cores=2", "core.warps=24", "divergence.mechanism=multi-path",
                                                  "core.lanes.organisation=tsimt"));
  EXPECT_TRUE(all[1].point.groups.empty());
}

TEST(ExperimentPoints, of_rows_of_one_program_are_one_with_groups_of_kernels) {
  const auto all =
      points(kGpu + "[[benchmark]]\nprogram = \"bfs\"\nkernels = {A = \"^a$\", B = \"^b$\"}\nsmall = []\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].runs.size(), 2u);
  EXPECT_EQ(all[0].point.groups, (std::map<std::string, std::string>{{"A", "^a$"}, {"B", "^b$"}}));
}

TEST(ExperimentPoints, of_recorded_programs_are_each_recording_on_a_core) {
  const auto all = points(kCpu, 2);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].point.label(), "barnes on smt: recording 2");
  EXPECT_EQ(all[1].point.file, "barnes8-1");
  EXPECT_EQ(all[1].point.core, "smt");
  EXPECT_THAT(all[1].point.overrides, ElementsAre("warps=2", "threads=4"));
}

TEST(ExperimentPoints, with_groups_have_totals_of_each) {
  const Json document = {{"result", {{"totals", {{"cycles", 9}}}}}, {"groups", {{"A", {{"cycles", 4}}}}}};
  EXPECT_EQ(totals_of(document, {"A", "stack"}), Json({{"cycles", 4}}));
}

TEST(ExperimentPoints, have_what_a_run_cost_among_its_totals_but_not_each_launch) {
  const Json document = {{"result",
                          {{"totals", {{"cycles", 9}}},
                           {"energy", {{"total", 5}, {"launches", Json::array()}}},
                           {"area", {{"total", 7}}}}}};
  EXPECT_EQ(totals_of(document, {"A", "stack"}),
            Json({{"cycles", 9}, {"energy", {{"total", 5}}}, {"area", {{"total", 7}}}}));
}

}  // namespace experiment_points_test
}  // namespace warpfork::sweep

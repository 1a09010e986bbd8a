#include "html_report/experiment_figures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpfork::html_report {
namespace experiment_figures_test {

using report::Json;

Json figure() {
  return Json::parse(R"({"name": "Figure 12", "title": "speed-up", "mean": "harmonic mean", "quantities": [
    {"title": "speed-up", "values": {"MC": {"pdom": 1, "mp": 2}, "REND": {"pdom": 1, "mp": 7}},
     "means": {"pdom": 1, "mp": 3}, "paper": {"REND": 6.5}}], "claims": []})");
}

Json chart() {
  const Json experiment = {{"experiment", "x"}, {"paper", "p"}, {"scale", "small"}, {"figures", {figure()}}};
  return experiment_figures(experiment)["figures"][0]["charts"][0];
}

TEST(ExperimentFigures, have_the_mean_behind_the_benchmarks) {
  EXPECT_EQ(chart()["categories"], (Json{"MC", "REND", "harmonic mean"}));
  EXPECT_EQ(chart()["series"][1], (Json{{"name", "mp"}, {"values", {2.0, 7.0, 3.0}}}));
}

TEST(ExperimentFigures, have_the_papers_numbers_as_a_series) {
  EXPECT_EQ(chart()["series"][2], (Json{{"name", "paper"}, {"values", {nullptr, 6.5, nullptr}}}));
}

}  // namespace experiment_figures_test
}  // namespace warpfork::html_report

#include "html_report/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "html_report/run_figures.h"
#include "unit/html_report/sample_results.h"

namespace warpfork::html_report {
namespace report_page_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t speed_up_column() {
  const auto column = std::ranges::find(metrics(), "speed_up", &Metric::key);
  return static_cast<std::size_t>(column - metrics().begin());
}

Json data_of(std::vector<RunResult> runs, const std::string& title = "") {
  return report_data({std::move(runs), {}, 0}, {title, {}});
}

TEST(ReportPage, has_a_row_for_each_run) {
  const Json data = data_of({gpu_run("bfs", "pdom", 200), gpu_run("bfs", "tbc", 100)});
  ASSERT_EQ(data["runs"].size(), 2u);
  EXPECT_EQ(data["runs"][1]["label"], "tbc");
  EXPECT_EQ(data["speed_ups"]["values"][1][0], 2.0);
  EXPECT_EQ(data["common"][0], (Json{"program", "bfs"}));
}

TEST(ReportPage, has_no_speed_ups_where_no_two_runs_can_be_compared) {
  EXPECT_TRUE(data_of({gpu_run("a", "pdom", 200), gpu_run("b", "tbc", 100)})["speed_ups"].is_null());
}

/// One benchmark under two configurations.
Json experiment() {
  return Json::parse(R"({"experiment": "x", "title": "x", "paper": "p", "scale": "small", "figures": [], "runs": [
    {"benchmark": "bfs", "configuration": "c1", "totals": {"cycles": 90}},
    {"benchmark": "bfs", "configuration": "c2", "totals": {"cycles": 30}}]})");
}

TEST(ReportPage, has_the_speed_ups_of_a_comparison_that_stands_beside_an_experiment) {
  const Json data =
      report_data({{gpu_run("bfs", "pdom", 200), gpu_run("bfs", "tbc", 100)}, {experiment()}, 0}, {"", {}});
  EXPECT_EQ(data["speed_ups"]["contestants"], (Json{"pdom", "tbc"}));
  EXPECT_EQ(data["speed_ups"]["values"][1][0], 2.0);
  std::vector<Json> in_table;
  for (const Json& run : data["runs"]) in_table.push_back(run["metrics"][speed_up_column()]);
  EXPECT_THAT(in_table, ElementsAre(1.0, 2.0, 1.0, 3.0));
}

TEST(ReportPage, has_no_speed_ups_of_an_experiment_alone) {
  EXPECT_TRUE(report_data({{}, {experiment()}, 0}, {"", {}})["speed_ups"].is_null());
}

TEST(ReportPage, is_named_by_its_programs_or_as_asked) {
  EXPECT_EQ(data_of({gpu_run("bfs", "pdom", 1), gpu_run("mum", "pdom", 1)})["title"], "bfs, mum");
  EXPECT_EQ(data_of({gpu_run("bfs", "pdom", 1)}, "Mine")["title"], "Mine");
}

TEST(ReportPage, is_one_file_that_holds_what_it_draws_with) {
  const std::string page = report_page(data_of({gpu_run("</script>", "pdom", 1)}));
  EXPECT_THAT(page, HasSubstr("window.echarts="));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;</title>"));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
}

}  // namespace report_page_test
}  // namespace warpfork::html_report

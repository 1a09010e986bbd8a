#include "html_report/run_figures.h"

#include <gtest/gtest.h>

namespace warpfork::html_report {
namespace run_figures_test {

using report::Json;

Run run_with(Json totals) {
  Run run;
  run.totals = std::move(totals);
  return run;
}

double metric(const Run& run, const std::string& key) {
  const Json values = metric_values(run, 1.5);
  for (std::size_t i = 0; i < metrics().size(); ++i)
    if (metrics()[i].key == key) return values[i].get<double>();
  return -1;
}

// Of 100 scheduler cycles 40 stalled.
TEST(RunFigures, tell_what_scheduler_cycles_were_spent_on) {
  const html_report::Run run =
      run_with({{"scheduler_cycles", 100}, {"stalls", {{"memory", 30}, {"fetch", 10}, {"barrier", 0}}}});
  EXPECT_EQ(figures_of(run)["waits"], (Json{{"issued", 0.6}, {"memory", 0.3}, {"fetch", 0.1}}));
  EXPECT_DOUBLE_EQ(metric(run, "issued"), 60);
}

TEST(RunFigures, have_histograms_as_shares_without_the_zeros_at_their_end) {
  const html_report::Run run = run_with({{"active_lanes_histogram", {0, 1, 3, 0, 0}}});
  EXPECT_EQ(figures_of(run)["lanes"], (Json{0.0, 0.25, 0.75}));
}

TEST(RunFigures, have_misses_of_caches_that_were_asked) {
  const html_report::Run run =
      run_with({{"caches", {{"l1d", {{"accesses", 8}, {"misses", 2}}}, {"l2", {{"accesses", 0}, {"misses", 0}}}}}});
  EXPECT_EQ(figures_of(run)["caches"], (Json{{"l1d", {8, 2}}}));
  EXPECT_DOUBLE_EQ(metric(run, "l1d_misses"), 25);
}

TEST(RunFigures, of_a_functional_run_are_what_it_has) {
  const html_report::Run run = run_with({{"launches", 1}, {"active_lanes_histogram", Json::array({0, 0})}});
  EXPECT_EQ(figures_of(run), (Json{{"lanes", Json::array()}}));
  EXPECT_EQ(metric_values(run, {}).size(), metrics().size());
}

}  // namespace run_figures_test
}  // namespace warpfork::html_report

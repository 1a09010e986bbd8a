#include "html_report/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/html_report/sample_results.h"

namespace warpfork::html_report {
namespace run_test {

using ::testing::ElementsAre;

RunResult point(const std::string& mechanism, int nodes) {
  RunResult result = gpu_run("bfs", mechanism, 1);
  result.point = {{"program", {{"name", "search"}}},
                  {"machine", {{"name", "gtx480"}}},
                  {"axes", {{"nodes", nodes}, {"way", mechanism}}}};
  return result;
}

std::vector<Run> runs(std::vector<RunResult> results) { return runs_of({std::move(results), {}, 0}); }

TEST(Runs, are_told_apart_by_program_and_mechanism) {
  const std::vector<html_report::Run> all =
      runs({gpu_run("bfs", "pdom", 1), gpu_run("bfs", "tbc", 1), gpu_run("mum", "tbc", 1)});
  EXPECT_THAT(varying_settings(all), ElementsAre("program", "mechanism"));
  EXPECT_EQ(values_of(all[2], varying_settings(all)), "mum tbc");
}

TEST(Runs, of_one_machine_are_told_apart_by_the_keys_that_differ) {
  RunResult changed = gpu_run("bfs", "pdom", 1);
  changed.document["machine"]["core"]["schedulers"] = 4;
  const std::vector<html_report::Run> all = runs({gpu_run("bfs", "pdom", 1), changed});
  EXPECT_THAT(varying_settings(all), ElementsAre("core.schedulers"));
  EXPECT_EQ(values_of(all[1], varying_settings(all)), "core.schedulers 4");
}

TEST(Runs, of_machines_of_two_names_are_told_apart_by_the_names) {
  RunResult other = gpu_run("bfs", "pdom", 1);
  other.document["machine"]["name"] = "tesla30";
  other.document["machine"]["cores"] = 30;
  EXPECT_THAT(varying_settings(runs({gpu_run("bfs", "pdom", 1), other})), ElementsAre("machine"));
}

TEST(Runs, of_a_sweep_have_its_names_and_axes_but_for_the_one_that_chooses_the_mechanism) {
  const std::vector<html_report::Run> all = runs({point("tbc", 50), point("pdom", 100)});
  EXPECT_EQ(all[0].value("program"), "search");
  EXPECT_EQ(all[0].value("way"), "");
  EXPECT_THAT(varying_settings(all), ElementsAre("mechanism", "nodes"));
}

TEST(Runs, of_a_sweep_are_ordered_by_setting_with_the_conventional_mechanism_first) {
  const std::vector<html_report::Run> all = runs({point("capri", 50), point("pdom", 1000), point("pdom", 200)});
  EXPECT_EQ(values_of(all[0], {"mechanism", "nodes"}), "pdom nodes 200");
  EXPECT_EQ(values_of(all[1], {"mechanism", "nodes"}), "pdom nodes 1000");
  EXPECT_EQ(values_of(all[2], {"mechanism", "nodes"}), "capri nodes 50");
}

TEST(Runs, of_a_cpu_are_told_apart_by_core) {
  const Json document = {{"schema", 1},
                         {"core", "smt"},
                         {"machine", Json::object()},
                         {"recording", {{"program", "/somewhere/blackscholes"}, {"arguments", {"8", "tiny"}}}},
                         {"totals", {{"cycles", 7}}}};
  const std::vector<html_report::Run> all = runs({{"cpu.json", document, nullptr}});
  EXPECT_EQ(values_of(all[0], {"program", "arguments", "core"}), "blackscholes 8 tiny smt");
}

RunResult cpu_point(const std::string& recording, const std::string& machine, const std::string& core) {
  const Json document = {{"core", core},
                         {"machine", Json::object()},
                         {"recording", {{"program", "./blackscholes"}, {"arguments", {"8"}}}},
                         {"totals", {{"cycles", 7}}}};
  const Json point = {{"program", {{"name", recording}}}, {"machine", {{"name", machine}}}, {"axes", Json::object()}};
  return {"point.json", document, point};
}

// Otherwise no two runs of a sweep would do the same work on different cores.
TEST(Runs, of_a_sweep_on_cpus_are_told_apart_by_recording_and_core) {
  const std::vector<html_report::Run> all =
      runs({cpu_point("tiny.wft", "ours", "simt-x"), cpu_point("tiny.wft", "theirs", "smt"),
            cpu_point("small.wft", "theirs", "smt")});
  EXPECT_THAT(varying_settings(all), ElementsAre("program", "core"));
  EXPECT_EQ(values_of(all[0], {"program", "core"}), "small.wft smt");
}

TEST(Runs, of_a_sweep_on_machines_of_one_core_are_told_apart_by_these) {
  const std::vector<html_report::Run> all =
      runs({cpu_point("tiny.wft", "2 warps", "simt-x"), cpu_point("tiny.wft", "4 warps", "simt-x"),
            cpu_point("tiny.wft", "other", "smt")});
  EXPECT_THAT(varying_settings(all), ElementsAre("core"));
  EXPECT_EQ(all[2].value("core"), "other");
}

}  // namespace run_test
}  // namespace warpfork::html_report

// What is drawn of results: numbers by hand.
#include "plot/kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/html_report/sample_results.h"

namespace warpfork::plot {
namespace kinds_test {

using html_report::gpu_run;
using html_report::Results;
using html_report::Run;
using html_report::RunResult;
using report::Json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<Run> runs_of(std::vector<RunResult> results) {
  Results all;
  all.runs = std::move(results);
  return html_report::runs_of(std::move(all));
}

Picture draw(const char* kind, std::vector<RunResult> results, const Choice& choice = {}) {
  return find_kind(kind).draw(runs_of(std::move(results)), choice);
}

/// 30 scheduler cycles, 12 of which stalled; 16 of 20 warp instructions with 32 lanes, the others with 5.
RunResult counted(const char* mechanism) {
  RunResult run = gpu_run("bfs", mechanism, 100);
  Json& totals = run.document["totals"];
  totals["ipc"] = 2.5;
  totals["scheduler_cycles"] = 30;
  totals["stalls"] = {{"memory", 9}, {"barrier", 3}, {"fetch", 0}};
  totals["active_lanes_histogram"] = std::vector<unsigned>(33);
  totals["active_lanes_histogram"][5] = 4;
  totals["active_lanes_histogram"][32] = 16;
  return run;
}

TEST(SpeedUpBars, are_over_the_first_mechanism_and_end_with_the_geometric_mean) {
  const Picture picture = draw("speedup", {gpu_run("bfs", "pdom", 400), gpu_run("bfs", "tbc", 100),
                                           gpu_run("lud", "pdom", 100), gpu_run("lud", "tbc", 100)});
  // 400/100, 100/100, and the square root of 4 times 1
  EXPECT_THAT(picture.data, EndsWith("\"\" \"tbc\"\n\"bfs\" 4\n\"lud\" 1\n\"mean\" 2\n"));
  EXPECT_THAT(picture.commands, HasSubstr("set ylabel \"speed-up over pdom\""));
  EXPECT_THAT(picture.commands, HasSubstr("first 1 nohead"));
}

TEST(SpeedUpBars, leave_out_what_was_not_run) {
  const Picture picture =
      draw("speedup", {gpu_run("bfs", "pdom", 400), gpu_run("bfs", "tbc", 100), gpu_run("bfs", "capri", 200),
                       gpu_run("lud", "pdom", 100), gpu_run("lud", "tbc", 50)});
  EXPECT_THAT(picture.data, HasSubstr("\"lud\" 2 ?\n"));
  EXPECT_THAT(picture.data, HasSubstr("over 1 of 2"));
}

// CPU cores beside GPUs: of the former there is nothing to compare.
TEST(SpeedUpBars, show_nothing_without_a_value) {
  const Json recording = {{"program", "p"}, {"arguments", Json::array()}};
  const Json document = {
      {"core", "smt"}, {"machine", Json::object()}, {"recording", recording}, {"totals", {{"cycles", 1}}}};
  const Picture picture =
      draw("speedup", {{"cpu.json", document, nullptr}, gpu_run("bfs", "pdom", 400), gpu_run("bfs", "tbc", 100)});
  EXPECT_THAT(picture.data, EndsWith("\"\" \"tbc simt\"\n\"bfs gtx480\" 4\n"));
  EXPECT_THAT(picture.commands, HasSubstr("set ylabel \"speed-up over smt, pdom simt\""));
}

TEST(SpeedUpBars, need_something_to_compare) {
  EXPECT_THAT([] { draw("speedup", {gpu_run("bfs", "pdom", 400)}); },
              ThrowsMessage<Error>(HasSubstr("--kind speedup")));
}

TEST(StallStacks, are_shares_of_scheduler_cycles) {
  const Picture picture = draw("stalls", {counted("pdom"), counted("tbc")});
  EXPECT_THAT(picture.data, EndsWith("\"\" \"issued\" \"memory\" \"barrier\"\n\"pdom\" 60 30 10\n\"tbc\" 60 30 10\n"));
  EXPECT_THAT(picture.commands, HasSubstr("rowstacked"));
  EXPECT_THAT(picture.commands, HasSubstr("set ylabel \"scheduler cycles, %\""));
  EXPECT_THAT(picture.commands, HasSubstr("set yrange [0:100]"));
}

/// A core whose warps were busy in one cycle of four.
RunResult replayed(const char* core) {
  const Json recording = {{"program", "p"}, {"arguments", Json::array()}};
  return {"cpu.json",
          {{"core", core},
           {"machine", Json::object()},
           {"recording", recording},
           {"totals", {{"cycles", 4}, {"warp_cycles", {{"busy", 1}, {"memory", 3}}}}}},
          nullptr};
}

TEST(StallStacks, of_cpu_cores_are_shares_of_warp_cycles) {
  const Picture cores = draw("stalls", {replayed("smt"), replayed("simt-x")});
  EXPECT_THAT(cores.commands, HasSubstr("set ylabel \"warp-cycles, %\""));
  EXPECT_THAT(cores.data, EndsWith("\"\" \"busy\" \"memory\"\n\"smt\" 25 75\n\"simt-x\" 25 75\n"));
  EXPECT_THAT(draw("stalls", {counted("pdom"), replayed("smt")}).commands,
              HasSubstr("set ylabel \"scheduler cycles (CPU cores: warp-cycles), %\""));
}

TEST(LaneStacks, have_bands_of_an_eighth_of_a_warp) {
  const Picture picture = draw("lanes", {counted("pdom")});
  EXPECT_THAT(picture.data, HasSubstr("\"\" \"1-4\" \"5-8\" \"9-12\""));
  EXPECT_THAT(picture.data, EndsWith("\"bfs\" 0 20 0 0 0 0 0 80\n"));
}

/// A window of 10 warp instructions.
Json window(unsigned begin, unsigned cycles, unsigned instructions, unsigned l1d_accesses = 0) {
  return {{"begin", begin},
          {"cycles", cycles},
          {"warp_instructions", 10},
          {"warp_cycles", 1},
          {"core_cycles", 1},
          {"thread_instructions", instructions},
          {"stall_cycles", Json::object()},
          {"l1d_accesses", l1d_accesses},
          {"l1d_misses", l1d_accesses / 2},
          {"l2_accesses", 0},
          {"l2_misses", 0},
          {"dram_reads", 0},
          {"dram_writes", 0}};
}

RunResult counted_over_time(const char* mechanism, const Json& windows) {
  RunResult run = gpu_run("bfs", mechanism, 150);
  run.document["launches"].push_back(
      {{"name", "k"}, {"cycles", 150}, {"intervals", {{"window", 100}, {"samples", windows}}}});
  return run;
}

TEST(Curves, have_a_block_of_data_for_each_run) {
  const RunResult run = counted_over_time("pdom", {window(0, 100, 250), window(100, 50, 50)});
  EXPECT_THAT(draw("interval", {run}).data, HasSubstr("# bfs\n0 2.5\n100 1\n"));
  Choice lanes;
  lanes.quantity = "active_lanes";
  EXPECT_THAT(draw("interval", {run}, lanes).data, HasSubstr("# bfs\n0 25\n100 5\n"));
  lanes.quantity = "nothing";
  EXPECT_THAT([&] { draw("interval", {run}, lanes); }, ThrowsMessage<Error>(HasSubstr("active_lanes, dram, ipc")));
  EXPECT_THAT([] { draw("interval", {gpu_run("bfs", "pdom", 1)}); },
              ThrowsMessage<Error>(HasSubstr("--interval CYCLES")));
}

// Two empty lines begin gnuplot's next block: "index 1" would be the rest of the first curve.
TEST(Curves, have_gaps_where_windows_have_no_value) {
  const Json windows = {window(0, 50, 10), window(50, 50, 10), window(100, 50, 10, 8)};
  Choice misses;
  misses.quantity = "l1d_misses";
  EXPECT_THAT(draw("interval", {counted_over_time("pdom", windows), counted_over_time("tbc", windows)}, misses).data,
              EndsWith("# pdom\n0 NaN\n50 NaN\n100 0.5\n150 NaN\n\n\n# tbc\n0 NaN\n50 NaN\n100 0.5\n150 NaN\n"));
}

// gnuplot: "all points y value undefined!"
TEST(Curves, need_a_value) {
  Choice misses;
  misses.quantity = "l1d_misses";
  const RunResult run = counted_over_time("pdom", {window(0, 50, 10), window(50, 50, 10)});
  EXPECT_THAT([&] { draw("interval", {run}, misses); },
              ThrowsMessage<Error>(HasSubstr("--quantity l1d_misses: no stretch of any run has a value")));
}

TEST(Curves, are_of_gpus) {
  EXPECT_THAT([] { draw("interval", {replayed("smt")}); }, ThrowsMessage<Error>(HasSubstr("what CPU cores do is not")));
}

RunResult point(const char* mechanism, const char* nodes, double ipc) {
  RunResult run = counted(mechanism);
  run.document["totals"]["ipc"] = ipc;
  run.point = {{"program", {{"name", "bfs"}}}, {"machine", {{"name", "gtx480"}}}, {"axes", {{"nodes", nodes}}}};
  return run;
}

TEST(SweepLines, have_numbers_on_their_axis_by_size_and_a_line_for_the_rest) {
  const Picture picture = draw("sweep", {point("pdom", "1000", 3), point("pdom", "500", 2), point("tbc", "500", 4)});
  EXPECT_THAT(picture.data, EndsWith("# pdom\n500 2\n1000 3\n\n\n# tbc\n500 4\n"));
  EXPECT_THAT(picture.commands, HasSubstr("set xlabel \"nodes\""));
  EXPECT_THAT(picture.commands, HasSubstr("index 1 using 1:2 with linespoints title \"tbc\""));
}

TEST(SweepLines, say_what_varies_where_the_axis_is_none) {
  Choice choice;
  choice.x = "mechanism";
  const auto points = [] { return std::vector{point("pdom", "1000", 3), point("tbc", "500", 2)}; };
  EXPECT_THAT([&] { draw("sweep", points(), choice); },
              ThrowsMessage<Error>(HasSubstr("what varies: mechanism, nodes")));
  choice = {};
  choice.quantity = "speed";
  EXPECT_THAT([&] { draw("sweep", points(), choice); }, ThrowsMessage<Error>(HasSubstr("there are cycles, ipc")));
  EXPECT_THAT([] { find_kind("pie"); }, ThrowsMessage<Error>(HasSubstr("speedup, stalls, lanes, interval, sweep")));
}

}  // namespace kinds_test
}  // namespace warpfork::plot

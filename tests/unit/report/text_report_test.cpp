#include "report/text_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/record_sum.h"
#include "report/shares.h"
#include "report/text_table.h"
#include "unit/base/unwrapped.h"
#include "unit/report/example_launches.h"

namespace warpfork::report {
namespace text_report_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// Each kernel's lines as they were before they were broken.
std::string report_of(const std::vector<LaunchRecord>& launches) {
  return unwrapped(text_report(launches), std::string(16, ' '));
}

TEST(TextTable, aligns_columns_also_behind_characters_of_several_bytes) {
  TextTable table({"a", "bb"});
  table.add({"ccc", "1×"});
  EXPECT_EQ(table.text("> "), "> a    bb\n> ccc  1×\n");
}

TEST(TextTable, cuts_names_that_would_not_fit_the_terminal) {
  TextTable table({"a", "bb"});
  table.add({"twelve_chars_and_more", "12345"});
  EXPECT_EQ(table.text("", 20), "a                 bb\ntwelve_chars…  12345\n");
  EXPECT_EQ(table.text("", 5), "a                bb\ntwelve_char…  12345\n");  // not below 12
}

TEST(TextTable, fits_where_no_line_is_longer) {
  TextTable table({"a", "bb"});
  table.add({"cc", "12345"});  // and two between them
  EXPECT_TRUE(table.fits(9));
  EXPECT_FALSE(table.fits(8));
}

TEST(TextTable, groups_digits_by_three) {
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(1, "point"), "1 point");
  EXPECT_EQ(grouped(1234, "point"), "1 234 points");
}

TEST(TextReport, says_so_where_no_kernel_was_launched) { EXPECT_EQ(text_report({}), "no kernel was launched\n"); }

TEST(TextReport, fits_a_terminal_of_80_columns) {
  std::vector<LaunchRecord> launches = example_launches();
  launches[0].name = "a_kernel_with_a_name_that_is_longer_than_others";
  std::istringstream lines(text_report(launches));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }), 80) << line;
}

TEST(TextReport, leaves_the_scopes_of_names_out_of_the_table_where_these_would_be_cut) {
  std::vector<LaunchRecord> launches = example_launches();
  launches[0].name = "_ZN1a4stepEv";
  EXPECT_THAT(text_report(launches), HasSubstr("1  a::step"));
  launches[0].name = "_ZN28a_module_with_a_name_so_long4stepEv";
  const std::string text = text_report(launches);
  EXPECT_THAT(text, AllOf(HasSubstr("1  step "), HasSubstr("\na_module_with_a_name_so_long::step")));
}

TEST(TextReport, says_what_lanes_that_compress_cycles_left_of_divergence) {
  LaunchRecord launch = example_launches()[0];
  launch.lanes = {};
  EXPECT_THAT(report_of({launch}), Not(HasSubstr("effective SIMD efficiency")));
  launch.lanes.threads = 48;
  launch.lanes.thread_slots = 64;
  EXPECT_THAT(report_of({launch}), HasSubstr("  lanes       effective SIMD efficiency 75.0 %\n"));
}

// A third each: 33.4 + 33.3 + 33.3, the first one has what is missing.
/// 1,000 scheduler cycles, of which 600 with an issue; without one batch or another 590, 600 and 610.
LaunchRecord sampled_launch() {
  const auto counting = [](Cycle cycles, std::uint64_t memory) {
    LaunchRecord launch;
    launch.name = "kernel";
    launch.timed = true;
    launch.grid = {100, 1, 1};
    launch.active_lanes[32] = 600;
    launch.count_instructions();
    launch.cycles = cycles;
    launch.stalls[static_cast<std::size_t>(StallCause::Memory)] = memory;
    launch.scheduler_cycles = 600 + memory;
    return launch;
  };
  LaunchRecord launch = counting(1000, 400);
  launch.sample.share = 0.5;
  launch.sample.batches = 3;
  launch.sample.detailed_blocks = 40;
  for (const Cycle cycles : {990, 1000, 1010}) launch.sample.replicates.push_back(counts_of(counting(cycles, 400)));
  launch.sample.with_warm_up = counts_of(counting(1000, 400));
  return launch;
}

// The jackknife's variance is 2/3 · (10² + 10²), Student's t 4.303: 4.303 · 11.547 of 1,000 are 5.0 %.
TEST(TextReport, says_how_far_numbers_of_a_sampled_launch_may_be_off) {
  const std::string text = report_of({sampled_launch()});
  EXPECT_THAT(text, HasSubstr("± 5.0 %"));
  EXPECT_THAT(text, HasSubstr("sampled     40 of 100 blocks in detail, 3 batches; ±: 95 % confidence"));
  EXPECT_THAT(text, HasSubstr("issued 60.0 ± 0.0 %, memory 40.0 ± 0.0 % of 1 000 scheduler cycles"));
  EXPECT_THAT(report_of(example_launches()), Not(HasSubstr("±")));
}

TEST(TextReport, says_why_a_launch_was_not_sampled) {
  LaunchRecord launch = sampled_launch();
  launch.sample = {};
  launch.sample.share = 0.5;
  launch.sample.whole_because = "few_blocks";
  EXPECT_THAT(report_of({launch}), HasSubstr("sampled     nothing: too few blocks"));
  launch.sample.whole_because = "blocks_may_wait";
  EXPECT_THAT(report_of({launch}), HasSubstr("sampled     nothing: its blocks may wait for one another"));
}

TEST(Shares, add_up_to_100_percent) {
  EXPECT_EQ(tenths_of_percent(std::vector<std::uint64_t>{1, 1, 1}), (std::vector<std::uint64_t>{334, 333, 333}));
  EXPECT_EQ(tenths_of_percent(std::vector<std::uint64_t>{0, 0}), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(tenths_of_percent(std::vector<std::uint64_t>{0, 1}), (std::vector<std::uint64_t>{0, 1000}));
}

TEST(TextReport, marks_a_launch_that_was_cut_off) {
  std::vector<LaunchRecord> launches = example_launches();
  launches[1].cut_off = "still ran";
  EXPECT_THAT(report_of(launches), HasSubstr("\n2  cut off: stra"));
}

TEST(TextReport, says_which_launchs_threads_launched_a_grid) {
  std::vector<LaunchRecord> launches = example_launches();
  launches[1].launched_by.launch = 1;
  EXPECT_THAT(report_of(launches), HasSubstr("\n2  straight, by 1 "));
}

TEST(TextReport, shows_each_launch_the_total_and_where_each_kernels_time_went) {
  const std::string text = report_of(example_launches());
  EXPECT_THAT(text, HasSubstr("launch       cycles  warp instr.   IPC  SIMD eff.  idle cycles  live warps\n"
                              "1  split        100           10  2.56     80.0 %           80   1.5 of 48\n"
                              "2  straight      60           10  5.33    100.0 %           40   1.5 of 48\n"
                              "3  skipped        –            3     –    100.0 %            –   no timing\n"
                              "total           160           20  3.60     90.0 %          120\n"));
  EXPECT_THAT(text, HasSubstr("split\n  schedulers  memory 50.0 %, fetch 22.5 %, scoreboard 15.0 %, issued 5.0 %, "
                              "no_warp 5.0 %, pipeline 2.5 % of 200 scheduler cycles\n"));
  EXPECT_THAT(text, HasSubstr("  threads     data_hazard 43.8 %, finished 25.0 %, empty_buffer 18.8 %, eligible 6.2 %, "
                              "suspended 5.0 %, structural_hazard 1.2 % of 6 400 thread-cycles\n"));
  EXPECT_THAT(text, HasSubstr("  splits      1.27 per warp, 2 at most; schedulable threads: 86.7 % with 1, 93.3 % with "
                              "2\n"));
  EXPECT_THAT(text, HasSubstr("  tables      most entries in use by a warp: split 2, reconvergence 1\n"));
  EXPECT_THAT(text,
              HasSubstr("  tables      most entries in use by a warp: split 1, reconvergence 3; 7 spilled, 5 brought "
                        "back, 192 bytes\n"));
  EXPECT_THAT(text, HasSubstr("l1d 4 accesses, 50.0 % missed (7.81 MPKI); "));  // 2 of 256 thread instructions
  EXPECT_THAT(text, HasSubstr("  branches    split.cu:7 (pc 3): 1 of 2 diverged, 1.5 splits, 64 lane-slots lost\n"));
}

TEST(TextReport, says_how_many_instructions_were_one_for_their_warp_where_any_could_be) {
  std::vector<LaunchRecord> launches = example_launches();
  EXPECT_THAT(report_of(launches), Not(HasSubstr("scalars")));
  launches[0].scalars.launches = 1;
  launches[0].scalars.warp_instructions = 4;
  EXPECT_THAT(report_of(launches),
              HasSubstr("  scalars     4 of 10 warp instructions (40.0 %) were one for the warp\n"));
}

TEST(TextReport, names_lines_of_ptx_where_a_divergent_branch_has_no_line_of_its_source) {
  std::vector<LaunchRecord> launches = example_launches();
  EXPECT_FALSE(names_ptx_lines(launches));
  launches[0].branches[0].source = {};
  EXPECT_TRUE(names_ptx_lines(launches));
  EXPECT_THAT(report_of(launches), HasSubstr("  branches    PTX line 21 (pc 3): "));
  launches[0].branches[0].divergent = 0;
  EXPECT_FALSE(names_ptx_lines(launches));
}

TEST(TextReport, says_what_compaction_did_at_a_branch_summed_over_the_kernels_launches) {
  std::vector<LaunchRecord> launches = example_launches();
  launches[0].branches[0].compaction = {.waited = 6,
                                        .right = 1,
                                        .wrong = 1,
                                        .undivided = 1,
                                        .warps_before = 8,
                                        .warps_after = 6,
                                        .cycles_waited_for_nothing = 40};
  EXPECT_THAT(report_of(launches), HasSubstr("64 lane-slots lost; compacted 8 warps into 6, waited in vain 2 of 3 "
                                             "times (40 cycles)\n"));
  LaunchRecord again = launches[0];
  again.branches[0].compaction.bypassed = 3;
  again.branches[0].compaction.bypassed_wrong = 1;
  launches.push_back(again);
  EXPECT_THAT(report_of(launches), HasSubstr("; compacted 16 warps into 12, waited in vain 4 of 6 times (80 cycles), "
                                             "3 did not wait (1 wrongly)\n"));
}

}  // namespace text_report_test
}  // namespace warpfork::report

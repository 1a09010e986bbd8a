#include "report/comparison.h"

#include <gtest/gtest.h>

#include "unit/base/unwrapped.h"

namespace warpfork::report {
namespace comparison_test {

/// `efficiency` in percent.
Contestant contestant(const char* name, unsigned cycles, unsigned issued, unsigned efficiency, unsigned idle,
                      unsigned memory, unsigned fetch = 10, unsigned misses = 50) {
  Contestant run{name, {}};
  LaunchRecord& sums = run.totals.sums;
  sums.cycles = cycles;
  sums.warp_instructions = issued;
  sums.thread_instructions = efficiency;
  sums.lane_slots = 100;
  sums.idle_cycles = idle;
  sums.scheduler_cycles = 1000;
  sums.stalls[static_cast<unsigned>(StallCause::Memory)] = memory;
  sums.stalls[static_cast<unsigned>(StallCause::Fetch)] = fetch;
  sums.memory.caches.l1d.misses = misses;
  return run;
}

/// A line each.
std::string reasons(const std::vector<Contestant>& contestants) {
  return unwrapped(comparison_reasons(contestants), "  ");
}

const Contestant kFirst = contestant("pdom", 1000, 100, 25, 500, 300);

TEST(Comparison, speed_ups_are_against_the_first_mechanism) {
  EXPECT_EQ(comparison_table({contestant("pdom", 1000, 100, 25, 500, 0), contestant("dual", 800, 90, 50, 400, 0)}),
            "mechanism  cycles  speed-up  SIMD efficiency  idle cycles\n"
            "pdom        1 000     1.00×           25.0 %          500\n"
            "dual          800     1.25×           50.0 %          400\n");
}

TEST(Comparison, of_runs_without_timing_has_what_was_executed_and_no_times) {
  const std::vector<Contestant> untimed = {contestant("pdom", 0, 100, 25, 0, 0), {"dual", {}}};
  EXPECT_EQ(comparison_table(untimed),
            "mechanism  cycles  speed-up  SIMD efficiency  idle cycles\n"
            "pdom            –         –           25.0 %            –\n"
            "dual            –         –                –            –\n");
  EXPECT_EQ(reasons(untimed), "Nothing was timed; their outputs were compared.\n");
}

TEST(Comparison, a_run_that_was_cut_off_has_its_counts_and_no_speed_up) {
  std::vector<Contestant> runs = {contestant("pdom", 900, 100, 25, 500, 0), contestant("dual", 900, 90, 50, 400, 0)};
  runs[1].cut_off = true;
  EXPECT_EQ(comparison_table(runs),
            "mechanism  cycles  speed-up  SIMD efficiency  idle cycles\n"
            "pdom          900     1.00×           25.0 %          500\n"
            "dual          900   cut off           50.0 %          400\n");
  EXPECT_EQ(reasons(runs), "dual was cut off and is not held against pdom.\n");
  std::swap(runs[0].cut_off, runs[1].cut_off);
  EXPECT_EQ(comparison_table(runs),
            "mechanism  cycles  speed-up  SIMD efficiency  idle cycles\n"
            "pdom          900   cut off           25.0 %          500\n"
            "dual          900         –           50.0 %          400\n");
  EXPECT_EQ(reasons(runs), "pdom was cut off: nothing is held against it.\n");
}

TEST(Comparison, the_reason_names_what_changed_for_the_winner) {
  EXPECT_EQ(
      reasons({kFirst, contestant("or", 800, 90, 28, 400, 200)}),
      "or took 20.0 % fewer cycles than pdom: it issued 10.0 % fewer warp instructions (SIMD efficiency 25.0 % → 28.0 "
      "%) and its cores idled 20.0 % less (stalls by cause 'memory' fell most).\n");
}

TEST(Comparison, what_the_winner_paid_is_not_given_as_a_reason_but_said) {
  EXPECT_EQ(reasons({kFirst, contestant("mp", 800, 110, 23, 400, 200, 40, 55)}),
            "mp took 20.0 % fewer cycles than pdom: its cores idled 20.0 % less (stalls by cause 'memory' fell most), "
            "though it issued 10.0 % more warp instructions (SIMD efficiency 25.0 % → 23.0 %) and stalls by cause "
            "'fetch' grew and its L1 data caches missed 10.0 % more.\n");
}

TEST(Comparison, the_reason_names_why_a_mechanism_lost_and_what_it_gained_all_the_same) {
  EXPECT_EQ(reasons({kFirst, contestant("tbc", 1500, 90, 28, 900, 600)}),
            "tbc took 50.0 % more cycles than pdom: its cores idled 80.0 % more (stalls by cause 'memory' grew most), "
            "though it issued 10.0 % fewer warp instructions (SIMD efficiency 25.0 % → 28.0 %).\n");
}

TEST(Comparison, a_reason_that_the_counts_do_not_show_is_not_made_up) {
  EXPECT_EQ(reasons({kFirst, contestant("mp", 1500, 90, 28, 500, 300)}),
            "mp took 50.0 % more cycles than pdom: for a reason that these counts do not show, though it issued 10.0 % "
            "fewer warp instructions (SIMD efficiency 25.0 % → 28.0 %).\n");
  EXPECT_EQ(reasons({kFirst, contestant("mp", 1500, 100, 25, 400, 300)}),
            "mp took 50.0 % more cycles than pdom: for a reason that these counts do not show, though its cores idled "
            "20.0 % less.\n");
}

TEST(Comparison, looks_for_cores_without_work_where_nothing_else_shows_why) {
  Contestant first = kFirst, late = contestant("tbc", 1500, 100, 25, 500, 300);
  first.totals.sums.occupancy.core_cycles = 1000;
  late.totals.sums.occupancy.core_cycles = 750;  // half the time, not all of it
  EXPECT_EQ(reasons({first, late}),
            "tbc took 50.0 % more cycles than pdom: it issued the same warp instructions and "
            "its cores had work 50.0 % less of the time.\n");
}

TEST(Comparison, each_mechanism_has_its_line_and_a_tie_is_called_one) {
  EXPECT_EQ(reasons({kFirst, contestant("mp", 996, 1, 100, 5, 3), contestant("or", 1004, 1, 100, 5, 3)}),
            "mp took as many cycles as pdom, within 0.5 %.\nor took as many cycles as pdom, within 0.5 %.\n");
  EXPECT_EQ(reasons({kFirst}), "pdom ran alone.\n");
}

}  // namespace comparison_test
}  // namespace warpfork::report

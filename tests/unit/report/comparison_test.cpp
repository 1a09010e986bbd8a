#include "report/comparison.h"

#include <gtest/gtest.h>

namespace warpfork::report {
namespace {

Contestant contestant(const char* name, int cycles, int issued, double efficiency, int idle, int memory) {
  Json totals = {{"cycles", cycles},
                 {"warp_instructions", issued},
                 {"simd_efficiency", efficiency},
                 {"idle_cycles", idle},
                 {"stalls", {{"memory", memory}, {"fetch", 10}}}};
  return {name, totals};
}

TEST(Comparison, speed_ups_are_against_the_first_mechanism) {
  EXPECT_EQ(comparison_table({contestant("pdom", 1000, 100, 0.25, 500, 0), contestant("dual", 800, 90, 0.5, 400, 0)}),
            "mechanism  cycles  speed-up  SIMD efficiency  idle cycles\n"
            "pdom        1 000     1.00×           25.0 %          500\n"
            "dual          800     1.25×           50.0 %          400\n");
}

TEST(Comparison, the_reason_names_what_changed_for_the_winner) {
  EXPECT_EQ(
      comparison_reason({contestant("pdom", 1000, 100, 0.25, 500, 300), contestant("or", 800, 90, 0.28, 400, 200)}),
      "or took 20.0 % fewer cycles than pdom: it issued 10.0 % fewer warp instructions (SIMD efficiency 25.0 % → 28.0 "
      "%) and its cores idled 20.0 % less (stalls by cause 'memory' fell most).");
}

TEST(Comparison, what_points_against_the_winner_is_not_given_as_a_reason) {
  EXPECT_EQ(
      comparison_reason({contestant("pdom", 1000, 100, 0.25, 500, 300), contestant("mp", 800, 110, 0.23, 400, 200)}),
      "mp took 20.0 % fewer cycles than pdom: its cores idled 20.0 % less (stalls by cause 'memory' fell most), though "
      "it issued 10.0 % more warp instructions (SIMD efficiency 25.0 % → 23.0 %).");
}

TEST(Comparison, a_tie_is_called_one) {
  EXPECT_EQ(comparison_reason({contestant("pdom", 1000, 1, 1, 5, 3), contestant("mp", 999, 1, 1, 5, 3)}),
            "No mechanism was noticeably faster than pdom: lanes part too rarely, or too briefly, to pay.");
}

}  // namespace
}  // namespace warpfork::report

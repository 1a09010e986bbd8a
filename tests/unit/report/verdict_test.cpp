// The largest losses in words; shares by hand, of 10 000 core cycles and 20 000 scheduler cycles.
#include "report/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/base/unwrapped.h"
#include "unit/report/line_lists.h"

namespace warpfork::report {
namespace verdict_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::string of(std::vector<LineCount> lines) {
  const std::vector<LaunchRecord> launches = {launch_with_lines(std::move(lines))};
  return verdict(launches);
}

TEST(Verdict, is_given_only_where_lines_were_asked_for) { EXPECT_EQ(of({}), ""); }

TEST(Verdict, names_an_uncoalesced_store_with_line_share_and_remedy) {
  EXPECT_EQ(of({scattered_store(32)}),
            "why slow\n"
            "  1. t.cu:9 (kernel): 32.0 transactions a store where 1.0 would do: uncoalesced.\n"
            "     31.0 % of the time. Let neighbouring threads reach neighbouring addresses,\n"
            "     by way of shared memory if need be.\n");
}

TEST(Verdict, names_a_bank_conflict_by_its_ways) {
  EXPECT_THAT(of({conflicting_load(32)}), HasSubstr("t.cu:17 (kernel): 32-way bank conflict"));
  EXPECT_THAT(of({conflicting_load(1)}), Not(HasSubstr("bank conflict")));
}

TEST(Verdict, puts_the_three_largest_losses_first) {
  const std::string text = of({scattered_store(3), conflicting_load(32), waiting("t.cu", 2, StallCause::Barrier, 8000),
                               waiting("t.cu", 3, StallCause::Scoreboard, 2000)});
  EXPECT_THAT(text, HasSubstr("  1. t.cu:2 (kernel): warps waited at a barrier. 40.0 %"));
  EXPECT_THAT(text, HasSubstr("  2. t.cu:17 (kernel): 32-way"));
  EXPECT_THAT(text, HasSubstr("  3. t.cu:3 (kernel): warps waited for the result"));
  EXPECT_THAT(text, Not(HasSubstr("  4. ")));
}

// 1 % of 10 000 core cycles are 100: a store of two transactions loses just so many, one of fewer requests less.
TEST(Verdict, leaves_out_what_is_less_than_a_hundredth) {
  EXPECT_THAT(of({scattered_store(2)}), HasSubstr("2.0 transactions a store"));
  LineCount less = scattered_store(2);
  less.excess_transactions = 99;
  EXPECT_EQ(of({less}), "why slow\n  no line lost 1.0 % of the time\n");
}

TEST(Verdict, does_not_name_what_follows_from_a_scattered_access_beside_it) {
  LineCount store = scattered_store(32);
  store.stalls[static_cast<unsigned>(StallCause::Pipeline)] = 9000;
  store.awaited = 5000;
  EXPECT_THAT(of({store}), Not(HasSubstr("2. ")));
}

TEST(Verdict, names_the_load_that_is_waited_for_and_not_who_waits) {
  LineCount load = waiting("t.cu", 4, StallCause::Memory, 0);
  load.awaited = 5000;
  const std::string text = unwrapped(of({load, waiting("t.cu", 5, StallCause::Memory, 5000)}), "     ");
  EXPECT_THAT(text, HasSubstr("  1. t.cu:4 (kernel): warps waited for what it asks of memory. 25.0 %"));
  EXPECT_THAT(text, Not(HasSubstr("t.cu:5")));
}

TEST(Verdict, names_a_branch_by_the_lanes_that_it_lost) {
  LaunchRecord launch = launch_with_lines({waiting("t.cu", 2, StallCause::Memory, 0)});
  BranchCount branch;
  branch.ptx_line = 30;
  branch.executions = 10;
  branch.divergent = 4;
  branch.lost_lane_slots = 64000;  // 2 000 issues of 32 lanes: a tenth of the scheduler cycles
  launch.branches = {branch};
  EXPECT_THAT(unwrapped(verdict(std::vector{launch}), "     "),
              HasSubstr("1. PTX line 30 (kernel): the branch parted 4 of 10 warps and "
                        "lost 64 000 lane-slots. 10.0 %"));
  launch.lanes.thread_slots = 64;  // lanes that fewer threads take less long
  EXPECT_THAT(verdict(std::vector{launch}), Not(HasSubstr("lane-slots")));
}

}  // namespace verdict_test
}  // namespace warpfork::report

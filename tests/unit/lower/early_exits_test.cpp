// Threads that leave while others go on to meet.
#include "lower/early_exits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace early_exits_test {

using testing::ElementsAre;

TEST(EarlyExits, a_branch_to_the_end_around_a_barrier_is_a_guarded_return) {
  EXPECT_THAT(lowered_lines("@%p1 bra E;\nbar.sync 0;\nE: ret;"), ElementsAre("@%p1 ret;", "bar.sync 0;", "ret;"));
  EXPECT_THAT(lowered_lines("@!%p1 bra E;\nbar.sync 0;\nE: exit;"), ElementsAre("@!%p1 ret;", "bar.sync 0;", "exit;"));
}

TEST(EarlyExits, so_is_one_around_what_names_threads_of_the_warp) {
  for (const char* meeting : {"bar.warp.sync -1;", "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;",
                              "vote.sync.any.pred %p2, %p3, -1;", "bar.red.popc.u32 %r0, 0, %p2;"})
    EXPECT_EQ(lowered_lines("@%p1 bra E;\n" + std::string(meeting) + "\nE: ret;")[0], "@%p1 ret;") << meeting;
}

TEST(EarlyExits, where_nobody_meets_afterwards_the_branch_stays) {
  EXPECT_EQ(lowered_lines("bar.sync 0;\n@%p1 bra E;\nmov.u32 %r0, 1;\nE: ret;")[1], "@%p1 bra E; -> 3");
  EXPECT_EQ(lowered_lines("@%p1 bra E;\nbar.arrive 0, 64;\nE: ret;")[0], "@%p1 bra E; -> 2");
  EXPECT_EQ(lowered_lines("@%p1 bra E;\nactivemask.b32 %r0;\nE: ret;")[0], "@%p1 bra E; -> 2");
}

TEST(EarlyExits, who_has_something_to_do_before_it_leaves_does_it) {
  EXPECT_EQ(lowered_lines("@%p1 bra E;\nbar.sync 0;\nE: mov.u32 %r0, 1;\nret;")[0], "@%p1 bra E; -> 2");
}

TEST(EarlyExits, a_return_behind_the_branch_is_for_those_that_do_not_take_it) {
  EXPECT_THAT(lowered_lines("L: @%p1 bra B;\nret;\nB: bar.sync 0;\nbra L;"),
              ElementsAre("@!%p1 ret;", "bra B; -> 3", "ret;", "bar.sync 0;", "bra L; -> 0"));
}

TEST(EarlyExits, jumps_on_the_way_to_the_end_do_nothing) {
  EXPECT_EQ(lowered_lines("@%p1 bra J;\nbar.sync 0;\nJ: bra E;\nL: bra L;\nE: ret;")[0], "@%p1 ret;");
  EXPECT_EQ(lowered_lines("@%p1 bra L;\nbar.sync 0;\nret;\nL: bra L;")[0], "@%p1 bra L; -> 3");
}

TEST(EarlyExits, a_loop_may_come_back_to_the_barrier) {
  EXPECT_THAT(lowered_lines("L: bar.sync 0;\n@%p1 bra E;\nbra L;\nE: ret;"),
              ElementsAre("bar.sync 0;", "@%p1 ret;", "bra L; -> 0", "ret;"));
}

TEST(EarlyExits, uniform_branches_part_nobody) {
  EXPECT_EQ(lowered_lines("@%p1 bra.uni E;\nbar.sync 0;\nE: ret;")[0], "@%p1 bra.uni E; -> 2");
}

TEST(EarlyExits, a_branch_past_the_last_instruction_is_one_to_the_end) {
  EXPECT_THAT(lowered_lines("@%p1 bra E;\nbar.sync 0;\nE:"), ElementsAre("@%p1 ret;", "bar.sync 0;", "ret;"));
}

TEST(EarlyExits, the_return_stands_at_the_branchs_line) {
  const ptx::Function f = lowered("@%p1 bra B;\nret;\nB: bar.sync 0;\nret;");
  EXPECT_EQ(f.body[0].opcode, ptx::Opcode::Ret);
  EXPECT_EQ(f.body[0].location.line, f.body[1].location.line);
}

}  // namespace early_exits_test
}  // namespace warpfork::lower

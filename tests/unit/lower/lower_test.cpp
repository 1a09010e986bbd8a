// The end of an entry, and barriers that only some threads of a warp come to.
#include "lower/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace {

using testing::ElementsAre;

TEST(Lower, control_that_could_run_off_the_end_finds_a_return_there) {
  EXPECT_THAT(lowered_lines(""), ElementsAre("ret;"));
  EXPECT_THAT(lowered_lines("bar.sync 0;"), ElementsAre("bar.sync 0;", "ret;"));
  EXPECT_THAT(lowered_lines("@%p0 ret;"), ElementsAre("@%p0 ret;", "ret;"));
  EXPECT_THAT(lowered_lines("bra end;\nret;\nend:"), ElementsAre("bra end; -> 2", "ret;", "ret;"));
}

TEST(Lower, an_entry_that_ends_gets_nothing_more) {
  for (const char* body : {"ret;", "exit;", "L: bra L;"}) EXPECT_EQ(lowered(body).body.size(), 1u) << body;
}

TEST(Lower, the_return_that_was_added_stands_at_the_last_line) {
  const ptx::Function f = lowered("bar.sync 0;\nbar.sync 1;");
  EXPECT_EQ(f.body.back().location.line, f.body[1].location.line);
}

TEST(GuardedBarriers, threads_that_do_not_wait_jump_over) {
  EXPECT_THAT(lowered_lines("@%p1 bar.sync 0;\nret;"),
              ElementsAre("@!%p1 bra after barrier; -> 2", "bar.sync 0;", "ret;"));
  EXPECT_THAT(lowered_lines("@!%p1 barrier.sync 1, 64;\nret;"),
              ElementsAre("@%p1 bra after barrier; -> 2", "barrier.sync 1, 64;", "ret;"));
}

TEST(GuardedBarriers, so_do_those_that_take_no_part_in_a_reduction) {
  EXPECT_THAT(lowered_lines("@%p1 bar.red.popc.u32 %r0, 0, %p2;\nret;")[0], "@!%p1 bra after barrier; -> 2");
}

TEST(GuardedBarriers, nobody_waits_at_an_arrival_or_within_a_warp) {
  EXPECT_THAT(lowered_lines("@%p1 bar.arrive 0, 64;\nret;"), ElementsAre("@%p1 bar.arrive 0, 64;", "ret;"));
  EXPECT_THAT(lowered_lines("@%p1 bar.warp.sync -1;\nret;"), ElementsAre("@%p1 bar.warp.sync -1;", "ret;"));
  EXPECT_THAT(lowered_lines("bar.sync 0;\nret;"), ElementsAre("bar.sync 0;", "ret;"));
}

TEST(GuardedBarriers, labels_lead_to_the_branch_before_the_barrier_and_behind_it) {
  EXPECT_THAT(lowered_lines("L: @%p1 bar.sync 0;\n@%p2 bar.sync 0;\nbra L;\nM: bra M;"),
              ElementsAre("@!%p1 bra after barrier; -> 2", "bar.sync 0;", "@!%p2 bra after barrier; -> 4",
                          "bar.sync 0;", "bra L; -> 0", "bra M; -> 5"));
}

}  // namespace
}  // namespace warpfork::lower

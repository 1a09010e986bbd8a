// The end of an entry, and barriers that only some threads of a warp come to.
#include "lower/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace lower_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

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

TEST(Lower, whatever_may_go_on_behind_the_last_instruction_finds_a_return) {
  for (const char* body : {"bar.sync 0;", "@%p0 exit;", "@!%p0 bra L; L:", "trap;", "bra E; exit; E:"}) {
    const ptx::Function f = lowered(body);
    EXPECT_EQ(f.body.back().opcode, ptx::Opcode::Ret) << body;
    EXPECT_FALSE(f.body.back().guard) << body;
  }
}

TEST(Lower, refuses_entries_whose_blocks_come_in_clusters) {
  const auto refused = [](const std::string& directive) {
    const ptx::Module module = ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.entry k() " + directive +
                                              "{ ret; }\n.entry other() .reqnctapercluster 8 { ret; }\n",
                                          "t.ptx");
    return error_of([&] { lower(module, *module.find_function("k"), {}); });
  };
  EXPECT_THAT(refused(".explicitcluster .reqnctapercluster 2, 3 "),
              AllOf(StartsWith("t.ptx:4: error: kernel 'k' needs clusters of 2x3x1 blocks (.reqnctapercluster)"),
                    HasSubstr("they are of sm_90 or later: build for an older architecture")));
  EXPECT_EQ(refused(".explicitcluster .reqnctapercluster 1, 1, 1 "), "");
}

TEST(Lower, a_call_at_the_end_is_followed_by_a_return) {
  EXPECT_THAT(lowered_lines("@%p0 call f;", ".func f() { membar.gl; ret; }\n"),
              ElementsAre("@!%p0 bra after call; -> 2", "membar.gl;", "ret;"));
  EXPECT_THAT(lowered_lines("call f;", ".func f() { .reg .pred %q; @%q ret; exit; }\n"),
              ElementsAre("@%q bra return; -> 2", "exit;", "ret;"));
}

TEST(GuardedBarriers, threads_that_do_not_wait_jump_over) {
  EXPECT_THAT(lowered_lines("@%p1 bar.sync 0;\nmembar.gl;\nret;"),
              ElementsAre("@!%p1 bra after barrier; -> 2", "bar.sync 0;", "membar.gl;", "ret;"));
  EXPECT_THAT(lowered_lines("@!%p1 barrier.sync 1, 64;\nmembar.gl;\nret;"),
              ElementsAre("@%p1 bra after barrier; -> 2", "barrier.sync 1, 64;", "membar.gl;", "ret;"));
}

TEST(GuardedBarriers, so_do_those_that_take_no_part_in_a_reduction) {
  EXPECT_THAT(lowered_lines("@%p1 bar.red.popc.u32 %r0, 0, %p2;\nmembar.gl;\nret;")[0],
              "@!%p1 bra after barrier; -> 2");
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

TEST(GuardedBarriers, branches_across_several_are_moved_by_all_of_them) {
  EXPECT_THAT(lowered_lines("bra E;\n@%p1 bar.sync 0;\n@%p2 bar.sync 1;\nE: membar.gl;\nexit;"),
              ElementsAre("bra E; -> 5", "@!%p1 bra after barrier; -> 3", "bar.sync 0;",
                          "@!%p2 bra after barrier; -> 5", "bar.sync 1;", "membar.gl;", "exit;"));
}

TEST(GuardedBarriers, those_that_would_jump_over_one_at_the_end_return) {
  EXPECT_THAT(lowered_lines("@%p1 bar.sync 0;"), ElementsAre("@!%p1 ret;", "bar.sync 0;", "ret;"));
}

TEST(GuardedBarriers, those_of_functions_are_parted_once_they_are_put_in) {
  EXPECT_THAT(lowered_lines("call f;\nmembar.gl;\nret;", ".func f() { .reg .pred %q; @%q barrier.sync 0; ret; }\n"),
              ElementsAre("@!%q bra after barrier; -> 2", "barrier.sync 0;", "membar.gl;", "ret;"));
}

TEST(GuardedBarriers, the_jump_stands_at_the_barriers_line) {
  const ptx::Function f = lowered("bar.sync 0;\n@%p1 bar.sync 1;\nret;");
  ASSERT_EQ(f.body.size(), 4u);
  EXPECT_EQ(f.body[1].location.line, f.body[2].location.line);
  EXPECT_EQ(f.body[2].location.line, f.body[0].location.line + 1);
}

}  // namespace lower_test
}  // namespace warpfork::lower

// What is printed of a life, and the graph; the life itself is in the goldens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "led_warp.h"

namespace warpfork::explain {
namespace warp_watch_test {

using ::testing::HasSubstr;
using ::testing::Not;

// MULTIPATH Figure 2 on four threads: A is pc 0-3, C (odd lanes) 4-5, B (even lanes) 6, D 7-8.
constexpr const char* kParts = R"(
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra B;
  add.u32 %r3, %r1, 1;
  bra D;
B:
  @!%p1 add.u32 %r3, %r1, 2;
D:
  add.u32 %r4, %r3, 1;
  ret;
)";

LedWarp run(const Request& request) {
  LedWarp warp(kParts, "pdom", 4, 4, request);
  for (Cycle cycle = 10; cycle < 50; cycle += 10) warp.issue(cycle, 0, "1111");
  warp.issue(50, 0, "0101");
  warp.issue(60, 0, "1010");
  warp.issue(70, 0, "1010");
  warp.issue(80, 0, "1111");
  warp.issue(90, 0, "1111");
  return warp;
}

TEST(WarpWatch, folds_straight_runs_unless_every_instruction_is_wanted) {
  EXPECT_THAT(run({}).text(), HasSubstr("10-40      0-3  7-10    1111   mov.u32 %r1, %tid.x; … @%p1 bra B;\n"));
  Request request;
  request.every_instruction = true;
  const std::string text = run(request).text();
  EXPECT_THAT(text, HasSubstr(" 20        1  8       1111   and.b32 %r2, %r1, 1;\n"));
  EXPECT_THAT(text, HasSubstr(" 30        2  9       1111   setp.eq.u32 %p1, %r2, 0;\n"));
}

TEST(WarpWatch, shows_which_lanes_a_guard_lets_through) {
  EXPECT_THAT(run({}).text(), HasSubstr("0101   @!%p1 add.u32 %r3, %r1, 2;  in 0000\n"));
}

TEST(WarpWatch, a_window_begins_with_the_tables_and_ends_after_its_cycles) {
  Request request;
  request.from_cycle = 60;
  request.cycles = 11;
  const std::string text = run(request).text();
  EXPECT_THAT(text, HasSubstr("instruction\n"
                              "             60  the tables:\n"
                              "                 stack    pc   rpc  lanes\n"
                              "                           7     -  1111\n"
                              "                           4     7  1010  top\n"
                              "          60-70      4-5  11-12   1010"));
  EXPECT_THAT(text, HasSubstr("70  reconvergence: 1111 go on at pc 7 (B3)"));
  EXPECT_THAT(text, Not(HasSubstr("ret;")));
  EXPECT_THAT(text, HasSubstr("9 warp instructions"));  // of the whole life
}

TEST(WarpWatch, a_window_of_ten_cycles_leaves_out_what_is_ten_cycles_later) {
  Request request;
  request.from_cycle = 60;
  request.cycles = 10;
  EXPECT_THAT(run(request).text(), Not(HasSubstr("bra D")));
}

TEST(WarpWatch, a_limit_says_what_it_has_cut_off) {
  Request request;
  request.limit = 4;  // the start, its table of two lines, the first run
  const std::string text = run(request).text();
  EXPECT_THAT(text, HasSubstr("bra B;\n… 5 more instructions, up to cycle 90; --limit 0 prints all"));
  request.limit = 0;
  EXPECT_THAT(run(request).text(), Not(HasSubstr("more instructions")));
}

TEST(WarpWatch, a_life_that_was_cut_short_says_so) {
  LedWarp warp(kParts, "pdom", 4, 4);
  warp.issue(1, 0, "1111");
  EXPECT_THAT(warp.text(), HasSubstr("1 warp instruction, 4.0 lanes on average, 0 divergences; it had not ended\n"));
}

TEST(WarpWatch, a_block_that_starts_in_the_same_place_later_is_another_one) {
  Request request;
  request.block = {1, 0, 0};
  LedWarp warp(kParts, "pdom", 4, 4, request);
  warp.issue(1, 0, "1111");
  EXPECT_THAT(warp.text(), HasSubstr("the block did not start"));
}

TEST(WarpGraph, shows_counts_and_the_masks_on_each_edge) {
  const std::string graph = run({}).graphviz();
  EXPECT_THAT(graph, HasSubstr("B0 [label=\"B0\\npc 0-3, lines 7-10\\n1 executed, 1 divergent\", color=red];"));
  EXPECT_THAT(graph, HasSubstr("B0 -> B2 [label=\"0101\"];\n  B0 -> B1 [label=\"1010\"];"));
  EXPECT_THAT(graph, HasSubstr("B3 [label=\"B3\\npc 7-8, lines 16-17\\n1 executed, 0 divergent\"];"));
  EXPECT_THAT(graph, HasSubstr("B2 -> B3 [label=\"0101\"];"));
  EXPECT_THAT(graph, HasSubstr("B3 -> exit [label=\"1111\"];"));
}

TEST(WarpGraph, names_the_most_frequent_mask_first) {
  // The four lanes make 1, 3, 4 and 4 turns.
  LedWarp warp(
      "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r1, %r1, 2;\nadd.u32 %r1, %r1, 1;\nmin.u32 %r1, %r1, 4;\n"
      "A: add.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra A;\nret;\n",
      "pdom", 4, 4);
  for (Cycle cycle = 1; cycle <= 7; ++cycle) warp.issue(cycle, 0, "1111");
  for (Cycle cycle = 8; cycle <= 13; ++cycle) warp.issue(cycle, 0, "1110");
  for (Cycle cycle = 14; cycle <= 16; ++cycle) warp.issue(cycle, 0, "1100");
  warp.issue(17, 0, "1111");
  EXPECT_THAT(warp.graphviz(), HasSubstr("B1 -> B1 [label=\"1110 ×2\\n1100\"];"));
  EXPECT_THAT(warp.graphviz(), HasSubstr("B1 -> B2 [label=\"0001\\n0010\\n1100\"];"));
}

TEST(WarpGraph, counts_equal_masks_and_greys_what_the_warp_never_came_to) {
  // Three turns of all lanes; the branch at pc 1 is never taken.
  LedWarp warp(
      "mov.u32 %r1, 3;\nA: setp.gt.u32 %p1, %r1, 5;\n@%p1 bra OUT;\nadd.u32 %r1, %r1, -1;\n"
      "setp.ne.u32 %p2, %r1, 0;\n@%p2 bra A;\nret;\nOUT: ret;\n",
      "multi-path", 4, 4);
  for (Cycle cycle = 1; cycle <= 17; ++cycle) warp.issue(cycle, 0, "1111");
  const std::string graph = warp.graphviz();
  EXPECT_THAT(graph, HasSubstr("B1 [label=\"B1\\npc 1-2, lines 7-8\\n3 executed, 0 divergent\"];"));
  EXPECT_THAT(graph, HasSubstr("B1 -> B4 [color=gray];\n  B1 -> B2 [label=\"1111 ×3\"];"));
  EXPECT_THAT(graph, HasSubstr("B2 -> B1 [label=\"1111 ×2\"];\n  B2 -> B3 [label=\"1111\"];"));
  EXPECT_THAT(graph, HasSubstr("0 executed, 0 divergent\", color=gray, fontcolor=gray];"));
}

}  // namespace warp_watch_test
}  // namespace warpfork::explain

#include "divergence/pdom_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "one_warp.h"

namespace warpfork {
namespace pdom_stack_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PdomStack, runs_the_first_path_first_then_the_second_then_all) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  warp.advance(0b0011, {path(30, 0b0011)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  EXPECT_EQ(warp.pc(0b1100), 20u);
  warp.advance(0b1100, {path(30, 0b1100)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1111u));
  EXPECT_EQ(warp.pc(0b1111), 30u);
}

TEST(PdomStack, side_that_starts_at_the_reconvergence_point_is_never_scheduled) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(30, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(warp.pc(0b1100), 20u);
  warp.advance(0b1100, {path(30, 0b1100)}, kNoPc);
  EXPECT_EQ(warp.pc(0b1111), 30u);
}

TEST(PdomStack, branch_that_all_lanes_take_changes_nothing_but_the_pc) {
  OneWarp warp("pdom");
  const SplitId before = warp.id(0b1111);
  EXPECT_TRUE(warp.advance(0b1111, {path(20, 0b1111)}, 30).none());
  EXPECT_EQ(warp.id(0b1111), before);
  EXPECT_EQ(warp.pc(0b1111), 20u);
  EXPECT_EQ(warp.reconvergence(0b1111), kNoPc);
}

TEST(PdomStack, branch_whose_sides_have_one_target_does_not_diverge) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(20, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_EQ(warp.pc(0b1111), 20u);
}

TEST(PdomStack, sides_of_a_branch_without_a_reconvergence_point_keep_that_of_their_path) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(12, 0b0001), path(14, 0b0010)}, kNoPc);
  EXPECT_EQ(warp.reconvergence(0b0001), 30u);
}

TEST(PdomStack, ten_thousand_turns_of_a_divergent_loop_do_not_deepen_the_stack) {
  OneWarp warp("pdom", 0b111);
  warp.advance(0b111, {path(0, 0b110), path(5, 0b001)}, 5);
  const std::string before = warp.domain().describe(0);
  for (int turn = 0; turn < 10000; ++turn) {
    warp.advance(0b110, {path(1, 0b010), path(3, 0b100)}, 4);  // if inside the body, meeting at 4
    warp.advance(0b010, {path(4, 0b010)}, 5);
    warp.advance(0b100, {path(4, 0b100)}, 5);
    warp.advance(0b110, {path(0, 0b110)}, 5);  // the back edge
  }
  EXPECT_EQ(warp.domain().describe(0), before);
  warp.advance(0b110, {path(0, 0b100), path(5, 0b010)}, 5);
  warp.advance(0b100, {path(5, 0b100)}, kNoPc);
  EXPECT_EQ(warp.pc(0b111), 5u);
}

TEST(PdomStack, lanes_that_exit_are_gone_from_every_entry) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(12, 0b0001)}, kNoPc);
  EXPECT_EQ(warp.domain().live(0).bits(), 0b1101u);
  warp.advance(0b0001, {path(30, 0b0001)}, kNoPc);
  warp.advance(0b1100, {path(30, 0b1100)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1101u));
}

TEST(PdomStack, lanes_that_exit_at_a_branch_are_not_expected_where_it_meets) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010)}, 30);
  warp.advance(0b0001, {path(30, 0b0001)});
  warp.advance(0b0010, {path(30, 0b0010)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
}

TEST(PdomStack, side_that_exits_as_a_whole_leaves_the_other_one) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, kNoPc);
  warp.advance(0b0011, {}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.advance(0b1100, {}, kNoPc);
  EXPECT_THAT(warp.masks(), IsEmpty());
  EXPECT_TRUE(warp.domain().live(0).none());
}

TEST(PdomStack, warp_waits_at_a_barrier_as_a_whole) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId top = warp.id(0b0011);
  EXPECT_EQ(warp.wait(top), WarpSet::single(0));
  EXPECT_THAT(warp.masks(), IsEmpty());
  EXPECT_EQ(warp.release(top), WarpSet::single(0));
  EXPECT_EQ(warp.pc(0b0011), 10u);
}

TEST(PdomStack, path_with_lanes_of_nobody_breaks_the_contract) {
  OneWarp warp("pdom", 0b0011);
  EXPECT_THROW(warp.advance(0b0011, {path(10, 0b0100)}, 30), InvariantError);
}

TEST(PdomStack, prints_the_stack_bottom_first) {
  OneWarp warp("pdom");
  warp.advance(0b1111, {path(2, 0b0101), path(4, 0b1010)}, 6);
  EXPECT_EQ(warp.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "          6     -  1111\n"
            "          4     6  1010\n"
            "          2     6  0101  top\n");
}

}  // namespace pdom_stack_test
}  // namespace warpfork

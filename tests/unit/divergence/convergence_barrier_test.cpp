#include "divergence/convergence_barrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/polling.h"
#include "one_warp.h"
#include "polling_warp.h"

namespace warpfork {
namespace convergence_barrier_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ConvergenceBarriers : public ::testing::Test {
 protected:
  void wait_for_others(std::uint32_t lanes) { warp_.domain().wait_for_others(warp_.id(lanes)); }
  /// These splits, by their ids.
  void meet(std::initializer_list<SplitId> ids) {
    SlotSet slots;
    for (const SplitId id : ids) slots.insert(id);
    warp_.domain().meet(0, slots);
  }

  OneWarp warp_{"convergence-barrier"};
};

// By hand: one side runs until it is blocked, then the other one.
TEST_F(ConvergenceBarriers, block_threads_until_all_that_the_branch_parted_have_come) {
  warp_.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0011u));
  EXPECT_EQ(warp_.reconvergence(0b0011), 30u);
  warp_.advance(0b0011, {path(30, 0b0011)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1100u));
  warp_.advance(0b1100, {path(30, 0b1100)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1111u));
  EXPECT_EQ(warp_.pc(0b1111), 30u);
}

TEST_F(ConvergenceBarriers, are_cleared_when_the_threads_that_are_missing_exit) {
  warp_.advance(0b1111, {path(10, 0b0011), path(30, 0b1100)}, 30);
  warp_.advance(0b0011, {});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1100u));
}

TEST_F(ConvergenceBarriers, are_not_cleared_for_threads_at_a_barrier_of_the_block) {
  warp_.advance(0b1111, {path(10, 0b0011), path(30, 0b1100)}, 30);
  warp_.wait(warp_.id(0b0011));
  EXPECT_THAT(warp_.masks(), IsEmpty());
}

TEST_F(ConvergenceBarriers, are_shown_with_who_is_missing) {
  warp_.advance(0b1111, {path(10, 0b0011), path(30, 0b1100)}, 30);
  EXPECT_EQ(warp_.domain().describe(0),
            "ST       pc   rpc  lanes\n"
            "         10    30  0011\n"
            "CB       pc   rpc  lanes  pending\n"
            "         30     -  1111   0011\n");
}

class SpinningThreads : public ::testing::Test {
 protected:
  PollingWarp warp_{"convergence-barrier"};
};

// while (!got) …: lane 3, which has got the lock, is blocked where the loop ends.
TEST_F(SpinningThreads, a_barrier_is_cleared_when_all_that_are_missing_have_yielded) {
  warp_.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  warp_.turn(0b0111, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
  EXPECT_EQ(warp_.reconvergence(0b1000), kNoPc);
  warp_.advance(0b1000, {});
  EXPECT_EQ(warp_.pc(0b0111), 10u);
  EXPECT_EQ(warp_.reconvergence(0b0111), kNoPc) << "they do not come to a barrier that is no more";
}

TEST_F(SpinningThreads, who_has_yielded_goes_behind_all_others) {
  warp_.advance(0b1111, {path(10, 0b0011), path(20, 0b0100), path(30, 0b1000)}, 40);
  warp_.turn(0b0011, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0100u));
  warp_.advance(0b0100, {path(40, 0b0100)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
  warp_.advance(0b1000, {path(40, 0b1000)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0011u));
}

// Another split is missing as well, and has not yielded: lane 0 is not let go before it has.
TEST_F(SpinningThreads, a_barrier_is_not_cleared_before_all_that_could_issue_have_yielded) {
  warp_.advance(0b1111, {path(40, 0b0001), path(10, 0b0110), path(10, 0b1000)}, 40);
  warp_.turn(0b1110, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0001u));
  warp_.launch();
  warp_.advance(0b1111, {path(40, 0b0001), path(10, 0b0110), path(50, 0b1000)}, 40);
  warp_.turn(0b0110, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
  warp_.advance(0b1000, {path(10, 0b1000)});
  warp_.turn(0b1000, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0001u));
}

// The barrier around the one that is cleared stays: lane 0 is blocked at 50, lane 3 at 40 and then with it.
TEST_F(SpinningThreads, barriers_around_one_that_is_cleared_still_hold_all) {
  warp_.advance(0b1111, {path(5, 0b1110), path(50, 0b0001)}, 50);
  warp_.advance(0b1110, {path(10, 0b0110), path(40, 0b1000)}, 40);
  warp_.turn(0b0110, kPollingTurns - 1);
  ASSERT_THAT(warp_.masks(), ElementsAre(0b1000u));
  warp_.advance(0b1000, {path(50, 0b1000)});
  EXPECT_EQ(warp_.reconvergence(0b0110), 50u);
  warp_.advance(0b0110, {path(50, 0b0110)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1111u));
}

TEST_F(SpinningThreads, turns_of_those_that_nobody_could_replace_do_not_count) {
  warp_.turn(0b1111, kPollingTurns / 2);
  warp_.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  warp_.turn(0b0111, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
}

TEST_F(SpinningThreads, turns_of_the_block_before_do_not_count) {
  warp_.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  warp_.turn(0b0111, kPollingTurns - 2);
  warp_.launch();
  warp_.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  warp_.turn(0b0111, kPollingTurns - 1);
}

// Lane 0 has exited in the loop; lane 3, which is let go, takes its place in the split table.
TEST_F(SpinningThreads, turns_of_others_do_not_count_for_those_that_are_let_go) {
  warp_.advance(0b1111, {path(10, 0b0001), path(40, 0b1000), path(12, 0b0110)}, 40);
  warp_.turn(0b0001, kPollingTurns / 2);
  warp_.advance(0b0001, {});
  warp_.advance(0b0110, {path(10, 0b0110)});
  warp_.turn(0b0110, kPollingTurns - 1);
  warp_.advance(0b1000, {path(10, 0b1000)});
  warp_.turn(0b1000, kPollingTurns - 1);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0110u));
}

TEST_F(SpinningThreads, sides_within_the_loop_take_the_turns_along) {
  warp_.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  for (unsigned turn = 1; turn < kPollingTurns; ++turn) {
    warp_.advance(0b0111, {path(12, 0b0011), path(14, 0b0100)}, 14);
    warp_.advance(0b0011, {path(14, 0b0011)});
    warp_.advance(0b0111, {path(10, 0b0111)});
  }
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
}

TEST_F(ConvergenceBarriers, do_not_hold_threads_up_for_others_that_wait_for_them) {
  warp_.advance(0b1111, {path(10, 0b0011), path(30, 0b1100)}, 30);
  wait_for_others(0b0011);
  EXPECT_THAT(warp_.masks(), IsEmpty());
  EXPECT_TRUE(warp_.domain().unblock(0).changed.any());
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1100u));
  EXPECT_EQ(warp_.pc(0b1100), 30u);
}

// Both sides come to 20: they go on as one, and are still awaited at 40.
TEST_F(ConvergenceBarriers, keep_splits_that_meet_in_what_all_of_them_take_part_in) {
  warp_.advance(0b1111, {path(5, 0b0111), path(40, 0b1000)}, 40);
  warp_.advance(0b0111, {path(20, 0b0001), path(10, 0b0110)}, 30);
  const SplitId one = warp_.id(0b0001);
  wait_for_others(0b0001);
  warp_.advance(0b0110, {path(20, 0b0110)});
  meet({one, warp_.id(0b0110)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0111u));
  EXPECT_EQ(warp_.reconvergence(0b0111), 30u) << "the barrier of both";
}

// Lane 2 takes part in a barrier at 15 of its own, with lane 1, which is blocked there, and goes on alone.
TEST_F(ConvergenceBarriers, lose_threads_that_meet_others_from_outside) {
  warp_.advance(0b1111, {path(20, 0b0001), path(10, 0b1110)}, 40);
  const SplitId one = warp_.id(0b0001);
  wait_for_others(0b0001);
  warp_.advance(0b1110, {path(15, 0b1010), path(20, 0b0100)}, 15);
  meet({one, warp_.id(0b0100)});
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1010u));
  EXPECT_THAT(warp_.domain().describe(0), HasSubstr("20    40  0101  queued\n"));
}

// Lanes 2 and 3 leave a barrier at 40 and lane 3 one within it, to meet lane 0: lane 1, blocked at 40, goes on once.
TEST(NestedBarriers, let_those_go_on_once_whom_threads_of_several_of_them_leave) {
  OneWarp warp("convergence-barrier", 0b11111);
  const auto wait_at_20 = [&](std::uint32_t lanes) {
    const SplitId id = warp.id(lanes);
    warp.domain().wait_for_others(id);
    return id;
  };
  warp.advance(0b11111, {path(20, 0b00001), path(10, 0b11110)}, 60);
  SlotSet meeting = SlotSet::single(wait_at_20(0b00001));
  warp.advance(0b11110, {path(20, 0b00100), path(40, 0b00010), path(12, 0b11000)}, 40);
  meeting.insert(wait_at_20(0b00100));
  warp.advance(0b11000, {path(20, 0b01000), path(30, 0b10000)}, 35);
  meeting.insert(wait_at_20(0b01000));
  warp.advance(0b10000, {});
  warp.domain().meet(0, meeting);
  EXPECT_EQ(warp.domain().describe(0),
            "ST       pc   rpc  lanes\n"
            "         20    60  01101  queued\n"
            "         40    60  00010\n"
            "CB       pc   rpc  lanes  pending\n"
            "         60     -  01111  01111\n");
}

}  // namespace convergence_barrier_test
}  // namespace warpfork

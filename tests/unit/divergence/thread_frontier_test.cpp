#include "divergence/thread_frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/polling.h"
#include "one_warp.h"
#include "polling_warp.h"

namespace warpfork {
namespace thread_frontier_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// By hand: blocks as they stand in the text, as there is no kernel.
TEST(ThreadFrontier, runs_what_is_furthest_behind_until_it_comes_to_the_others) {
  OneWarp warp("thread-frontier");
  warp.advance(0b1111, {path(20, 0b0011), path(10, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.advance(0b1100, {path(20, 0b1100)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1111u));
  EXPECT_EQ(warp.pc(0b1111), 20u);
}

TEST(ThreadFrontier, keeps_the_identity_of_a_split_that_takes_others_along) {
  OneWarp warp("thread-frontier");
  warp.advance(0b1111, {path(20, 0b0011), path(10, 0b1100)}, 30);
  const SplitId behind = warp.id(0b1100);
  EXPECT_TRUE(warp.advance(0b1100, {path(20, 0b1100)}, kNoPc).any());
  EXPECT_EQ(warp.id(0b1111), behind);
}

// Three paths: the last one waits for both, though the first meets the second before.
TEST(ThreadFrontier, lets_paths_meet_before_the_postdominator) {
  OneWarp warp("thread-frontier");
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0110), path(30, 0b1000)}, 40);
  warp.advance(0b0001, {path(20, 0b0001)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0111u));
  warp.advance(0b0111, {path(30, 0b0111)}, kNoPc);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1111u));
}

// A loop from 10 by way of 15 or 20, of which 20 leaves to 30 or goes back: 10 is a postdominator of 15, and 30 of all.
TEST(ThreadFrontier, has_threads_wait_where_others_must_come) {
  std::vector<FrontierPlace> order(40);
  for (Pc pc = 0; pc < 40; ++pc) order[pc] = {pc, 1, 2};
  order[30] = {30, 1, 20}, order[20] = {20, 2, 19}, order[10] = {10, 3, 18}, order[15] = {15, 4, 5};
  OneWarp warp("thread-frontier");
  warp.domain().begin_kernel(order);
  const ActiveMask lanes(0b1111);
  warp.domain().launch(10, {&lanes, 1});
  warp.advance(0b1111, {path(15, 0b0011), path(20, 0b1100)}, 20);
  warp.advance(0b0011, {path(10, 0b0001), path(15, 0b0010)}, 10);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0010u)) << "at 15: those at 10 and 20 wait, though 10 comes before";
  warp.advance(0b0010, {path(10, 0b0010)}, 10);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  warp.advance(0b0011, {path(20, 0b0011)}, 20);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1111u));
}

TEST(ThreadFrontier, lets_others_run_while_one_waits_at_a_barrier_and_does_not_join_it) {
  OneWarp warp("thread-frontier");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId waiting = warp.id(0b0011);
  warp.wait(waiting);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.advance(0b1100, {path(10, 0b1100)}, kNoPc);  // to the block of which the barrier is the beginning
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.wait(warp.id(0b1100));
  EXPECT_THAT(warp.masks(), IsEmpty());
  warp.release(waiting);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
}

/// Of one block one lane holds the lock, and the others ask for it.
class AtALock : public ::testing::Test {
 protected:
  PollingWarp warp_{"thread-frontier"};
};

TEST_F(AtALock, who_asks_makes_way_for_others_after_so_many_turns) {
  warp_.advance(0b1111, {path(9, 0b0111), path(20, 0b1000)}, kNoPc);
  warp_.turn(0b0111, kPollingTurns);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
  warp_.advance(0b1000, {}, kNoPc);
  EXPECT_THAT(warp_.masks(), ElementsAre(0b0111u));
}

TEST_F(AtALock, turns_before_all_have_met_do_not_count) {
  for (const unsigned turns : {kPollingTurns - 1, kPollingTurns}) {
    warp_.advance(0b1111, {path(9, 0b0111), path(20, 0b1000)}, kNoPc);
    warp_.turn(0b0111, turns);
    if (turns != kPollingTurns) warp_.advance(0b0111, {path(20, 0b0111)}, kNoPc);
  }
}

TEST_F(AtALock, turns_of_the_block_before_do_not_count) {
  warp_.advance(0b1111, {path(9, 0b0111), path(20, 0b1000)}, kNoPc);
  warp_.turn(0b0111, kPollingTurns - 1);
  warp_.wait(warp_.id(0b0111));
  warp_.launch();
  warp_.advance(0b1111, {path(9, 0b0111), path(20, 0b1000)}, kNoPc);
  warp_.turn(0b0111, kPollingTurns);
}

TEST_F(AtALock, sides_within_the_loop_take_the_turns_along) {
  warp_.advance(0b1111, {path(9, 0b0111), path(20, 0b1000)}, kNoPc);
  for (unsigned turn = 0; turn < kPollingTurns; ++turn) {
    warp_.advance(0b0111, {path(10, 0b0111)}, kNoPc);
    if (turn + 1 == kPollingTurns) break;
    warp_.advance(0b0111, {path(12, 0b0011), path(14, 0b0100)}, kNoPc);
    warp_.advance(0b0011, {path(14, 0b0011)}, kNoPc);
  }
  EXPECT_THAT(warp_.masks(), ElementsAre(0b1000u));
}

// However long one lane's loop is, the others wait where they meet.
TEST(ThreadFrontier, makes_way_in_polling_loops_alone) {
  OneWarp warp("thread-frontier");
  warp.advance(0b1111, {path(10, 0b0111), path(20, 0b1000)}, 20);
  for (unsigned turn = 0; turn < 3 * kPollingTurns; ++turn) {
    EXPECT_THAT(warp.masks(), ElementsAre(0b0111u)) << turn;
    warp.advance(0b0111, {path(10, 0b0111)}, 20);
  }
}

}  // namespace thread_frontier_test
}  // namespace warpfork

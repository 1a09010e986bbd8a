// Expected values: by hand.
#include "divergence/live_threads.h"

#include <gtest/gtest.h>

#include <array>

namespace warpfork {
namespace live_threads_test {

/// Lanes 0 and 1 of warp 0 and lanes 2 and 3 of warp 1, as one warp.
CompactedWarp regrouped() {
  CompactedWarp warp = CompactedWarp::of(0, ActiveMask(0b0011));
  warp.take(CompactedWarp::of(1, ActiveMask(0b1100)), ActiveMask(0b1100));
  return warp;
}

TEST(LiveThreads, threads_of_a_regrouped_warp_exit_in_their_home_warps) {
  LiveThreads live;
  live.launch(std::array{ActiveMask(0b1111), ActiveMask(0b1111)});
  live.exit(regrouped(), ActiveMask(0b0110));
  EXPECT_EQ(live.of(0), ActiveMask(0b1101));
  EXPECT_EQ(live.of(1), ActiveMask(0b1011));
}

TEST(LiveThreads, a_warp_that_has_not_run_for_a_while_lacks_those_that_have_exited) {
  LiveThreads live;
  live.launch(std::array{ActiveMask(0b1111), ActiveMask(0b1111)});
  live.exit(CompactedWarp::of(1, ActiveMask(0b0111)), ActiveMask(0b0111));
  EXPECT_EQ(live.of(regrouped()), ActiveMask(0b1011));
}

TEST(LiveThreads, none_are_left_when_the_last_thread_exits) {
  LiveThreads live;
  live.launch(std::array{ActiveMask(0b0011), ActiveMask()});
  live.exit(CompactedWarp::of(0, ActiveMask(0b0001)), ActiveMask(0b0001));
  EXPECT_FALSE(live.none());
  live.exit(CompactedWarp::of(0, ActiveMask(0b0010)), ActiveMask(0b0010));
  EXPECT_TRUE(live.none());
}

TEST(LiveThreads, of_the_next_block_all_are_live_again) {
  LiveThreads live;
  live.launch(std::array{ActiveMask(0b0011)});
  live.exit(CompactedWarp::of(0, ActiveMask(0b0011)), ActiveMask(0b0011));
  live.launch(std::array{ActiveMask(0b0101)});
  EXPECT_EQ(live.of(0), ActiveMask(0b0101));
  EXPECT_EQ(live.launched(), ActiveMask(0b0101));
  EXPECT_FALSE(live.none());
}

}  // namespace live_threads_test
}  // namespace warpfork

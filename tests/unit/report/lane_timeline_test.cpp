#include "report/lane_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::report {
namespace lane_timeline_test {

using ::testing::ElementsAre;

TEST(LaneTimeline, counts_the_threads_of_each_lane_by_window_of_64_cycles) {
  LaneTimeline timeline;
  timeline.add(0, 1, 63);
  timeline.add(0, 2, 64);
  timeline.add(2, 4, 130);
  EXPECT_THAT(timeline.threads(0), ElementsAre(1, 2));
  EXPECT_THAT(timeline.threads(1), ElementsAre());
  EXPECT_THAT(timeline.threads(2), ElementsAre(0, 0, 4));
}

// 128 windows of 64 cycles end at cycle 8192.
TEST(LaneTimeline, makes_windows_twice_as_long_when_a_launch_outgrows_them) {
  LaneTimeline timeline;
  for (const Cycle now : {0, 64, 128, 8191}) timeline.add(0, 1, now);
  EXPECT_EQ(timeline.window(), 64u);
  timeline.add(0, 8, 8192);
  EXPECT_EQ(timeline.window(), 128u);
  EXPECT_EQ(timeline.threads(0).size(), 65u);
  EXPECT_EQ(timeline.threads(0)[0], 2u);
  EXPECT_EQ(timeline.threads(0)[1], 1u);
  EXPECT_EQ(timeline.threads(0)[63], 1u);
  EXPECT_EQ(timeline.threads(0)[64], 8u);
}

TEST(LaneTimeline, gives_instructions_a_cycle_for_as_many_windows_in_every_lane) {
  LaneTimeline timeline;
  timeline.add(0, 32, 0);
  timeline.add(1, 16, 64);
  EXPECT_THAT(timeline.ipc(), ElementsAre(ElementsAre(0.5, 0.0), ElementsAre(0.0, 0.25)));
}

}  // namespace lane_timeline_test
}  // namespace warpfork::report

#include "gpu/lane_entries.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace lane_entries_test {

/// Of lane 1: four groups that will enter in cycles 100 to 103, with 1, 2, 3 and 4 threads.
class LaneEntriesTest : public ::testing::Test {
 protected:
  LaneEntriesTest() {
    entries_.count_in(&timeline_);
    stream_.enters = 100;
    entries_.will_enter(stream_, [](unsigned group) { return (std::uint64_t{2} << group) - 1; });
  }

  /// Before this cycle.
  unsigned counted(Cycle now) {
    entries_.settle(now);
    return timeline_.empty() ? 0 : timeline_.threads(1).back();
  }

  report::LaneTimeline timeline_;
  LaneEntries entries_{1};
  GroupStream stream_{{}, 4, 97, 0};
};

TEST_F(LaneEntriesTest, threads_of_streams_count_once_they_have_entered) {
  EXPECT_EQ(counted(100), 0u);
  EXPECT_EQ(counted(102), 1u + 2);
  EXPECT_EQ(counted(102), 1u + 2);
  EXPECT_EQ(counted(200), 1u + 2 + 3 + 4);
}

TEST_F(LaneEntriesTest, groups_that_are_taken_back_do_not_count) {
  entries_.take_back(stream_, 3);
  EXPECT_EQ(counted(200), 1u + 2 + 3);
}

TEST_F(LaneEntriesTest, what_comes_later_is_of_the_next_kernel) {
  entries_.count_in(nullptr);
  entries_.entered(1, 100);
  EXPECT_EQ(counted(200), 0u);
}

}  // namespace lane_entries_test
}  // namespace warpfork::gpu

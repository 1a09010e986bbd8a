#include "gpu/issue_tally.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace issue_tally_test {

constexpr ActiveMask kAll(0b1111), kHalf(0b0011);

class IssueTallyTest : public ::testing::Test, protected report::LaunchListener {
 protected:
  IssueTallyTest() { tally_.begin_kernel(*this); }
  void issue(unsigned warp, ActiveMask active) { ++tally_.run(warp, active, kAll).instructions; }
  void ran(const report::IssueRun& run) override { runs_.push_back(run); }

  IssueTally tally_{3, 2};
  std::vector<report::IssueRun> runs_;
};

TEST_F(IssueTallyTest, a_run_ends_when_the_lanes_change) {
  issue(1, kAll);
  issue(1, kAll);
  EXPECT_TRUE(runs_.empty());
  issue(1, kHalf);
  ASSERT_EQ(runs_.size(), 1u);
  EXPECT_EQ(runs_[0].core, 3u);
  EXPECT_EQ(runs_[0].warp, 1u);
  EXPECT_EQ(runs_[0].active, kAll);
  EXPECT_EQ(runs_[0].instructions, 2u);
}

TEST_F(IssueTallyTest, warps_have_runs_of_their_own) {
  issue(0, kAll);
  issue(1, kHalf);
  issue(0, kAll);
  EXPECT_TRUE(runs_.empty());
  tally_.tell_all();
  ASSERT_EQ(runs_.size(), 2u);
  EXPECT_EQ(runs_[0].instructions, 2u);
  EXPECT_EQ(runs_[1].active, kHalf);
}

TEST_F(IssueTallyTest, what_has_been_told_is_not_told_again) {
  issue(0, kAll);
  tally_.tell(0);
  tally_.tell(0);
  EXPECT_EQ(runs_.size(), 1u);
  issue(0, kAll);
  tally_.tell(0);
  EXPECT_EQ(runs_.back().instructions, 1u);
}

}  // namespace issue_tally_test
}  // namespace warpfork::gpu

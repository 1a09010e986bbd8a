#include "report/branch_partings.h"

#include <gtest/gtest.h>

#include <array>

namespace warpfork::report {
namespace branch_partings_test {

constexpr ActiveMask kAll(0b1111);

class BranchPartingsTest : public ::testing::Test {
 protected:
  void issue(unsigned active, unsigned times = 1) { warp_.issued(ActiveMask(active), kAll, times, lost_); }
  std::uint64_t lost(Pc branch) const { return lost_[branch]; }
  BranchPartings warp_;
  std::array<std::uint64_t, 4> lost_{};
};

TEST_F(BranchPartingsTest, every_issue_of_the_same_lanes_is_charged) {
  issue(0b1111);
  warp_.part(1);
  issue(0b0001, 3);
  EXPECT_EQ(lost(1), 9u);
  issue(0b0001, 2);
  EXPECT_EQ(lost(1), 15u);
}

TEST_F(BranchPartingsTest, issues_before_an_inner_branch_are_charged_to_the_outer) {
  issue(0b1111);
  warp_.part(1);
  issue(0b0011, 2);
  warp_.part(2);
  issue(0b0001, 3);
  EXPECT_EQ(lost(1), 2u * 2 + 3 * 2);
  EXPECT_EQ(lost(2), 3u * 1);
}

TEST_F(BranchPartingsTest, lanes_that_have_met_are_charged_no_more) {
  issue(0b1111);
  warp_.part(1);
  issue(0b0001, 2);
  issue(0b1111, 2);
  issue(0b0001, 2);
  EXPECT_EQ(lost(1), 2u * 3);
}

TEST_F(BranchPartingsTest, another_warp_takes_over_no_branch_of_the_one_before) {
  issue(0b1111);
  warp_.part(1);
  issue(0b0001);
  warp_.restart();
  issue(0b0001);
  EXPECT_EQ(lost(1), 3u);
}

}  // namespace branch_partings_test
}  // namespace warpfork::report

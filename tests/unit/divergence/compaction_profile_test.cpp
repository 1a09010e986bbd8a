#include "divergence/compaction_profile.h"

#include <gtest/gtest.h>

namespace warpfork {
namespace compaction_profile_test {

ProfiledDivergence entry(Pc branch, WarpId home, std::uint32_t executions, std::uint32_t lanes) {
  ProfiledDivergence result;
  result.branch = branch;
  result.executions = executions;
  result.lanes = ActiveMask(lanes);
  result.home = static_cast<std::uint8_t>(home);
  return result;
}

TEST(CompactionProfile, finds_threads_by_block_branch_home_warp_and_executions) {
  CompactionProfile record(2);
  record.of_block(1) = {entry(8, 0, 1, 0b11), entry(5, 3, 2, 0b1100), entry(5, 3, 1, 0b1111), entry(5, 3, 2, 0b0011)};
  record.complete();
  ASSERT_EQ(record.find(1, 5, 3, 2).size(), 2u);
  EXPECT_EQ(record.find(1, 5, 3, 2)[0].lanes, ActiveMask(0b1100));
  EXPECT_EQ(record.find(1, 5, 3, 2)[1].lanes, ActiveMask(0b0011));
  EXPECT_EQ(record.find(1, 5, 3, 1).size(), 1u);
  EXPECT_TRUE(record.find(1, 5, 2, 2).empty());
  EXPECT_TRUE(record.find(1, 8, 0, 2).empty());
  EXPECT_TRUE(record.find(0, 5, 3, 2).empty());
}

TEST(CompactionProfile, mistakes_are_waits_in_vain_and_missed_chances) {
  CompactionProfile record(2);
  ProfiledDivergence waited_rightly = entry(5, 0, 1, 1), waited_in_vain = waited_rightly, missed = waited_rightly;
  waited_rightly.waited = waited_rightly.paid = true;
  waited_in_vain.waited = waited_in_vain.in_vain = true;
  missed.paid = true;
  const ProfiledDivergence passed_rightly = entry(5, 0, 1, 1);
  record.of_block(0) = {waited_rightly, passed_rightly, waited_in_vain};
  record.of_block(1) = {missed, waited_rightly};
  EXPECT_EQ(record.mistakes(), 2u);
}

// The others waited elsewhere, so that it waited in vain though it might have paid.
TEST(CompactionProfile, who_gives_up_does_not_wait_again_and_misses_nothing) {
  CompactionProfile record(1);
  ProfiledDivergence waited = entry(5, 0, 1, 1);
  waited.waited = waited.in_vain = waited.paid = true;
  record.of_block(0) = {waited};
  EXPECT_TRUE(record.of_block(0)[0].should_wait());
  record.give_up();
  EXPECT_FALSE(record.of_block(0)[0].should_wait());
  record.of_block(0)[0].waited = record.of_block(0)[0].in_vain = false;
  EXPECT_EQ(record.mistakes(), 0u);
}

}  // namespace compaction_profile_test
}  // namespace warpfork

// Who waits where at branches. Expected values: by hand from the contract in the header.
#include "divergence/compaction_barriers.h"

#include <gtest/gtest.h>

namespace warpfork {
namespace compaction_barriers_test {

constexpr SideId kRoot = BranchSides::kRoot;

/// Three warps on one side.
class WarpsAtBranches : public ::testing::Test {
 protected:
  WarpsAtBranches() {
    for (const WarpId place : {0, 1, 2}) sides_.enter(kRoot, place);
  }

  BranchSides sides_;
  CompactionBarriers barriers_{sides_};
};

TEST_F(WarpsAtBranches, a_barrier_opens_when_nobody_can_come_any_more) {
  barriers_.wait(kRoot, 5, 30, 0, 0);
  barriers_.wait(kRoot, 5, 30, 2, 0);
  EXPECT_FALSE(barriers_.open(WarpSet::single(1)));
  const std::optional<CompactionBarrier> opened = barriers_.open(WarpSet());
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->waiting, WarpSet(0b101));
  EXPECT_EQ(opened->reconvergence, 30u);
  EXPECT_TRUE(barriers_.empty());
}

TEST_F(WarpsAtBranches, a_warp_that_has_been_there_in_this_turn_is_not_waited_for) {
  sides_.visit(kRoot, 5, 1, 1);
  barriers_.wait(kRoot, 5, 30, 0, 2);
  EXPECT_FALSE(barriers_.open(WarpSet::single(1)));  // it is a turn behind
  sides_.visit(kRoot, 5, 2, 1);
  EXPECT_TRUE(barriers_.open(WarpSet::single(1)));
}

TEST_F(WarpsAtBranches, a_warp_of_another_side_is_not_waited_for) {
  const SideId side = sides_.beyond(kRoot, 0, 10, 30);
  sides_.move(kRoot, side, 0);
  barriers_.wait(side, 12, 20, 0, 0);
  EXPECT_TRUE(barriers_.open(WarpSet(0b110)));
}

TEST_F(WarpsAtBranches, the_oldest_of_several_opens_first) {
  barriers_.wait(kRoot, 9, 30, 1, 0);
  barriers_.wait(kRoot, 5, 30, 0, 0);
  EXPECT_EQ(barriers_.open(WarpSet())->branch, 9u);
  EXPECT_EQ(barriers_.open(WarpSet())->branch, 5u);
  EXPECT_FALSE(barriers_.open(WarpSet()));
}

TEST_F(WarpsAtBranches, who_has_waited_has_been_at_the_branch) {
  barriers_.wait(kRoot, 5, 30, 0, 3);
  barriers_.open(WarpSet());
  EXPECT_TRUE(sides_.awaited(kRoot, 5, 3, WarpSet::single(0)).none());
  EXPECT_TRUE(sides_.awaited(kRoot, 5, 4, WarpSet::single(0)).any());
}

TEST_F(WarpsAtBranches, barriers_are_apart_by_side_and_branch) {
  barriers_.wait(kRoot, 5, 30, 0, 0);
  EXPECT_NE(barriers_.at(kRoot, 5), nullptr);
  EXPECT_EQ(barriers_.at(kRoot, 6), nullptr);
  EXPECT_EQ(barriers_.at(kRoot + 1, 5), nullptr);
}

}  // namespace compaction_barriers_test
}  // namespace warpfork

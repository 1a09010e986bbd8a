// Who is counted among those that did not wait. Expected values: by hand from CAPRI Figure 8 and the contract in the
// header. The branch is at 0, its sides at 10 and 20 meet at 30; nobody has gone on from it yet.
#include "divergence/adequacy_monitor.h"

#include <gtest/gtest.h>

#include "block_bench.h"

namespace warpfork {
namespace adequacy_monitor_test {

class MonitoredWarps : public ::testing::Test {
 protected:
  /// Even warps part so that they fill up with odd ones.
  void comes(WarpId place) {
    const std::uint32_t taking = place % 2 == 0 ? 0b0011 : 0b1100;
    block_.comes(place, {path(10, taking), path(20, 0b1111 - taking)});
  }
  void bypasses(WarpId place) {
    comes(place);
    monitor_.comes_again(place);
    monitor_.passes(place);
    block_.sides.visit(BranchSides::kRoot, 0, 0, place);
    monitor_.bypasses(place, 30);
    monitor_.end_complete();
  }

  BlockBench block_{3};
  CompactionBarriers barriers_{block_.sides};
  std::shared_ptr<CompactionPredictor> table_ = std::make_shared<CompactionPredictor>("latest", 0);
  AdequacyPrediction prediction_{table_, nullptr};
  AdequacyMonitor monitor_{block_.sides, block_.warps, barriers_, prediction_, block_.effects};
};

TEST_F(MonitoredWarps, is_done_when_the_last_warp_has_come) {
  table_->update(0, false);
  bypasses(0);
  bypasses(1);
  EXPECT_FALSE(monitor_.idle());
  block_.warps.stop(2);  // at a barrier of the program
  monitor_.end_complete();
  EXPECT_TRUE(monitor_.idle());
  ASSERT_EQ(block_.effects.compactions.size(), 1u);
  EXPECT_EQ(block_.effects.compactions[0].bypassed, 2u);
  EXPECT_TRUE(block_.effects.compactions[0].paid());  // 4 -> 2
  EXPECT_TRUE(table_->adequate(0));
}

TEST_F(MonitoredWarps, ends_with_those_that_have_come_when_one_comes_again) {
  bypasses(0);
  bypasses(0);
  ASSERT_EQ(block_.effects.compactions.size(), 1u);
  EXPECT_EQ(block_.effects.compactions[0].before, 2u);
  EXPECT_FALSE(monitor_.idle());  // counts the second time
}

TEST_F(MonitoredWarps, a_warp_that_waits_counts_but_has_not_bypassed) {
  bypasses(0);
  comes(1);
  monitor_.waits(1);
  block_.warps.vacate(WarpSet(0b110));
  monitor_.end_complete();
  ASSERT_EQ(block_.effects.compactions.size(), 1u);
  EXPECT_EQ(block_.effects.compactions[0].before, 4u);
  EXPECT_EQ(block_.effects.compactions[0].bypassed, 1u);
}

TEST_F(MonitoredWarps, does_not_end_before_those_who_wait_at_the_branch_go_on) {
  comes(1);
  barriers_.wait(BranchSides::kRoot, 0, 30, 1, 0);
  block_.warps.stop(1);
  block_.warps.stop(2);
  bypasses(0);
  EXPECT_FALSE(monitor_.idle());
  barriers_.open(WarpSet());
  monitor_.end_complete();
  ASSERT_EQ(block_.effects.compactions.size(), 1u);
  EXPECT_EQ(block_.effects.compactions[0].before, 4u);
}

TEST_F(MonitoredWarps, counts_nobody_where_nobody_has_bypassed) {
  comes(0);
  monitor_.waits(0);
  monitor_.passes(1);
  EXPECT_TRUE(monitor_.idle());
}

}  // namespace adequacy_monitor_test
}  // namespace warpfork

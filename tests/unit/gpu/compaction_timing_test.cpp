#include "gpu/compaction_timing.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace compaction_timing_test {

class Compactions final : public report::LaunchListener {
 public:
  void compacted(const report::CompactionEvent& event) override { events.push_back(event); }
  std::vector<report::CompactionEvent> events;
};

struct Unit {
  CompactionTiming of;
  Compactions heard;

  explicit Unit(unsigned cycles) : of(8, cycles) { of.begin_kernel(3, heard); }
};

TEST(CompactionTiming, forms_one_warp_after_the_other) {
  Unit unit(3);
  unit.of.take(4, {}, WarpSet(0b11), 10);  // slots 4 and 5: in cycles 11 to 13 and 14 to 16
  EXPECT_EQ(unit.of.next_event(), 14u);
  EXPECT_TRUE(unit.of.take_formed(13).none());
  EXPECT_EQ(unit.of.take_formed(14), WarpSlots::single(4));
  EXPECT_FALSE(unit.of.forms(4));
  EXPECT_TRUE(unit.of.forms(5));
  EXPECT_EQ(unit.of.next_event(), 17u);
  EXPECT_EQ(unit.of.take_formed(17), WarpSlots::single(5));
  EXPECT_TRUE(unit.of.idle());
}

TEST(CompactionTiming, begins_with_the_next_warp_when_it_is_free) {
  Unit unit(3);
  unit.of.take(0, {}, WarpSet(0b1), 10);
  unit.of.take(0, {}, WarpSet(0b10), 11);  // behind the first, which takes until cycle 13
  EXPECT_EQ(unit.of.take_formed(16), WarpSlots::single(0));
  EXPECT_EQ(unit.of.take_formed(17), WarpSlots::single(1));
}

TEST(CompactionTiming, of_no_cycles_holds_nobody_back) {
  Unit unit(0);
  unit.of.take(0, {}, WarpSet(0b1), 10);
  EXPECT_TRUE(unit.of.idle());
  EXPECT_EQ(unit.of.next_event(), kNever);
}

TEST(CompactionTiming, says_how_long_warps_have_waited_at_a_branch) {
  Unit unit(1);
  unit.of.issued(2, 5);
  unit.of.issued(3, 9);
  Compaction met;
  met.branch = 7;
  met.waited = WarpSet(0b11);
  unit.of.take(2, std::span(&met, 1), {}, 9);  // the second one's branch opens the barrier
  ASSERT_EQ(unit.heard.events.size(), 1u);
  EXPECT_EQ(unit.heard.events[0].waited, 2u);
  EXPECT_EQ(unit.heard.events[0].waited_cycles, 4u);
}

}  // namespace compaction_timing_test
}  // namespace warpfork::gpu

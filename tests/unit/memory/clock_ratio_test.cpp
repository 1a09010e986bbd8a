#include "memory/clock_ratio.h"

#include <gtest/gtest.h>

namespace warpfork::memory {
namespace clock_ratio_test {

// 924 / 700 = 33 / 25: 33 ticks in 25 core cycles; tick 1 happens at time 25/33, tick 4 at 100/33 = 3.03.
TEST(ClockRatio, places_ticks_of_a_faster_clock_in_the_cycle_that_follows_them) {
  const ClockRatio dram(924, 700);
  EXPECT_EQ(dram.cycle_of(0), 0u);
  EXPECT_EQ(dram.cycle_of(1), 1u);
  EXPECT_EQ(dram.cycle_of(3), 3u);
  EXPECT_EQ(dram.cycle_of(4), 4u);
  EXPECT_EQ(dram.cycle_of(33), 25u);
  EXPECT_EQ(dram.tick_at(24), 31u);
  EXPECT_EQ(dram.tick_at(25), 33u);
}

TEST(ClockRatio, ticks_a_slower_clock_every_other_cycle) {
  const ClockRatio interconnect(650, 1300);
  EXPECT_EQ(interconnect.tick_at(5), 2u);
  EXPECT_EQ(interconnect.tick_at(6), 3u);
  EXPECT_EQ(interconnect.cycle_of(3), 6u);
}

TEST(ClockRatio, cycle_of_a_tick_is_the_first_that_has_seen_it) {
  const ClockRatio dram(800, 1300);
  for (Tick tick = 1; tick < 100; ++tick) {
    EXPECT_GE(dram.tick_at(dram.cycle_of(tick)), tick);
    EXPECT_LT(dram.tick_at(dram.cycle_of(tick) - 1), tick);
  }
}

}  // namespace clock_ratio_test
}  // namespace warpfork::memory

#include "memory/wake_wheel.h"

#include <gtest/gtest.h>

namespace warpfork::memory {
namespace wake_wheel_test {

TEST(WakeWheel, wakes_in_the_asked_cycle_and_not_before) {
  WakeWheel wheel;
  wheel.wake(3, 10);
  wheel.wake(5, 10);
  EXPECT_EQ(wheel.next(), 10u);
  EXPECT_EQ(wheel.advance(9), 0u);
  EXPECT_EQ(wheel.advance(10), 0b101000u);
  EXPECT_EQ(wheel.next(), kNever);
}

TEST(WakeWheel, wakes_at_its_horizon_for_a_time_beyond_it) {
  WakeWheel wheel;
  wheel.advance(100);
  wheel.wake(0, 1000);
  EXPECT_EQ(wheel.next(), 163u);
}

TEST(WakeWheel, returns_everybody_when_cycles_were_skipped) {
  WakeWheel wheel;
  wheel.wake(0, 5);
  wheel.wake(1, 60);
  EXPECT_EQ(wheel.advance(200), 0b11u);
  wheel.wake(2, 199);  // has come already: the next cycle
  EXPECT_EQ(wheel.next(), 201u);
}

}  // namespace wake_wheel_test
}  // namespace warpfork::memory

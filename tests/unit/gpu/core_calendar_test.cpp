#include "gpu/core_calendar.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace core_calendar_test {

TEST(CoreCalendar, knows_who_is_due_and_when_the_next_is) {
  CoreCalendar calendar(60);
  EXPECT_EQ(calendar.next(), kNever);
  calendar.wake(59, 7);
  calendar.wake(2, 9);
  EXPECT_EQ(calendar.next(), 7u);
  EXPECT_EQ(calendar.due(6), 0u);
  EXPECT_EQ(calendar.due(7), std::uint64_t{1} << 59);
  calendar.wake(59, kNever);
  EXPECT_EQ(calendar.next(), 9u);
}

TEST(CoreCalendar, forgets_what_was_said_before) {
  CoreCalendar calendar(2);
  calendar.wake(0, 5);
  calendar.wake(0, 20);  // later
  calendar.wake(1, 30);
  calendar.wake(1, 8);  // earlier
  EXPECT_EQ(calendar.next(), 8u);
  EXPECT_EQ(calendar.due(5), 0u);
  EXPECT_EQ(calendar.due(8), 0b10u);
  calendar.wake(1, kNever);
  EXPECT_EQ(calendar.next(), 20u);
  EXPECT_EQ(calendar.due(20), 0b1u);
}

TEST(CoreCalendar, forgets_that_a_core_was_due_in_the_next_cycle) {
  CoreCalendar calendar(3);
  calendar.due(9);
  for (const unsigned core : {0u, 1u, 2u}) calendar.wake(core, 10);
  calendar.wake(0, 12);
  calendar.wake(1, kNever);
  EXPECT_EQ(calendar.next(), 10u);
  EXPECT_EQ(calendar.due(10), 0b100u);
  calendar.wake(2, kNever);
  EXPECT_EQ(calendar.next(), 12u);
  EXPECT_EQ(calendar.due(11), 0u);
  EXPECT_EQ(calendar.due(12), 0b1u);
}

/// The wheel has 63 cycles.
TEST(CoreCalendar, looks_as_far_ahead_as_need_be) {
  CoreCalendar calendar(2);
  calendar.wake(0, 1000);
  calendar.wake(1, 64);
  EXPECT_EQ(calendar.next(), 64u);
  EXPECT_EQ(calendar.due(64), 0b10u);
  calendar.wake(1, kNever);
  EXPECT_EQ(calendar.next(), 1000u);
  EXPECT_EQ(calendar.due(999), 0u);
  EXPECT_EQ(calendar.due(1000), 0b1u);
}

TEST(CoreCalendar, may_be_asked_for_the_present_cycle_until_it_has_come) {
  CoreCalendar calendar(1);
  calendar.due(9);
  calendar.wake(0, 10);
  EXPECT_EQ(calendar.due(10), 0b1u);
}

}  // namespace core_calendar_test
}  // namespace warpfork::gpu

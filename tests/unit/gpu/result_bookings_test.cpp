// Ends of pipelines and result buses: gtx480.md, "Execution units".
#include "gpu/result_bookings.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace result_bookings_test {

TEST(ResultBookings, a_cycle_has_as_many_results_as_there_are_buses) {
  ResultBookings of(3, 2);
  EXPECT_TRUE(of.book(0, 10, 14));
  EXPECT_TRUE(of.book(1, 10, 14));
  EXPECT_FALSE(of.book(2, 11, 14));
  EXPECT_TRUE(of.book(2, 11, 15));
}

TEST(ResultBookings, a_pipeline_has_one_end) {
  ResultBookings of(1, 2);
  EXPECT_TRUE(of.book(0, 10, 1000));
  EXPECT_FALSE(of.book(0, 999, 1000));
  EXPECT_TRUE(of.book(0, 999, 1001));
}

TEST(ResultBookings, what_lies_behind_is_free_again_however_long_nobody_booked) {
  constexpr Cycle kTurn = 2048;
  ResultBookings of(2, 1);
  for (Cycle now = 0; now < 5 * kTurn; now += 900) EXPECT_TRUE(of.book(0, now, now + 1000)) << now;
  EXPECT_TRUE(of.book(1, 1000 + 100 * kTurn, 1000 + 100 * kTurn));
  EXPECT_FALSE(of.book(0, 1000 + 100 * kTurn, 1000 + 100 * kTurn));
}

TEST(ResultBookings, a_launch_begins_with_all_free) {
  ResultBookings of(1, 1);
  of.book(0, 5000, 5100);
  of.book(0, 5000, 5001);
  of.end_kernel();
  for (Cycle now = 0; now < 3000; ++now) EXPECT_TRUE(of.book(0, now, now + 1)) << now;
}

}  // namespace result_bookings_test
}  // namespace warpfork::gpu

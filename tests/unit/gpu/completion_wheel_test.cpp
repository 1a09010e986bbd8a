#include "gpu/completion_wheel.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace completion_wheel_test {

class CompletionWheelTest : public ::testing::Test {
 protected:
  InFlightId schedule(Cycle now, Cycle at) {
    const InFlightId id = pool_.take();
    wheel_.schedule(pool_, id, now, at);
    return id;
  }
  InFlightPool pool_;
  CompletionWheel wheel_;
};

TEST_F(CompletionWheelTest, a_completion_comes_in_its_cycle_and_not_before) {
  const InFlightId id = schedule(10, 16);
  EXPECT_EQ(wheel_.take(15), kNoInFlight);
  EXPECT_EQ(wheel_.take(16), id);
  EXPECT_EQ(wheel_.take(16 + CompletionWheel::kSlots), kNoInFlight);
}

TEST_F(CompletionWheelTest, completions_of_one_cycle_are_linked) {
  const InFlightId first = schedule(0, 5), second = schedule(1, 5);
  const InFlightId head = wheel_.take(5), next = pool_[head].next;
  EXPECT_EQ(std::minmax(head, next), std::minmax(first, second));
  EXPECT_EQ(pool_[next].next, kNoInFlight);
}

TEST_F(CompletionWheelTest, next_is_the_first_completion_after_now) {
  EXPECT_EQ(wheel_.next(0), kNever);
  schedule(0, 70);
  schedule(0, 200);
  EXPECT_EQ(wheel_.next(0), 70u);
  EXPECT_EQ(wheel_.next(69), 70u);
  wheel_.take(70);
  EXPECT_EQ(wheel_.next(70), 200u);
  EXPECT_EQ(wheel_.next(199), 200u);
  wheel_.take(200);
  EXPECT_EQ(wheel_.next(200), kNever);
  wheel_.end_kernel();
  schedule(0, 70);
  EXPECT_EQ(wheel_.next(0), 70u);
}

TEST_F(CompletionWheelTest, next_finds_completions_beyond_the_end_of_the_wheel) {
  const Cycle now = 2000, at = now + CompletionWheel::kSlots - 1;  // behind the turn of the wheel at 2048
  const InFlightId id = schedule(now, at);
  EXPECT_EQ(wheel_.next(now), at);
  EXPECT_EQ(wheel_.next(at - 1), at);
  EXPECT_EQ(wheel_.take(at), id);
}

TEST_F(CompletionWheelTest, a_completion_may_be_known_cycles_before_that_from_which_it_is_in_reach) {
  const Cycle present = 1000, known = present + 2, at = known + CompletionWheel::kSlots - 1;
  const InFlightId id = schedule(known, at);
  EXPECT_EQ(wheel_.take(present), kNoInFlight);
  EXPECT_EQ(wheel_.next(present), at);
  EXPECT_EQ(wheel_.take(at), id);
}

TEST_F(CompletionWheelTest, the_present_and_a_whole_turn_ahead_are_out_of_reach) {
  EXPECT_THROW(schedule(10, 10), InvariantError);
  EXPECT_THROW(schedule(10, 10 + CompletionWheel::kSlots), InvariantError);
}

}  // namespace completion_wheel_test
}  // namespace warpfork::gpu

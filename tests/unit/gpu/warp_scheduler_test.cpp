#include "gpu/warp_scheduler.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::gpu {
namespace warp_scheduler_test {

const AgeOrder kAges = [] {  // oldest first: warps 3, 1, 2, 0
  AgeOrder ages;
  for (const unsigned warp : {3, 1, 2, 0}) ages.add(WarpSlots::single(warp));
  return ages;
}();

std::unique_ptr<WarpScheduler> make(std::string_view name, unsigned two_level_active = 2) {
  CoreSpec spec;
  spec.two_level_active = two_level_active;
  return find_warp_scheduler_policy(name).make(spec);
}

TEST(GreedyThenOldest, stays_with_a_warp_while_it_is_ready) {
  const auto scheduler = make("gto");
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0100), kAges), 2u);
  EXPECT_EQ(scheduler->pick(WarpSlots(0b1111), kAges), 2u);
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0110), kAges), 2u);
}

TEST(GreedyThenOldest, goes_to_the_oldest_when_its_warp_stalls) {
  const auto scheduler = make("gto");
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0100), kAges), 2u);
  EXPECT_EQ(scheduler->pick(WarpSlots(0b1011), kAges), 3u);
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0011), kAges), 1u);
}

TEST(LooseRoundRobin, takes_every_ready_warp_in_turn) {
  const auto scheduler = make("lrr");
  std::string order;
  for (unsigned i = 0; i < 6; ++i) order += std::to_string(scheduler->pick(WarpSlots(0b1101), kAges));
  EXPECT_EQ(order, "023023");
}

TEST(LooseRoundRobin, goes_round_after_the_highest_slot) {
  const auto scheduler = make("lrr");
  constexpr unsigned kHighest = WarpSlots::kCapacity - 1;
  const WarpSlots highest = WarpSlots::single(kHighest);
  EXPECT_EQ(scheduler->pick(highest, {}), kHighest);
  EXPECT_EQ(scheduler->pick(highest | WarpSlots::single(0), {}), 0u);
}

TEST(TwoLevel, goes_round_within_the_oldest_ready_warps_only) {
  const auto scheduler = make("two-level");  // active: 3 and 1
  std::string order;
  for (unsigned i = 0; i < 4; ++i) order += std::to_string(scheduler->pick(WarpSlots(0b1111), kAges));
  EXPECT_EQ(order, "1313");
}

TEST(TwoLevel, refills_the_active_set_only_when_all_of_it_is_stalled) {
  const auto scheduler = make("two-level");
  scheduler->pick(WarpSlots(0b1111), kAges);                 // active: 3 and 1
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0111), kAges), 1u);  // 2 and 0 have to wait
  EXPECT_EQ(scheduler->pick(WarpSlots(0b0101), kAges), 2u);  // active: 2 and 0
  EXPECT_EQ(scheduler->pick(WarpSlots(0b1111), kAges), 0u);
}

TEST(WarpSchedulerPolicies, an_unknown_name_is_answered_with_all) {
  try {
    find_warp_scheduler_policy("gtx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "error: there is no warp scheduler 'gtx'\n  did you mean gto? all policies: gto, lrr, two-level");
  }
}

}  // namespace warp_scheduler_test
}  // namespace warpfork::gpu

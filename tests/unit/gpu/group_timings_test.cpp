#include "gpu/group_timings.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace group_timings_test {

/// STSIMT Table III: eight ALUs and two special-function units, which a warp of 32 keeps for 4 and for 16 cycles.
CoreSpec table_iii() {
  CoreSpec spec;
  spec.lanes.alus = 8;
  spec.execution.sp_units = spec.execution.sfu_units = 1;
  spec.execution.IntAdd = {"sp", 10, 4};
  spec.execution.IntMul = {"sp", 20, 8};
  spec.execution.Special = {"sfu", 22, 16};
  return spec;
}

// A warp's four cycles are those of eight ALUs side by side; one of them has 32 threads to take, a cycle each.
TEST(GroupTimings, a_lane_s_unit_takes_a_thread_in_the_share_of_a_warp_s_cycles) {
  const GroupTimings timings(table_iii());
  EXPECT_EQ(timings.of(simt::TimingClass::IntAdd).interval, 1u);
  EXPECT_EQ(timings.of(simt::TimingClass::IntAdd).depth, 10u - 4);
  EXPECT_EQ(timings.of(simt::TimingClass::IntMul).interval, 2u);
}

TEST(GroupTimings, special_function_units_are_not_a_lane_s_own) {
  const GroupTimings timings(table_iii());
  EXPECT_EQ(timings.of(simt::TimingClass::Special).interval, 1u);
  EXPECT_EQ(timings.of(simt::TimingClass::Special).special, 16u);
  EXPECT_EQ(timings.of(simt::TimingClass::IntAdd).special, 0u);
}

TEST(GroupTimings, the_longest_way_to_a_result_is_that_of_the_slowest_class) {
  CoreSpec spec = table_iii();
  spec.execution.IntDiv = {"sp", 500, 100};
  EXPECT_EQ(GroupTimings(spec).longest(), 100 * 8 / 32 + 400u);
}

}  // namespace group_timings_test
}  // namespace warpfork::gpu

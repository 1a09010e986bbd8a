#include "gpu/spatial_lanes.h"

#include <gtest/gtest.h>

#include "lane_bench.h"

namespace warpfork::gpu {
namespace spatial_lanes_test {

Cycle result_of(ActiveMask lanes) {
  LaneBench bench(CoreSpec{});
  const simt::Instruction add{};
  bench.issue(add, 0, lanes, 2, 13);
  bench.step(40);
  return bench.written.at(0);
}

// Taken in, no operand to read, sent on: 3 cycles; 13 in the unit, 2 to the register file.
TEST(SpatialLanes, take_the_same_time_whatever_the_mask) {
  for (const unsigned bits : {0u, 1u, 0xffffu, ~0u}) EXPECT_EQ(result_of(ActiveMask(bits)), 18u);
}

TEST(SpatialLanes, have_as_much_room_between_issue_and_collectors_as_the_machine_says) {
  CoreSpec spec;
  spec.execution.sp_issue_slots = 1;
  LaneBench bench(spec);
  const simt::Instruction add{};
  bench.issue(add, 0, ActiveMask::first(32));
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).none());
  EXPECT_TRUE(bench.lanes().room().of(Port::Memory).any());
  bench.step();
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).any());
}

}  // namespace spatial_lanes_test
}  // namespace warpfork::gpu

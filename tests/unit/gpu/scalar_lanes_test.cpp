#include "gpu/scalar_lanes.h"

#include <gtest/gtest.h>

#include "lane_bench.h"

namespace warpfork::gpu {
namespace scalar_lanes_test {

CoreSpec narrow() {
  CoreSpec spec;
  spec.lanes.organisation = "simt-scalar";
  spec.execution.sp_issue_slots = 1;
  return spec;
}

const simt::Instruction kVector{};
const simt::Instruction kScalar = [] {
  simt::Instruction made;
  made.scalar = true;
  return made;
}();

// A warp enters the lanes' unit for 2 of the 13 cycles, one thread for 1: two cycles to the unit, 12 in it, two to the
// register file.
TEST(ScalarLanes, take_a_scalar_instruction_as_long_as_one_thread_takes) {
  LaneBench bench(narrow());
  bench.issue(kScalar, 0, ActiveMask::first(32), 2, 13);
  bench.step(40);
  EXPECT_EQ(bench.written.at(0), 16u);
  EXPECT_EQ(bench.left, 1u);
}

// As SpatialLanes: 3 cycles to the unit, 13 there, 2 to the register file.
TEST(ScalarLanes, take_a_vector_instruction_as_long_as_lanes_side_by_side) {
  LaneBench bench(narrow());
  bench.issue(kVector, 0, ActiveMask::first(32), 2, 13);
  bench.step(40);
  EXPECT_EQ(bench.written.at(0), 18u);
}

TEST(ScalarLanes, keep_nothing_of_the_vector_units_busy_with_a_scalar_instruction) {
  LaneBench bench(narrow());
  bench.issue(kScalar, 0, ActiveMask::first(32), 2, 13);
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).any());
  bench.issue(kVector, 1, ActiveMask::first(32), 2, 13);
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).none()) << "one place between issue and collectors";
  EXPECT_FALSE(bench.lanes().room().for_all());
  bench.step(40);
  EXPECT_EQ(bench.written.at(1), 18u) << "as without the scalar one";
}

TEST(ScalarLanes, take_a_scalar_instruction_a_cycle) {
  LaneBench bench(narrow());
  for (unsigned warp = 0; warp < 4; ++warp, bench.step()) bench.issue(kScalar, warp, ActiveMask::first(32), 2, 13);
  bench.step(40);
  for (unsigned warp = 0; warp < 4; ++warp) EXPECT_EQ(bench.written.at(warp), 16 + warp);
}

TEST(ScalarLanes, take_a_scalar_load_the_lanes_way_to_memory) {
  const auto written = [](const simt::Instruction& load) {
    LaneBench bench(narrow());
    bench.issue_access(load, 0, simt::MemorySpace::Shared, {64});
    bench.step(100);
    return bench.written.at(0);
  };
  EXPECT_EQ(written(kScalar), written(kVector));
}

TEST(ScalarLanes, sleep_until_the_next_result) {
  LaneBench bench(narrow());
  EXPECT_EQ(bench.lanes().next_event(0), kNever);
  bench.issue(kScalar, 0, ActiveMask::first(32), 2, 13);
  EXPECT_EQ(bench.lanes().next_event(0), 16u);
}

}  // namespace scalar_lanes_test
}  // namespace warpfork::gpu

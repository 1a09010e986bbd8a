// Blocks per core on the GTX 480: min(threads, shared, registers, blocks); gtx480.md, "Core (SM)".
#include "gpu/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace occupancy_test {

using ::testing::ElementsAre;

struct Kernel {
  unsigned registers = 4;
  std::uint32_t static_shared = 0, dynamic_shared = 0;
};

Occupancy of(unsigned threads, const Kernel& kernel, const CoreSpec& core = {}) {
  simt::Program program;
  program.live_registers = kernel.registers;
  program.static_shared_bytes = kernel.static_shared;
  return occupancy(core, program, threads, kernel.dynamic_shared);
}

TEST(Occupancy, small_blocks_are_limited_by_the_number_of_blocks) {
  const Occupancy result = of(32, {});
  EXPECT_EQ(result.blocks_per_core, 8u);
  EXPECT_THAT(result.limited_by, ElementsAre("blocks"));
}

TEST(Occupancy, threads_and_warps_tie_for_whole_warps) {
  const Occupancy result = of(512, {});
  EXPECT_EQ(result.blocks_per_core, 3u);  // 1536 / 512, 48 / 16
  EXPECT_THAT(result.limited_by, ElementsAre("threads", "warps"));
}

TEST(Occupancy, a_partly_filled_warp_takes_a_whole_one) {
  EXPECT_EQ(of(193, {}).blocks_per_core, 6u);  // 7 warps, 224 threads: 1536 / 224 = 6.9
}

TEST(Occupancy, fewer_warp_slots_than_threads_limit_by_warps) {
  CoreSpec core;
  core.warps = 24;
  const Occupancy result = of(256, {}, core);
  EXPECT_EQ(result.blocks_per_core, 3u);
  EXPECT_THAT(result.limited_by, ElementsAre("warps"));
}

TEST(Occupancy, registers_are_rounded_up_to_a_multiple_of_four) {
  const Occupancy twenty = of(256, {.registers = 20}), twenty_one = of(256, {.registers = 21});
  EXPECT_EQ(twenty.blocks_per_core, 6u);      // 32768 / (20 × 256) = 6.4; threads 6: a tie
  EXPECT_EQ(twenty_one.blocks_per_core, 5u);  // 32768 / (24 × 256) = 5.3
  EXPECT_EQ(twenty_one.registers_per_thread, 24u);
  EXPECT_THAT(twenty.limited_by, ElementsAre("threads", "warps", "registers"));
  EXPECT_THAT(twenty_one.limited_by, ElementsAre("registers"));
}

TEST(Occupancy, the_machine_may_set_the_registers_per_thread) {
  CoreSpec core;
  core.registers_per_thread = 63;
  EXPECT_EQ(of(256, {.registers = 4}, core).blocks_per_core, 2u);  // 32768 / (64 × 256)
}

TEST(Occupancy, a_thread_has_no_more_registers_than_the_machine_allows) {
  CoreSpec core;
  core.registers_per_thread_limit = 63;
  EXPECT_EQ(of(64, {.registers = 63}, core).registers_from, "live");
  EXPECT_EQ(of(64, {.registers = 64}, core).registers_from, "limit");
  EXPECT_EQ(of(256, {.registers = 92}, core).blocks_per_core, 2u);  // 32768 / (64 × 256)
  EXPECT_EQ(of(256, {.registers = 92}).blocks_per_core, 1u);        // 32768 / (92 × 256) = 1.4
}

TEST(Occupancy, a_kernel_may_ask_for_fewer_registers_than_are_alive) {
  ptx::Function function;
  simt::Program program;
  program.live_registers = 44;
  program.function = &function;
  EXPECT_EQ(occupancy({}, program, 256, 0).blocks_per_core, 2u);  // 32768 / (44 × 256) = 2.9
  function.max_registers = 21;
  EXPECT_EQ(occupancy({}, program, 256, 0).blocks_per_core, 5u);  // 32768 / (24 × 256) = 5.3
  EXPECT_EQ(occupancy({}, program, 256, 0).registers_from, "limit");
}

TEST(Occupancy, takes_the_number_of_an_allocation_but_for_what_the_machine_sets) {
  simt::Program program;
  program.live_registers = 44;
  program.allocation.emplace().vector_registers = 21;
  EXPECT_EQ(occupancy({}, program, 256, 0).blocks_per_core, 5u);  // 32768 / (24 × 256) = 5.3
  EXPECT_EQ(occupancy({}, program, 256, 0).registers_from, "allocation");
  CoreSpec core;
  core.registers_per_thread = 44;
  EXPECT_EQ(occupancy(core, program, 256, 0).registers_from, "machine");
}

TEST(Occupancy, knows_how_many_blocks_would_fit_if_registers_were_no_limit) {
  EXPECT_EQ(of(256, {.registers = 44}).blocks_per_core, 2u);
  EXPECT_EQ(of(256, {.registers = 44}).blocks_without_registers, 6u);  // 1536 / 256
}

TEST(Occupancy, static_and_dynamic_shared_memory_add_up) {
  EXPECT_EQ(of(64, {.static_shared = 8192}).blocks_per_core, 6u);
  const Occupancy both = of(64, {.static_shared = 8192, .dynamic_shared = 16384});
  EXPECT_EQ(both.blocks_per_core, 2u);
  EXPECT_EQ(both.shared_bytes, 24576u);
  EXPECT_THAT(both.limited_by, ElementsAre("shared"));
}

TEST(Occupancy, a_block_too_big_for_the_core_fits_zero_times) {
  EXPECT_EQ(of(64, {.static_shared = 49152}).blocks_per_core, 1u);
  EXPECT_EQ(of(64, {.static_shared = 49153}).blocks_per_core, 0u);
  EXPECT_EQ(of(1024, {.registers = 32}).blocks_per_core, 1u);
  EXPECT_EQ(of(1024, {.registers = 33}).blocks_per_core, 0u);
}

/// Eight lanes with a slice of 2,048 registers each, as Table I of STSIMT has them.
CoreSpec eight_lanes(const char* organisation) {
  CoreSpec core;
  core.registers = 16384;
  core.lanes.organisation = organisation;
  return core;
}

// STSIMT 5.4: of blocks of 84 threads with many registers each core holds two: three warps each, one in a lane.
TEST(Occupancy, the_warps_of_a_block_go_to_lanes_in_turn_and_no_lane_may_be_overfull) {
  EXPECT_EQ(of(84, {.registers = 36}, eight_lanes("tsimt")).blocks_per_core,
            2u);  // 2048 / (36 × 32) = 1.8 warps a lane
  EXPECT_EQ(of(84, {.registers = 36}, eight_lanes("simt")).blocks_per_core, 4u);  // 16384 / (36 × 96) = 4.7
}

TEST(Occupancy, wider_lanes_have_larger_slices) {
  EXPECT_EQ(of(84, {.registers = 36}, eight_lanes("stsimt2")).blocks_per_core, 4u);  // 3.6 warps a lane: 12 in all
  EXPECT_EQ(of(84, {.registers = 36}, eight_lanes("stsimt4")).blocks_per_core, 4u);  // 7.1 warps a lane: 14 in all
}

TEST(Occupancy, lanes_that_share_all_registers_are_not_filled_one_by_one) {
  EXPECT_EQ(of(84, {.registers = 36}, eight_lanes("unlocked-lanes")).blocks_per_core, 4u);
}

// 36 registers a thread: room for 56 threads a lane. Blocks of 84 threads are two full warps and one of 20 threads. The
// first two take lanes 0 to 4, with both warps of 20 in lane 2, the third lanes 5, 6 and 7; of a fourth only one full
// warp finds room, in lane 7.
TEST(Occupancy, lanes_that_free_registers_by_warp_hold_partly_filled_warps_by_thread) {
  const Occupancy result = of(84, {.registers = 36}, eight_lanes("tsimt-plus"));
  EXPECT_EQ(result.blocks_per_core, 3u);
  EXPECT_EQ(result.block_slots, 8u);
}

/// 16 registers of a thread and 32 of a warp, of which a core has 32768: 16 · 32 + 32 = 544 a warp, 60.2 warps; one of
/// 8 threads' lanes has 4096 and room for 7.
Occupancy with_scalars(CoreSpec core) {
  core.threads = 4096;
  core.warps = 64;
  core.blocks = 64;
  simt::Program program;
  program.live_registers = 40;
  program.scalars.rule = analysis::ScalarRule::Divergent;
  program.scalars.live_vectors = 15;
  program.scalars.live_scalars = 29;
  return occupancy(core, program, 32, 0);
}

TEST(Occupancy, scalar_registers_count_once_a_warp_where_they_lie_in_the_same_file) {
  CoreSpec core;
  core.lanes.organisation = "tsimt";
  const Occupancy result = with_scalars(core);
  EXPECT_EQ(result.registers_per_thread, 16u);
  EXPECT_EQ(result.scalars_per_warp, 32u);
  EXPECT_EQ(result.blocks_per_core, 56u);
  core.lanes.organisation = "tsimt-plus";
  EXPECT_EQ(with_scalars(core).blocks_per_core, 56u);
}

// A compute unit of GCN has 4 × 512 scalar registers: 2048 / 32.
TEST(Occupancy, scalar_registers_of_a_file_of_their_own_are_limited_by_its_size) {
  CoreSpec core;
  core.lanes.organisation = "simt-scalar";
  EXPECT_EQ(with_scalars(core).scalars_per_warp, 32u);
  EXPECT_THAT(with_scalars(core).limited_by, ElementsAre("warps", "blocks", "registers", "scalars"));
  core.scalar_registers = 2047;
  EXPECT_EQ(with_scalars(core).blocks_per_core, 63u);
  EXPECT_EQ(with_scalars(core).blocks_without_registers, 63u);
  EXPECT_THAT(with_scalars(core).limited_by, ElementsAre("scalars"));
  core.scalar_registers = 0;
  EXPECT_EQ(with_scalars(core).blocks_per_core, 64u);  // 32768 / 512
}

TEST(Occupancy, registers_that_the_machine_says_count_whatever_is_scalar) {
  CoreSpec core;
  core.lanes.organisation = "tsimt";
  core.registers_per_thread = 20;
  EXPECT_EQ(with_scalars(core).registers_per_thread, 20u);
  EXPECT_EQ(with_scalars(core).scalars_per_warp, 0u);
}

}  // namespace occupancy_test
}  // namespace warpfork::gpu

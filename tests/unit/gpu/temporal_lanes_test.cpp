#include "gpu/temporal_lanes.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "base/error.h"
#include "lane_bench.h"

namespace warpfork::gpu {
namespace temporal_lanes_test {

using simt::Instruction;

/// Four arithmetic units and warps of 4, as in STSIMT Figure 1b; a unit takes its group in one cycle.
CoreSpec figure_1b(const std::string& organisation) {
  CoreSpec spec;
  spec.warp_size = spec.execution.warp_threads = 4;
  spec.execution.sp_units = 1;
  spec.lanes.organisation = organisation;
  spec.lanes.alus = 4;
  spec.lanes.width = 1;
  return spec;
}

/// Cycles from the first to the last in which a thread enters a unit, when every lane is given the next instruction of
/// its warps as soon as it can take one: warp w and then warp w + 4, with these masks.
struct Span : LaneListener {
  void entered(const InFlight&, unsigned, ActiveMask, Cycle now) override {
    first = std::min(first, now);
    last = std::max(last, now);
  }
  Cycle cycles() const { return last - first + 1; }
  Cycle first = kNever, last = 0;
};

// Figure 1b: eight warp instructions of 16 threads take 8 cycles side by side. Over time lane 1 has the most to do, 4
// threads and then 2; lanes 0 and 3 are through after 3.
TEST(TemporalLanes, take_6_cycles_for_the_eight_warps_of_figure_1b) {
  constexpr unsigned kMasks[8] = {0b0001, 0b1111, 0b0110, 0b1000, 0b1001, 0b0011, 0b0101, 0b1100};
  LaneBench bench(figure_1b("tsimt"));
  Span span;
  bench.lanes().set_listener(&span);
  const Instruction add{};
  for (unsigned warp = 0; warp < 4; ++warp) bench.issue(add, warp, ActiveMask(kMasks[warp]));
  for (std::set<unsigned> waiting = {4, 5, 6, 7}; !waiting.empty(); bench.step())
    for (const unsigned warp : std::set<unsigned>(waiting))
      if (bench.lanes().room().of(Port::Sp).contains(warp)) {
        bench.issue(add, warp, ActiveMask(kMasks[warp]));
        waiting.erase(warp);
      }
  bench.step(20);
  EXPECT_EQ(span.cycles(), 6u);
}

CoreSpec table_iii(const std::string& organisation, unsigned width = 4) {
  CoreSpec spec;
  spec.execution.sp_units = 1;
  spec.lanes.organisation = organisation;
  spec.lanes.width = width;
  return spec;
}

/// Cycles until the lane takes another instruction.
unsigned held(const CoreSpec& spec, std::uint64_t mask) {
  LaneBench bench(spec);
  const Instruction add{};
  bench.issue(add, 0, ActiveMask(mask));
  unsigned cycles = 0;
  for (; !bench.lanes().room().of(Port::Sp).contains(0); ++cycles) bench.step();
  EXPECT_EQ(bench.lanes().held_cycles(0), cycles);
  return cycles;
}

TEST(TemporalLanes, take_a_warp_of_64_thread_by_thread_or_four_by_four) {
  CoreSpec single = table_iii("tsimt"), four = table_iii("stsimt4");
  single.warp_size = four.warp_size = 64;
  for (const auto& [mask, threads, groups] :
       {std::tuple(~0ull, 64u, 16u), {0xff00000000000001ull, 9u, 3u}, {0x100000000ull, 1u, 1u}}) {
    EXPECT_EQ(held(single, mask), threads) << std::hex << mask;
    EXPECT_EQ(held(four, mask), groups) << std::hex << mask;
  }
}

TEST(TemporalLanes, are_held_for_a_cycle_an_active_thread_and_for_one_at_least) {
  for (const auto& [mask, cycles] : {std::pair(0xffffffffu, 32u), {0x80000001u, 2u}, {0x55555555u, 16u}, {0u, 1u}})
    EXPECT_EQ(held(table_iii("tsimt"), mask), cycles) << std::hex << mask;
}

// STSIMT 3.2: 11110000… compacts, 1010… and the unaligned 1000011110000… do not.
TEST(TemporalLanes, of_four_threads_are_held_for_each_aligned_four_with_an_active_one) {
  for (const auto& [mask, cycles] :
       {std::pair(0xffffffffu, 8u), {0x0f0f0f0fu, 4u}, {0x55555555u, 8u}, {0x000001e1u, 3u}, {0x80000001u, 2u}})
    EXPECT_EQ(held(table_iii("stsimt4"), mask), cycles) << std::hex << mask;
}

TEST(TemporalLanes, of_eight_threads_come_from_the_key) {
  EXPECT_EQ(held(table_iii("stsimt", 8), 0xff0000ffu), 2u);
  EXPECT_EQ(held(table_iii("stsimt", 8), 0xffffffffu), 4u);
}

TEST(TemporalLanes, hold_the_warps_of_every_eighth_slot) {
  LaneBench bench(table_iii("tsimt"));
  const Instruction add{};
  bench.issue(add, 3, ActiveMask(3));
  for (unsigned warp = 0; warp < WarpSlots::kCapacity; ++warp)
    EXPECT_EQ(bench.lanes().room().of(Port::Sp).contains(warp), warp % 8 != 3) << warp;
  EXPECT_EQ(bench.lanes().lanes(), 8u);
}

TEST(TemporalLanes, that_are_not_locked_take_any_warp_while_one_is_free) {
  LaneBench bench(table_iii("unlocked-lanes"));
  const Instruction add{};
  for (unsigned warp = 0; warp < 7; ++warp) bench.issue(add, 0, ActiveMask::first(32));
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).full());
  bench.issue(add, 0, ActiveMask::first(32));
  EXPECT_TRUE(bench.lanes().room().of(Port::Sp).none());
}

TEST(TemporalLanes, must_divide_the_warp) {
  EXPECT_THROW(LaneBench(table_iii("stsimt", 3)), Error);
  EXPECT_THROW(LaneBench(table_iii("stsimt", 0)), Error);
}

/// Cycles from the first to the last group of as many full warps, each in a lane of its own, that execute a sine. 16
/// cycles for a warp are two special-function units, as Table III has them.
Cycle cycles_of_sines(CoreSpec spec, unsigned warps) {
  spec.execution.sfu_units = 1;
  spec.execution.Special = {"sfu", 22, 16};
  LaneBench bench(spec);
  Span span;
  bench.lanes().set_listener(&span);
  Instruction sine{};
  sine.timing = simt::TimingClass::Special;
  for (unsigned warp = 0; warp < warps; ++warp) bench.issue(sine, warp, ActiveMask::first(32));
  bench.step(200);
  return span.cycles();
}

// Up to two lanes have a unit each. Eight want 256 threads of two a cycle; the first cycle serves two of them.
TEST(TemporalLanes, share_the_special_function_units) {
  EXPECT_EQ(cycles_of_sines(table_iii("tsimt"), 1), 32u);
  EXPECT_EQ(cycles_of_sines(table_iii("tsimt"), 2), 32u);
  EXPECT_EQ(cycles_of_sines(table_iii("tsimt"), 3), 48u);
  EXPECT_EQ(cycles_of_sines(table_iii("tsimt"), 8), 128u);
}

// Two cycles for each of eight groups; the first enters with its last two threads.
TEST(TemporalLanes, of_four_threads_bring_them_to_the_special_function_units_two_a_cycle) {
  EXPECT_EQ(cycles_of_sines(table_iii("stsimt4"), 1), 15u);
  EXPECT_EQ(cycles_of_sines(table_iii("stsimt4"), 2), 32u - 1);
}

/// An addition of registers 1 and 2, or of 1 and `second`, to register 3.
Instruction add_of(std::uint16_t second) {
  Instruction add{};
  add.source_count = 2;
  add.sources = {1, second};
  add.destination_count = 1;
  add.destinations = {3};
  return add;
}

// In the collector at cycle 1, read at 2, in the unit at 4; a group's turn of one cycle and 2 to the register file.
TEST(TemporalLanes, let_dependents_follow_as_soon_as_the_first_result_is_there) {
  LaneBench bench(table_iii("tsimt"));
  const Instruction add = add_of(2);
  bench.issue(add, 0, ActiveMask::first(32));
  bench.step(60);
  EXPECT_EQ(bench.written.at(0), 7u);
}

// STSIMT 3.7: "Reads and writes of multiple instructions are overlapped." Each bank has one write a cycle.
TEST(TemporalLane, writes_as_many_loads_at_a_time_as_it_has_banks) {
  InFlightPool pool;
  SharedUnits shared{SharedMemoryPorts(32), SpecialFunctionUnits(32), StageRegister(1)};
  TemporalLane lane({.banks = 2, .horizon = 10}, pool, shared);
  EXPECT_TRUE(lane.write_load(1, 0xf));  // groups 0 to 3, bank after bank
  EXPECT_TRUE(lane.write_load(2, 0xf));
  EXPECT_FALSE(lane.write_load(1, 0xf));
  for (Cycle now = 1; now <= 4; ++now) {
    EXPECT_TRUE(lane.busy(now)) << now;
    lane.cycle(nullptr, now);
  }
  EXPECT_FALSE(lane.busy(5));
}

// Registers 1 and 9 of a warp begin in bank 1 of 8: the first group is read in two cycles, the others meanwhile.
TEST(TemporalLanes, read_two_registers_of_one_bank_one_after_the_other) {
  LaneBench bench(table_iii("tsimt"));
  const Instruction add = add_of(9);
  bench.issue(add, 0, ActiveMask::first(32));
  bench.step(60);
  EXPECT_EQ(bench.written.at(0), 8u);
}

}  // namespace temporal_lanes_test
}  // namespace warpfork::gpu

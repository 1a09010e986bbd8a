#include "gpu/compressing_lanes.h"

#include <gtest/gtest.h>

#include "dependent_additions.h"
#include "lane_bench.h"

namespace warpfork::gpu {
namespace compressing_lanes_test {

/// One unit of eight lanes; two for special functions, one for doubles.
CoreSpec spec_of(const std::string& organisation) {
  CoreSpec spec;
  spec.execution.sp_units = 1;
  spec.execution.IntAdd = {"sp", 10, 4};
  spec.execution.IntMul24 = {"sp", 11, 5};
  spec.execution.Special = {"sfu", 22, 16};
  spec.execution.Fp64Add = {"sfu", 32, 32};
  spec.execution.Fp64Div = {"sfu", 330, 130};
  spec.execution.Control = {"sp", 4, 1};
  spec.lanes.organisation = organisation;
  return spec;
}

simt::Instruction of_class(simt::TimingClass timing) {
  simt::Instruction made;
  made.timing = timing;
  return made;
}

/// When the result of the only instruction is there: three cycles to the unit, its latency, two to the register file.
Cycle result(const std::string& organisation, simt::TimingClass timing, std::uint64_t mask) {
  const CoreSpec spec = spec_of(organisation);
  const UnitTimingSpec given = spec.execution.of(timing);
  const simt::Instruction instruction = of_class(timing);
  LaneBench bench(spec);
  bench.issue(instruction, 0, ActiveMask(mask), given.interval, given.latency);
  bench.step(400);
  return bench.written.at(0);
}

constexpr auto kAdd = simt::TimingClass::IntAdd;

// Four steps of eight neighbouring threads: latency 10 with all of them, 7 with one.
TEST(BasicCompression, skips_aligned_groups_of_which_no_thread_executes) {
  EXPECT_EQ(result("simt-bcc", kAdd, 0xffffffff), 15u);
  EXPECT_EQ(result("simt-bcc", kAdd, 0x000000ff), 12u);
  EXPECT_EQ(result("simt-bcc", kAdd, 0x00000001), 12u);
  EXPECT_EQ(result("simt-bcc", kAdd, 0x00ff00ff), 13u);
  EXPECT_EQ(result("simt-bcc", kAdd, 0x00000ff0), 13u) << "eight threads of two groups";
  EXPECT_EQ(result("simt-bcc", kAdd, 0x01010101), 15u) << "a thread of each group";
}

TEST(SwizzledCompression, packs_the_threads_that_execute_wherever_they_are) {
  EXPECT_EQ(result("simt-scc", kAdd, 0xffffffff), 15u);
  EXPECT_EQ(result("simt-scc", kAdd, 0x01010101), 12u);
  EXPECT_EQ(result("simt-scc", kAdd, 0x11111111), 12u) << "eight";
  EXPECT_EQ(result("simt-scc", kAdd, 0x11111113), 13u) << "nine";
  EXPECT_EQ(result("simt-scc", kAdd, 0x55555555), 13u) << "sixteen";
  EXPECT_EQ(result("simt-scc", kAdd, 0x55555557), 14u) << "seventeen";
}

TEST(CycleCompression, leaves_a_step_to_an_instruction_that_no_thread_executes) {
  EXPECT_EQ(result("simt-bcc", kAdd, 0), 12u);
  EXPECT_EQ(result("simt-scc", kAdd, 0), 12u);
}

// Special functions two threads a cycle, doubles one: of 22 and 32 cycles 15 and 27 are saved. Divisions take 130/32
// cycles a thread, five threads 21 of 130; of five cycles for four groups one group takes two.
TEST(CycleCompression, follows_the_width_of_each_class_of_unit) {
  EXPECT_EQ(result("simt-bcc", simt::TimingClass::Special, 0x3), 5u + 7);
  EXPECT_EQ(result("simt-bcc", simt::TimingClass::Special, 0x6), 5u + 8);
  EXPECT_EQ(result("simt-scc", simt::TimingClass::Special, 0x6), 5u + 7);
  EXPECT_EQ(result("simt-bcc", simt::TimingClass::Fp64Add, 0x8000000f), 5u + 5);
  EXPECT_EQ(result("simt-scc", simt::TimingClass::Fp64Div, 0x8000000f), 5u + 330 - (130 - 21));
  EXPECT_EQ(result("simt-bcc", simt::TimingClass::IntMul24, 0xff), 5u + 11 - (5 - 2));
}

TEST(CycleCompression, gains_nothing_where_a_unit_takes_a_warp_in_a_cycle) {
  for (const std::uint64_t mask : {0x1u, 0xffffffffu})
    EXPECT_EQ(result("simt-bcc", simt::TimingClass::Control, mask), 5u + 4) << mask;
}

// The whole warp keeps the unit from cycle 3 to 7, a group from 3 to 4, when the second instruction is there.
TEST(CycleCompression, makes_room_for_the_next_instruction) {
  const auto second = [](std::uint64_t first_mask) {
    LaneBench bench(spec_of("simt-bcc"));
    const simt::Instruction add = of_class(kAdd);
    bench.issue(add, 0, ActiveMask(first_mask), 4, 10);
    bench.step();
    bench.issue(add, 1, ActiveMask::first(32), 4, 10);
    bench.step(40);
    return bench.written.at(1);
  };
  EXPECT_EQ(second(0xffffffff), 7u + 10 + 2);
  EXPECT_EQ(second(0xff), 4u + 10 + 2);
}

TEST(CycleCompression, leaves_the_way_to_memory_as_it_is) {
  const auto loaded = [](const char* organisation) {
    LaneBench bench(spec_of(organisation));
    const simt::Instruction load{};
    bench.issue_access(load, 0, simt::MemorySpace::Shared, {64});
    bench.step(100);
    return bench.written.at(0);
  };
  EXPECT_EQ(loaded("simt-bcc"), loaded("simt"));
  EXPECT_EQ(loaded("simt-scc"), loaded("simt"));
}

/// What the lanes count of a warp in which threads for whom %p0 is set add.
report::LaneCount counted(const char* organisation, const std::string& sets_p0) {
  const auto count = [&](const char* add) {
    return Kernel("and.b32 %r2, %thread, 3; " + sets_p0 + add, {1, 1, 1}, {32, 1, 1})
        .run(table_iii(organisation))
        .lanes;
  };
  report::LaneCount with = count("; @%p0 add.u32 %r3, %r2, %r2;");
  const report::LaneCount without = count(";");
  with.threads -= without.threads;
  with.thread_slots -= without.thread_slots;
  return with;
}

// One thread of each four: eight.
TEST(CycleCompression, counts_the_places_of_the_steps_that_were_taken) {
  for (const auto& [organisation, slots] : {std::pair("simt-bcc", 32u), std::pair("simt-scc", 8u)}) {
    const report::LaneCount count = counted(organisation, "setp.eq.u32 %p0, %r2, 0");
    EXPECT_EQ(count.threads, 8u) << organisation;
    EXPECT_EQ(count.thread_slots, slots) << organisation;
    EXPECT_EQ(count.lanes, 0u) << "none executes warps of its own";
    EXPECT_FALSE(count.empty());
  }
}

TEST(CycleCompression, counts_the_whole_warp_for_an_access) {
  InFlight record;
  record.port = Port::Memory;
  record.executed = ActiveMask(1);
  EXPECT_EQ(LaneBench(spec_of("simt-scc")).lanes().thread_slots(record), 32u);
}

}  // namespace compressing_lanes_test
}  // namespace warpfork::gpu

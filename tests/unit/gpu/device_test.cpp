// Launches on the whole GPU: where blocks go, what is counted, what ends a run.
#include "gpu/device.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "gpu/completion_wheel.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace device_test {

using ::testing::HasSubstr;

const std::string kChain = repeated(100, "add.u32 %r2, %r2, %thread;") + "st.global.u32 [%mine], %r2; ret;";
/// Word b of `out` is the core of block b.
const std::string kCoreOfBlock = R"(
  mov.u32 %r2, %smid;
  mov.u32 %r3, %ctaid.x;
  mul.wide.u32 %d1, %r3, 4;
  add.u64 %d1, %d1, %out;
  st.global.u32 [%d1], %r2;
  ret;)";

TEST(Device, a_small_grid_is_spread_over_the_cores_in_turn) {
  const Kernel kernel(kCoreOfBlock, {15, 1, 1}, {32, 1, 1}, 15);
  kernel.run(gtx480());
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
}

TEST(Device, a_core_takes_a_second_block_when_all_cores_have_one) {
  MachineSpec spec = gtx480();
  spec.cores = 2;
  const Kernel kernel(kCoreOfBlock, {4, 1, 1}, {32, 1, 1}, 4);
  kernel.run(spec);
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(0, 1, 0, 1));
}

TEST(Device, blocks_of_the_next_launch_go_on_behind_the_core_that_took_the_last_one) {
  Device device(gtx480());
  const Kernel kernel(kCoreOfBlock, {4, 1, 1}, {32, 1, 1}, 4);
  kernel.run(device);
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(0, 1, 2, 3));
  kernel.run(device);
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(4, 5, 6, 7));
  kernel.run(device);
  kernel.run(device);
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(12, 13, 14, 0));
}

TEST(Device, a_core_that_is_free_again_takes_its_turn_behind_the_last_that_took_a_block) {
  MachineSpec spec = gtx480();
  spec.cores = 3;
  spec.core.blocks = 1;
  // Four blocks that take equally long: the fourth goes to the first core that is free. The next launch goes on from
  // there.
  Device device(spec);
  const Kernel kernel(kCoreOfBlock, {4, 1, 1}, {32, 1, 1}, 4);
  kernel.run(device);
  const std::uint32_t last = kernel.out()[3];
  kernel.run(device);
  EXPECT_EQ(kernel.out()[0], (last + 1) % 3);
}

TEST(Device, blocks_that_find_no_room_wait_for_it) {
  MachineSpec spec = one_core();
  spec.core.blocks = 2;
  const Kernel kernel(kChain, {9, 1, 1}, {32, 1, 1});
  EXPECT_EQ(kernel.run(spec).warp_instructions, 9 * kernel.program().code.size());
  EXPECT_EQ(kernel.out()[9 * 32 - 1], 100u * (9 * 32 - 1));
}

TEST(Device, a_grid_counts_x_fastest_then_y_then_z) {
  const Kernel kernel(R"(
    mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    mov.u32 %r3, %smid;
    mul.wide.u32 %d1, %r2, 4;
    add.u64 %d1, %d1, %out;
    st.global.u32 [%d1], %r3;
    ret;)",
                      {2, 3, 1}, {32, 1, 1}, 6);
  kernel.run(gtx480());
  EXPECT_THAT(kernel.out(), ::testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Device, totals_have_the_efficiency_of_the_only_launch_whatever_the_warp_size) {
  MachineSpec spec = one_core();
  spec.core.warp_size = 16;
  const report::LaunchRecord launch = Kernel(kChain, {2, 1, 1}, {32, 1, 1}).run(spec);
  EXPECT_EQ(launch.simd_efficiency(), 1.0);
  EXPECT_EQ(report::sum_launches(std::span(&launch, 1)).sums.simd_efficiency(), 1.0);
}

TEST(Device, two_runs_on_fresh_devices_give_equal_records) {
  const Kernel kernel(kChain, {40, 1, 1}, {96, 1, 1});
  EXPECT_EQ(to_json(kernel.run(gtx480())).dump(), to_json(kernel.run(gtx480())).dump());
}

TEST(Device, a_second_launch_takes_no_longer_than_the_first) {
  Device device(one_core());
  const Kernel kernel(kChain, {}, {64, 1, 1});
  const Cycle first = kernel.run(device).cycles, second = kernel.run(device).cycles, third = kernel.run(device).cycles;
  EXPECT_LE(second, first);
  EXPECT_EQ(third, second);
}

TEST(Device, cores_without_a_block_count_nothing_whether_the_launch_ends_or_is_cut_off) {
  const Kernel everywhere(kChain, {30, 1, 1}, {96, 1, 1}), once(kChain, {}, {64, 1, 1});
  const Kernel endless("LOOP: bra LOOP;", {}, {32, 1, 1});
  Device device(gtx480()), alone(one_core());
  everywhere.run(device);
  once.run(alone);
  once.run(device);
  EXPECT_EQ(once.run(device).thread_cycles, once.run(alone).thread_cycles);
  EXPECT_EQ(endless.run(device, {.max_cycles = 3000}).occupancy.core_cycles,
            endless.run(alone, {.max_cycles = 3000}).occupancy.core_cycles);
}

TEST(Device, a_livelock_is_found_beside_cores_without_a_block) {
  const Kernel endless("LOOP: bra LOOP;", {}, {32, 1, 1});
  EXPECT_THAT(endless.error(gtx480()), HasSubstr("is livelocked at cycle"));
}

TEST(Device, a_port_narrower_than_a_line_is_free_again_in_the_next_launch) {
  MachineSpec spec = one_core();
  spec.core.l1d.data_port_bytes = 32;
  Device device(spec);
  const Kernel kernel("ld.global.u32 %r2, [%mine]; ld.global.u32 %r2, [%mine];" + kChain, {}, {64, 1, 1});
  kernel.run(device);
  EXPECT_EQ(kernel.run(device).cycles, kernel.run(device).cycles);
}

TEST(Device, counts_start_anew_with_every_launch) {
  Device device(one_core());
  const Kernel kernel("ld.global.u32 %r2, [%mine]; st.global.u32 [%mine], %r2; ret;", {}, {32, 1, 1});
  for (unsigned launch = 0; launch < 2; ++launch) {
    const report::LaunchRecord record = kernel.run(device);
    EXPECT_EQ(record.memory.caches.l1d.accesses, 2u);  // a line each
    EXPECT_EQ(record.warp_instructions, kernel.program().code.size());
  }
}

TEST(Device, code_may_end_with_a_jump_back) {
  const Kernel kernel(R"(
    mov.u32 %r2, 0;
    bra TEST;
  DONE:
    st.global.u32 [%mine], %r2;
    ret;
  TEST:
    setp.eq.u32 %p0, %r2, 5;
    @%p0 bra DONE;
    add.u32 %r2, %r2, 1;
    bra TEST;)",
                      {}, {32, 1, 1});
  kernel.run(one_core(), {.functional_only = false, .max_cycles = 100000});
  EXPECT_EQ(kernel.out()[31], 5u);
}

// By hand: 30 of the warp's lanes are left at the barriers, at the second of which two have come before.
TEST(Device, barriers_of_a_blocks_only_warp_count_alike_with_and_without_timing) {
  const Kernel kernel(R"(
    setp.lt.u32 %p0, %thread, 2;
    @%p0 exit;
    bar.sync 0;
    setp.lt.u32 %p0, %thread, 4;
    @%p0 bar.arrive 1, 32;
    bar.sync 0;
    st.global.u32 [%mine], %thread;)",
                      {}, {32, 1, 1});
  const auto lanes = [&](bool functional) {
    return kernel.run(one_core(), {.functional_only = functional, .max_cycles = 100000}).active_lanes;
  };
  EXPECT_EQ(lanes(true), lanes(false));
  EXPECT_EQ(kernel.out()[31], 31u);
  EXPECT_GE(lanes(true)[30], 6u) << "what is written here behind the exit";
}

TEST(Device, a_run_as_long_as_max_cycles_ends_well_and_a_longer_one_does_not) {
  const Kernel kernel(kChain, {}, {32, 1, 1});
  const Cycle cycles = kernel.run(one_core()).cycles;
  EXPECT_EQ(kernel.error(one_core(), {.functional_only = false, .max_cycles = cycles}), "");
  EXPECT_THAT(kernel.error(one_core(), {.functional_only = false, .max_cycles = cycles - 1}),
              HasSubstr("still ran after " + std::to_string(cycles - 1) + " cycles"));
}

TEST(Device, a_run_of_as_many_instructions_as_max_instructions_ends_well_and_a_longer_one_does_not) {
  const Kernel kernel(kChain, {2, 1, 1}, {32, 1, 1});
  for (const bool functional : {false, true}) {
    const std::uint64_t count = kernel.run(one_core(), {.functional_only = functional}).warp_instructions;
    EXPECT_EQ(kernel.error(one_core(), {.functional_only = functional, .max_instructions = count}), "");
    EXPECT_THAT(kernel.error(one_core(), {.functional_only = functional, .max_instructions = count - 1}),
                HasSubstr(fmt::format("still ran after {} warp instructions (--max-instructions)", count - 1)));
  }
}

TEST(Device, a_kernel_that_never_ends_is_stopped_in_a_functional_run_too) {
  const Kernel kernel("LOOP: bra LOOP;", {}, {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core(), {.functional_only = false, .max_cycles = 5000}), HasSubstr("--max-cycles"));
  EXPECT_THAT(kernel.error(one_core(), {.functional_only = true, .max_cycles = 5000}), HasSubstr("--max-cycles"));
}

TEST(Device, a_launch_that_is_cut_off_says_where_everything_is_and_keeps_what_was_counted) {
  const Kernel kernel("LOOP: add.u32 %r2, %r2, 1; bra LOOP;", {2, 1, 1}, {64, 1, 1});
  Device device(one_core());
  const report::LaunchRecord record = kernel.run(device, {.max_cycles = 3000});
  EXPECT_EQ(record.cycles, 3000u);
  EXPECT_GT(record.warp_instructions, 0u);
  EXPECT_EQ(to_json(record)["cut_off"], true);
  for (const char* block : {"core 0, block (0, 0, 0)\n", "core 0, block (1, 0, 0)\n"})
    EXPECT_THAT(record.cut_off, HasSubstr(block));
  EXPECT_THAT(record.cut_off, testing::ContainsRegex("  warp 1 split 0 lanes 1+ (waits for [a-z ]+|may issue) at pc "
                                                     "[0-9]+ \\(PTX line [0-9]+\\)\n"));
  EXPECT_THROW(kernel.run(device), InvariantError);
}

TEST(Device, a_functional_launch_that_is_cut_off_keeps_what_was_counted) {
  const Kernel kernel("LOOP: add.u32 %r2, %r2, 1; bra LOOP;", {2, 1, 1}, {32, 1, 1});
  const report::LaunchRecord record = kernel.run(one_core(), {.functional_only = true, .max_cycles = 3000});
  EXPECT_GT(record.warp_instructions, 3000u);
  EXPECT_THAT(record.cut_off, HasSubstr("still ran after 3000 warp instructions of one block"));
  EXPECT_THAT(record.cut_off, HasSubstr("  warp 0 split 0 lanes 11111111111111111111111111111111 is at pc "));
}

TEST(Device, a_block_that_fits_on_no_core_is_refused_with_the_limit) {
  MachineSpec spec = one_core();
  spec.core.registers_per_thread = 63;
  EXPECT_THAT(Kernel(kChain, {}, {1024, 1, 1}).error(spec), HasSubstr("limit: registers"));
  EXPECT_THAT(Kernel("mov.u32 %r2, big; ret;", {}, {32, 1, 1}, 64, ".shared .b8 big[49156];").error(one_core()),
              HasSubstr("limit: shared"));
}

TEST(Device, an_access_out_of_bounds_names_thread_and_line) {
  const std::string error = Kernel("st.global.u32 [%mine + 64], %thread; ret;", {}, {32, 1, 1}, 32).error(one_core());
  EXPECT_THAT(error, HasSubstr("thread (16,0,0) of block (0,0,0)"));
}

TEST(Device, warps_have_the_size_of_the_machine) {
  MachineSpec spec = one_core();
  spec.core.warp_size = 16;
  const Kernel kernel(kChain, {}, {64, 1, 1});
  const report::LaunchRecord record = kernel.run(spec);
  EXPECT_EQ(record.active_lanes[16], 4 * kernel.program().code.size());
  EXPECT_EQ(kernel.out()[63], 6300u);
}

TEST(Device, blocks_have_up_to_64_warps) {
  MachineSpec spec = one_core();
  spec.core.warps = 64;
  spec.core.warp_size = 8;
  EXPECT_EQ(Kernel(kChain, {}, {512, 1, 1}).error(spec), "");
  EXPECT_THAT(Kernel(kChain, {}, {513, 1, 1}).error(spec), HasSubstr("65 warps of 8"));
}

TEST(Device, the_record_holds_what_the_core_could_take) {
  MachineSpec spec = one_core();
  spec.core.registers_per_thread = 21;
  const report::LaunchRecord record = Kernel(kChain, {2, 1, 1}, {256, 1, 1}).run(spec);
  EXPECT_EQ(record.occupancy.registers_per_thread, 24u);
  EXPECT_EQ(record.occupancy.blocks_per_core, 5u);  // 32768 / (24 × 256) = 5.3
  EXPECT_THAT(record.occupancy.limited_by, ::testing::ElementsAre("registers"));
  EXPECT_EQ(record.occupancy.max_warps, 48u);
}

// 16 blocks on 15 cores: none could ever hold more than two of them.
TEST(Device, blocks_without_registers_are_those_that_the_launch_would_have_had_on_a_core) {
  const MachineSpec spec = gtx480();
  EXPECT_EQ(Kernel(kChain, {16, 1, 1}, {128, 1, 1}).run(spec).occupancy.blocks_without_registers, 2u);
  EXPECT_EQ(Kernel(kChain, {15 * 9, 1, 1}, {32, 1, 1}, 15 * 9 * 32).run(spec).occupancy.blocks_without_registers, 8u);
}

TEST(Device, more_registers_than_a_thread_can_have_are_refused) {
  MachineSpec spec = gtx480();
  spec.core.registers_per_thread = 64;
  EXPECT_EQ(Kernel(kChain, {}, {32, 1, 1}).error(spec),
            "core.registers_per_thread is 64; core.registers_per_thread_limit allows 63");
}

TEST(Device, every_scheduler_cycle_has_issued_or_has_a_cause) {
  const report::LaunchRecord record = Kernel(kChain, {40, 1, 1}, {96, 1, 1}).run(gtx480());
  std::uint64_t stalled = 0;
  for (const std::uint64_t cycles : record.stalls) stalled += cycles;
  EXPECT_EQ(record.scheduler_cycles, record.warp_instructions + stalled);
  EXPECT_EQ(record.scheduler_cycles, 2 * record.occupancy.core_cycles);
}

TEST(Device, a_machine_without_some_part_is_refused_by_the_key) {
  MachineSpec spec = one_core();
  spec.core.execution.sfu_units = 0;
  EXPECT_THAT(Kernel(kChain, {}, {32, 1, 1}).error(spec), HasSubstr("core.execution.sfu_units is 0"));
  spec = one_core();
  spec.core.execution.IntAdd.latency = CompletionWheel::kSlots - 2;
  EXPECT_THAT(Kernel(kChain, {}, {32, 1, 1}).error(spec), HasSubstr("core.execution.int_add"));
  spec = one_core();
  spec.cores = 65;
  EXPECT_THAT(Kernel(kChain, {}, {32, 1, 1}).error(spec), HasSubstr("1 to 64"));
}

TEST(Device, a_memory_barrier_waits_for_the_stores_before_it) {
  // The clock is read before a store and behind it; without the barrier the second reading is next in line.
  const auto waited = [](const std::string& barrier) {
    const Kernel kernel("mov.u32 %r2, %clock; st.global.u32 [%mine], %r2;" + barrier +
                            "mov.u32 %r3, %clock; sub.u32 %r3, %r3, %r2; st.global.u32 [%mine], %r3; ret;",
                        {}, {32, 1, 1});
    kernel.run(one_core());
    return kernel.out()[0];
  };
  EXPECT_GT(waited("membar.gl;"), waited("") + 120);  // at least the way to the L2
}

TEST(Device, lanes_at_one_place_of_local_memory_share_a_line) {
  const Kernel kernel(R"(
    .local .align 4 .b8 mine[64];
    st.local.u32 [mine + 4], %thread;
    ld.local.u32 %r2, [mine + 4];
    st.global.u32 [%mine], %r2;
    ret;)",
                      {}, {32, 1, 1});
  EXPECT_EQ(kernel.run(one_core()).memory.caches.l1d.accesses, 3u);  // a line each
  EXPECT_EQ(kernel.out()[7], 7u);
}

}  // namespace device_test
}  // namespace warpfork::gpu

// Cores that run ahead of one another, on one host thread or several: the bytes are those of cores that take turns.
#include "gpu/run_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/description.h"
#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "random_kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace run_ahead_test {

LaunchOptions threads(unsigned count) {
  LaunchOptions options;
  options.threads = count;
  return options;
}

/// All that a run shows: the record's text, or the error's, and what it has written.
struct Outcome {
  std::string text;
  std::vector<std::uint32_t> out;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Kernel& kernel, const MachineSpec& spec, const LaunchOptions& options) {
  kernel.clear_out();
  try {
    const report::LaunchRecord record = kernel.run(spec, options);
    return {report::to_json(record).dump(1), kernel.out()};
  } catch (const Error& error) {
    return {error.what(), kernel.out()};
  }
}

/// In each cycle, as somebody listens.
LaunchOptions in_turns(LaunchOptions options = {}) {
  static report::LaunchListener nobody;
  options.listener = &nobody;
  return options;
}

void expect_same(const Kernel& kernel, const MachineSpec& spec, LaunchOptions options = {}) {
  const Outcome expected = outcome(kernel, spec, in_turns(options));
  for (const unsigned count : {1u, 2u, 3u, 8u}) {
    options.threads = count;
    const Outcome ahead = outcome(kernel, spec, options);
    EXPECT_EQ(ahead.text, expected.text) << count << " threads";
    EXPECT_TRUE(ahead.out == expected.out) << count << " threads";
  }
}

/// Every thread of every block reads what its neighbour in the next block may just have written.
const std::string kRace = R"(
  mov.u32 %r2, 0;
  add.u32 %r5, %thread, 61;
  rem.u32 %r5, %r5, 1000;
  mul.wide.u32 %d1, %r5, 4;
  add.u64 %d1, %d1, %out;
LOOP:
  ld.global.u32 %r3, [%d1];
  mad.lo.u32 %r4, %r3, 3, %thread;
  st.global.u32 [%mine], %r4;
  add.u64 %d1, %d1, 4;
  sub.u64 %d1, %d1, 4;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p0, %r2, 20;
  @%p0 bra LOOP;
  ret;)";

/// One word behind the threads' own that all blocks take turns at, and a sum that it guards.
const std::string kLock = R"(
  mov.u32 %r9, %tid.x;
  setp.ne.u32 %p1, %r9, 0;
  @%p1 exit;
TRY:
  atom.global.cas.b32 %r2, [%out + 4096], 0, 1;
  setp.ne.u32 %p0, %r2, 0;
  @%p0 bra TRY;
  ld.volatile.global.u32 %r3, [%out + 4100];
  mad.lo.u32 %r3, %r3, 5, %thread;
  st.volatile.global.u32 [%out + 4100], %r3;
  membar.gl;
  atom.global.exch.b32 %r2, [%out + 4096], 0;
  ret;)";

/// Every thread writes its word of `data` as a surface, reads another's as a texture, and leaves a zero.
const std::string kImages = R"(
  mov.u64 %d1, texture;
  mov.u64 %d2, surface;
  shl.b32 %r5, %thread, 2;
  xor.b32 %r6, %thread, 64;
  sust.b.1d.b32.trap [%d2, {%r5}], %thread;
  tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%d1, {%r6}];
  st.global.u32 [%mine], %r1;
  sust.b.1d.b32.trap [%d2, {%r5}], 0;
  ret;)";
/// Records of simt::Image: kind, one channel of four bytes; 1024 texels.
const std::string kImageRecords = R"(
.global .align 8 .u32 data[1024];
.global .align 8 .u64 texture[8] = {0x0004010058455457, generic(data), 0x100000400, 1, 0x010101, 0, 0, 0};
.global .align 8 .u64 surface[8] = {0x0004010046525357, generic(data), 0x100000400, 1, 0x010101, 0, 0, 0};
)";

const std::string kAtomics = R"(
  and.b32 %r2, %thread, 7;
  mul.wide.u32 %d1, %r2, 4;
  add.u64 %d1, %d1, %out;
  atom.global.add.u32 %r3, [%d1 + 8192], %thread;
  atom.global.exch.b32 %r3, [%d1 + 8224], %r3;
  atom.global.cas.b32 %r4, [%d1 + 8256], %r3, %thread;
  add.u64 %d1, %d1, 8288;
  red.global.max.u32 [%d1], %r4;
  cvta.global.u64 %d2, %d1;
  atom.inc.u32 %r5, [%d2], 9;
  add.u32 %r5, %r5, %r4;
  st.global.u32 [%mine], %r5;
  ret;)";

TEST(RunAhead, blocks_that_race_read_what_they_read_with_one_thread) {
  expect_same({kRace, {60, 1, 1}, {64, 1, 1}}, gtx480());
}

TEST(RunAhead, a_spin_lock_is_taken_in_the_same_order) { expect_same({kLock, {40, 1, 1}, {32, 1, 1}, 2048}, gtx480()); }

TEST(RunAhead, atomics_are_made_in_the_same_order) {
  expect_same({kAtomics, {20, 1, 1}, {96, 1, 1}, 2048 + 64}, gtx480());
}

TEST(RunAhead, textures_and_surfaces_are_accessed_in_the_same_order) {
  expect_same({kImages, {8, 1, 1}, {128, 1, 1}, 4096, kImageRecords}, gtx480());
}

TEST(RunAhead, a_register_may_hold_an_address_and_then_what_lay_there) {
  // Each thread follows a chain of pointers that other blocks write meanwhile.
  expect_same({R"(
  mul.wide.u32 %d1, %thread, 8;
  add.u64 %d1, %d1, %out;
  xor.b32 %r2, %thread, 64;
  mul.wide.u32 %d2, %r2, 8;
  add.u64 %d2, %d2, %out;
  st.global.u64 [%d1], %d2;
  ld.global.u64 %d1, [%d2];
  setp.eq.u64 %p0, %d1, 0;
  selp.b64 %d1, %d2, %d1, %p0;
  ld.global.u64 %d1, [%d1];
  sub.u64 %d1, %d1, %out;
  cvt.u32.u64 %r3, %d1;
  mul.wide.u32 %d2, %thread, 4;
  add.u64 %d2, %d2, %out;
  st.global.u32 [%d2 + 8192], %r3;
  ret;)",
               {16, 1, 1},
               {64, 1, 1},
               4096},
              gtx480());
}

TEST(RunAhead, loads_by_the_texture_cache_see_what_they_see_with_one_thread) {
  expect_same({R"(
  mov.u32 %r2, 0;
  xor.b32 %r5, %thread, 64;
  mul.wide.u32 %d1, %r5, 4;
  add.u64 %d1, %d1, %out;
LOOP:
  ld.global.nc.u32 %r3, [%d1];
  add.u32 %r4, %r3, %thread;
  st.global.u32 [%mine], %r4;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p0, %r2, 60;
  @%p0 bra LOOP;
  ret;)",
               {64, 1, 1},
               {64, 1, 1}},
              gtx480());
}

TEST(RunAhead, a_generic_access_may_reach_shared_and_device_memory_at_once) {
  expect_same({R"(
  mov.u32 %r2, table;
  cvt.u64.u32 %d1, %r2;
  cvta.shared.u64 %d1, %d1;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %d3, %r3, 4;
  add.u64 %d1, %d1, %d3;
  and.b32 %r4, %thread, 1;
  setp.eq.u32 %p0, %r4, 0;
  selp.b64 %d2, %d1, %mine, %p0;
  st.u32 [%d2], %thread;
  atom.add.u32 %r5, [%d2], 7;
  ld.u32 %r6, [%d2];
  add.u32 %r6, %r6, %r5;
  mul.wide.u32 %d4, %thread, 4;
  add.u64 %d4, %d4, %out;
  st.global.u32 [%d4 + 8192], %r6;
  ret;)",
               {16, 1, 1},
               {64, 1, 1},
               4096,
               ".shared .align 4 .b8 table[256];"},
              gtx480());
}

TEST(RunAhead, the_first_fault_is_the_one_that_is_reported) {
  // Thread t reaches out of bounds if t mod 13 = 5: by a store, behind so many instructions that cores fault at
  // different times; by a load in the same cycles.
  const std::string which =
      "rem.u32 %r2, %thread, 13; setp.ne.u32 %p0, %r2, 5; rem.u32 %r3, %thread, 7; LOOP: sub.u32 "
      "%r3, %r3, 1; setp.gt.s32 %p1, %r3, 0; @%p1 bra LOOP; @%p0 bra END; ";
  const Kernel store(which + "st.global.u32 [%mine + 1000000], %r2; END: ret;", {40, 1, 1}, {64, 1, 1});
  const Kernel load(which + "ld.global.u32 %r2, [%mine + 1000000]; END: ret;", {40, 1, 1}, {64, 1, 1});
  const Kernel misaligned(which + "st.global.u32 [%mine + 2], %r2; END: ret;", {40, 1, 1}, {64, 1, 1});
  for (const Kernel* kernel : {&store, &load, &misaligned}) {
    EXPECT_NE(kernel->error(gtx480()), "");
    expect_same(*kernel, gtx480());
  }
}

TEST(RunAhead, a_launch_is_cut_off_at_the_same_cycle_in_the_same_state) {
  LaunchOptions options;
  for (options.max_cycles = 100; options.max_cycles < 112; ++options.max_cycles)
    expect_same({kRace, {60, 1, 1}, {64, 1, 1}}, gtx480(), options);
}

TEST(RunAhead, blocks_are_dealt_out_as_by_one_thread) {
  const std::string uneven = R"(
  rem.u32 %r2, %thread, 97;
  mov.u32 %r4, %smid;
LOOP:
  sub.u32 %r2, %r2, 1;
  setp.gt.s32 %p0, %r2, 0;
  @%p0 bra LOOP;
  st.global.u32 [%mine], %r4;
  ret;)";
  MachineSpec spec = gtx480();
  spec.core.blocks = 2;
  expect_same({uneven, {200, 1, 1}, {16, 1, 1}}, spec);
}

TEST(RunAhead, a_port_that_is_narrow_before_the_switch_gives_the_same_times) {
  MachineSpec spec = gtx480();
  for (const unsigned buffer : {1u, 12u, 20u}) {
    spec.memory.interconnect.input_buffer = buffer;
    expect_same({kRace, {60, 1, 1}, {64, 1, 1}}, spec);
  }
}

TEST(RunAhead, a_second_launch_begins_where_the_first_one_ended) {
  const Kernel kernel(kAtomics, {20, 1, 1}, {96, 1, 1}, 2048 + 64);
  Device taking_turns(gtx480()), alone(gtx480()), together(gtx480());
  for (int launch = 0; launch < 3; ++launch) {
    kernel.clear_out();
    const std::string expected = report::to_json(kernel.run(taking_turns, in_turns())).dump();
    const std::vector<std::uint32_t> out = kernel.out();
    for (const auto& [device, count] : {std::pair{&alone, 1u}, {&together, 3u}}) {
      kernel.clear_out();
      EXPECT_EQ(report::to_json(kernel.run(*device, threads(count))).dump(), expected);
      EXPECT_EQ(kernel.out(), out);
    }
  }
}

TEST(RunAhead, threads_that_yield_at_the_borders_of_windows_change_nothing) {
  std::atomic<unsigned> calls = 0;
  LaunchOptions options;
  options.at_borders = [&] {
    const unsigned call = calls.fetch_add(1);
    for (unsigned times = call * 2654435761u >> 29; times != 0; --times) std::this_thread::yield();
  };
  expect_same({kRace, {60, 1, 1}, {64, 1, 1}}, gtx480(), options);
  EXPECT_GT(calls, 1000u);
}

// Each core stays in step while it awaits its instructions, and then goes to its end, 1,000 turns of the loop later.
TEST(RunAhead, a_thread_lets_a_core_run_on_that_nobody_sees) {
  unsigned windows = 0;
  LaunchOptions options;
  options.at_borders = [&] { ++windows; };
  const Kernel kernel("mov.u32 %r2, 1000; LOOP: sub.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra LOOP; ret;",
                      {15, 1, 1}, {32, 1, 1});
  const report::LaunchRecord record = kernel.run(gtx480(), options);
  EXPECT_GT(record.cycles, 20000u);
  EXPECT_GE(windows, 15 * (record.cycles / 4096));
  EXPECT_LT(windows, 15 * (record.cycles / 4096 + 4));
}

TEST(RunAhead, a_core_that_expects_a_response_stays_in_step_with_one_thread) {
  unsigned windows = 0;
  LaunchOptions options;
  options.at_borders = [&] { ++windows; };
  const std::string atomics =
      "mov.u32 %r2, 100; LOOP: atom.global.add.u32 %r3, [%mine], 1; sub.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; "
      "@%p0 bra LOOP; ret;";
  const report::LaunchRecord record = Kernel(atomics, {7, 1, 1}, {512, 1, 1}).run(gtx480(), options);
  EXPECT_GT(record.cycles, 10000u);
  EXPECT_LT(windows, 7 * 20u);
}

/// Parameters: machine, mechanism, lane organisation.
class ThreadsOfHost : public ::testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};

TEST_P(ThreadsOfHost, give_the_same_bytes_on_random_kernels) {
  const auto& [machine, mechanism, lanes] = GetParam();
  MachineSpec spec;
  config::bind(spec, "machines/" + machine + ".toml");
  spec.divergence.mechanism = mechanism;
  spec.core.lanes.organisation = lanes;
  for (unsigned seed = 0; seed < 3; ++seed) expect_same({RandomKernel(seed).body(), {40, 1, 1}, {80, 1, 1}}, spec);
}

std::string name_of(const ::testing::TestParamInfo<ThreadsOfHost::ParamType>& info) {
  std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_" + std::get<2>(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ThreadsOfHost,
                         ::testing::Combine(::testing::Values("gtx480", "tesla30"),
                                            ::testing::ValuesIn(divergence_mechanism_names()),
                                            ::testing::Values("simt")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Lanes, ThreadsOfHost,
                         ::testing::Combine(::testing::Values("tesla30"), ::testing::Values("pdom", "multi-path"),
                                            ::testing::Values("simt-scalar", "simt-scc", "tsimt", "tsimt-plus",
                                                              "stsimt2")),
                         name_of);

}  // namespace run_ahead_test
}  // namespace warpfork::gpu

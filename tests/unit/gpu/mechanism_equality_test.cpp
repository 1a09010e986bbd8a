// One divergent kernel on every mechanism, scheduler and machine: timing never changes what a program computes.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace mechanism_equality_test {

/// Loops of different length, nested branches, an early exit, a barrier with exited threads, shared memory, a vector
/// store, an atomic on one word and one on 8 words.
const std::string kDivergentBody = R"(
  and.b32 %r2, %thread, 15;
  mov.u32 %r3, 0;
  mov.u32 %r4, 1;
LOOP:
  mad.lo.u32 %r4, %r4, 1664525, %thread;
  and.b32 %r5, %r4, 4;
  setp.eq.u32 %p0, %r5, 0;
  @%p0 bra EVEN;
  add.u32 %r3, %r3, %r2;
  rem.u32 %r6, %r4, 7;
  setp.gt.u32 %p1, %r6, 4;
  @%p1 bra NEXT;
  xor.b32 %r3, %r3, %r6;
  bra NEXT;
EVEN:
  shl.b32 %r6, %r3, 1;
  or.b32 %r3, %r6, 1;
NEXT:
  sub.u32 %r2, %r2, 1;
  setp.ge.s32 %p2, %r2, 0;
  @%p2 bra LOOP;
  and.b32 %r7, %thread, 31;
  setp.eq.u32 %p3, %r7, 5;
  @%p3 exit;
  mov.u32 %r8, %tid.x;
  shl.b32 %r9, %r8, 2;
  mov.u32 %r10, table;
  add.u32 %r10, %r10, %r9;
  st.shared.u32 [%r10], %r3;
  bar.sync 0;
  xor.b32 %r9, %r9, 4;
  mov.u32 %r11, table;
  add.u32 %r11, %r11, %r9;
  ld.shared.u32 %r12, [%r11];
  add.u32 %r12, %r12, %r3;
  st.global.u32 [%mine], %r12;
  atom.global.add.u32 %r13, [%out + 8192], %r12;
  and.b32 %r14, %r12, 7;
  mul.wide.u32 %d1, %r14, 4;
  add.u64 %d1, %d1, %out;
  red.global.max.u32 [%d1 + 8256], %thread;
  ret;)";

Kernel divergent_kernel() {
  return {kDivergentBody, {7, 1, 1}, {100, 1, 1}, 2048 + 32, ".shared .align 4 .b8 table[512];"};
}

/// Parameters: machine, with a lane organisation if one follows; mechanism, scheduler.
class Mechanisms : public ::testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {
 protected:
  MachineSpec spec() const {
    const auto& [machine, mechanism, scheduler] = GetParam();
    MachineSpec spec;
    const std::size_t end = machine.find(' ');
    config::bind(spec, "machines/" + machine.substr(0, end) + ".toml");
    if (end != std::string::npos) spec.core.lanes.organisation = machine.substr(end + 1);
    spec.cores = 2;
    spec.divergence.mechanism = mechanism;
    spec.core.scheduler = scheduler;
    return spec;
  }
  const DivergenceMechanism& mechanism() const { return find_divergence_mechanism(std::get<1>(GetParam())); }
};

TEST_P(Mechanisms, timed_and_functional_runs_compute_and_count_the_same) {
  const Kernel timed = divergent_kernel(), functional = divergent_kernel();
  const report::LaunchRecord with_time = timed.run(spec());
  const report::LaunchRecord without = functional.run(spec(), {.functional_only = true, .max_cycles = 0});
  EXPECT_EQ(timed.out(), functional.out());
  EXPECT_EQ(with_time.thread_instructions, without.thread_instructions);
  EXPECT_EQ(with_time.executed_thread_instructions, without.executed_thread_instructions);
  // Early reconvergence and compaction depend on who runs first, and with them the masks.
  if (!mechanism().masks_depend_on_time) {
    EXPECT_EQ(with_time.warp_instructions, without.warp_instructions);
    EXPECT_EQ(with_time.active_lanes, without.active_lanes);
  }
}

TEST_P(Mechanisms, memory_and_thread_instructions_are_those_of_pdom) {
  const Kernel reference = divergent_kernel(), kernel = divergent_kernel();
  const report::LaunchRecord expected = reference.run(one_core()), record = kernel.run(spec());
  EXPECT_EQ(kernel.out(), reference.out());
  EXPECT_EQ(record.thread_instructions, expected.thread_instructions);
  if (mechanism().meets_at_postdominators) {
    EXPECT_EQ(record.active_lanes, expected.active_lanes);
    EXPECT_EQ(record.divergent_paths.warp_instructions, expected.divergent_paths.warp_instructions);
  }
}

// 22 of 700 threads exit before they write to shared memory what their neighbours then read. `out` counts as not
// written: of the words of the two atomics the first access to each is told.
TEST_P(Mechanisms, the_memory_check_finds_as_much_as_with_pdom) {
  LaunchOptions options;
  options.check_memory = true;
  const auto counts = [&](const MachineSpec& machine) {
    Kernel kernel = divergent_kernel();
    kernel.launch().memory->watch();
    std::map<Pc, std::uint64_t> counts;
    for (const report::Finding& read : kernel.run(machine, options).findings.list) counts[read.second.pc] += read.count;
    return counts;
  };
  const auto expected = counts(one_core());
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_EQ(expected.begin()->second, 22u);
  EXPECT_EQ(std::next(expected.begin())->second, 1u);
  EXPECT_EQ(counts(spec()), expected);
}

TEST_P(Mechanisms, two_runs_give_equal_records) {
  EXPECT_EQ(to_json(divergent_kernel().run(spec())).dump(), to_json(divergent_kernel().run(spec())).dump());
}

// Cores sleep, and temporal lanes let groups of threads pass as a whole, where nobody hears of them.
TEST_P(Mechanisms, every_count_is_the_same_whoever_listens) {
  LaunchOptions heard;
  heard.interval = 1;
  report::LaunchRecord record = divergent_kernel().run(spec(), heard);
  EXPECT_FALSE(record.intervals.empty());
  record.intervals = {};
  EXPECT_EQ(to_json(record).dump(), to_json(divergent_kernel().run(spec())).dump());
}

TEST_P(Mechanisms, a_branch_costs_lanes_only_where_it_diverged) {
  for (const report::BranchCount& branch : divergent_kernel().run(spec()).branches) {
    EXPECT_LE(branch.divergent, branch.executions);
    EXPECT_EQ(branch.divergent == 0, branch.lost_lane_slots == 0) << branch.ptx_line;
    EXPECT_EQ(branch.places, branch.executions + branch.divergent) << branch.ptx_line;
  }
}

/// Parameter: an assignment that leaves the machine little of something.
class TightMachines : public ::testing::TestWithParam<const char*> {};

TEST_P(TightMachines, compute_the_same_and_end) {
  const Kernel reference = divergent_kernel();
  reference.run(one_core());
  for (const std::string& mechanism : divergence_mechanism_names()) {
    MachineSpec spec = one_core(mechanism);
    config::apply_override(spec, GetParam());
    const Kernel kernel = divergent_kernel();
    EXPECT_EQ(kernel.error(spec, {.functional_only = false, .max_cycles = 2000000}), "") << mechanism;
    EXPECT_EQ(kernel.out(), reference.out()) << mechanism;
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, TightMachines,
                         ::testing::Values("core.warps=4", "core.scoreboard_entries=1", "core.scoreboard_masks=never",
                                           "core.instruction_buffer=1", "core.fetch_bytes=8", "core.response_queue=1",
                                           "core.schedulers=1", "core.collector.banks=1", "core.collector.sp_units=1",
                                           "core.collector.memory_units=1", "core.execution.sp_units=1",
                                           "core.execution.result_buses=1", "core.execution.sp_issue_slots=1",
                                           "core.shared.banks=1", "core.shared.latency=1", "core.l1d.hit_latency=1",
                                           "core.l1d.mshr_entries=1", "core.l1d.mshr_merges=1", "core.l1d.miss_queue=2",
                                           "core.l1d.data_port_bytes=4", "core.l1i.mshr_entries=1",
                                           "core.l1i.mshr_merges=1", "core.constant.mshr_merges=1", "core.warp_size=8",
                                           "core.warp_size=16", "core.warp_size=64", "divergence.max_splits=1",
                                           "divergence.reconvergence_entries=1", "divergence.predictor=oracle",
                                           "divergence.lane_permutation=mirror-odd", "divergence.lane_permutation=xor",
                                           "divergence.lane_permutation=balanced"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& letter : name)
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
                           return name;
                         });

std::string name_of(const ::testing::TestParamInfo<Mechanisms::ParamType>& info) {
  std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_" + std::get<2>(info.param);
  for (char& letter : name)
    if (letter == '-' || letter == ' ') letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Mechanisms,
                         ::testing::Combine(::testing::Values("gtx480", "tesla30"),
                                            ::testing::ValuesIn(divergence_mechanism_names()),
                                            ::testing::Values("gto", "lrr", "two-level")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Lanes, Mechanisms,
                         ::testing::Combine(::testing::Values("tesla30 tsimt", "tesla30 tsimt-plus", "tesla30 stsimt2",
                                                              "tesla30 stsimt4", "tesla30 unlocked-lanes",
                                                              "gtx480 tsimt"),
                                            ::testing::Values("pdom", "dual-path", "multi-path", "multi-path-or"),
                                            ::testing::Values("gto")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(CompressingLanes, Mechanisms,
                         ::testing::Combine(::testing::Values("tesla30 simt-bcc", "tesla30 simt-scc"),
                                            ::testing::ValuesIn(divergence_mechanism_names()),
                                            ::testing::Values("gto")),
                         name_of);

}  // namespace mechanism_equality_test
}  // namespace warpfork::gpu

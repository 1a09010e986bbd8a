// What block-wide compaction costs in a core: the compaction unit, waiting at branches, and how it is reported.
// Expected values by hand from CAPRI section II and docs/result-schema.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "issue_times.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace block_compaction_in_core_test {

constexpr Pc kFirst = 7;  // of the body

const std::string kOddThreads = "mov.u32 %r2, %thread;";
const std::string kOuterHalves = "add.u32 %r2, %thread, 16; shr.u32 %r2, %r2, 5;";  // 0 to 15 and 48 to 63: even
constexpr Pc kBranchOfOddThreads = kFirst + 3, kBranchOfOuterHalves = kFirst + 4;

MachineSpec with_unit(unsigned cycles, const std::string& mechanism = "tbc") {
  MachineSpec spec = one_core(mechanism);
  spec.divergence.compaction_cycles = cycles;
  return spec;
}

// 200 cycles hide the fetch of the side's first instruction, so that the unit alone decides.
TEST(BlockCompactionInCore, a_formed_warp_may_issue_when_the_unit_has_formed_it) {
  const Kernel kernel = if_else(kOuterHalves);
  IssueTimes times;
  kernel.run(with_unit(200), {.listener = &times});
  const Pc branch = kBranchOfOuterHalves;
  const Cycle met = std::max(times.of(0, branch), times.of(1, branch));
  const Cycle taken = times.of(0, branch + 3);  // both sides need one warp; it runs in place 0
  EXPECT_EQ(taken, met + 200 + 1);
  EXPECT_EQ(times.of(1, branch + 3), kNever);
  EXPECT_EQ(times.of(0, branch + 1), taken + 200 + 1);  // the taken side has one instruction
}

TEST(BlockCompactionInCore, the_unit_forms_one_warp_after_the_other) {
  const Kernel kernel = if_else(kOddThreads);
  IssueTimes times;
  kernel.run(with_unit(200), {.listener = &times});
  const Pc branch = kBranchOfOddThreads;
  const Cycle met = std::max(times.of(0, branch), times.of(1, branch));
  EXPECT_EQ(times.of(0, branch + 3), met + 200 + 1);
  EXPECT_EQ(times.of(1, branch + 3), met + 400 + 1);
}

TEST(BlockCompactionInCore, a_warp_that_does_not_wait_needs_no_unit) {
  const Kernel kernel = if_else(kOddThreads);
  MachineSpec fast = with_unit(0, "capri"), slow = with_unit(200, "capri");
  fast.divergence.predictor = slow.divergence.predictor = "never";
  EXPECT_EQ(kernel.run(fast).cycles, kernel.run(slow).cycles);
}

/// Odd threads, but warp 1 comes to the branch late: it waits for a load. Each warp is alone on its scheduler.
const std::string kLateWarp = R"(
    shr.u32 %r6, %thread, 5;
    setp.eq.u32 %p1, %r6, 0;
    mov.u32 %r5, 0;
    @!%p1 ld.global.u32 %r5, [%mine];
    add.u32 %r2, %thread, %r5;)";
constexpr Pc kBranchOfLateWarp = kFirst + 7;

TEST(BlockCompactionInCore, waiting_for_other_warps_is_a_stall_cause_of_its_own) {
  const Kernel kernel = if_else(kLateWarp);
  const auto stalls = [&](const char* mechanism, report::StallCause cause) {
    kernel.clear_out();
    return kernel.run(with_unit(1, mechanism)).stalls[static_cast<unsigned>(cause)];
  };
  EXPECT_GT(stalls("tbc", report::StallCause::Compaction), 100u);  // a load takes longer
  EXPECT_LE(stalls("tbc", report::StallCause::NoWarp), 1u);        // one warp may exit a cycle before the other
  EXPECT_EQ(stalls("pdom", report::StallCause::Compaction), 0u);
}

// The second warp exits at once, and nobody waits for anybody: no warp diverges.
TEST(BlockCompactionInCore, the_place_of_threads_that_have_exited_does_not_wait) {
  const Kernel kernel{R"(
      setp.ge.u32 %p0, %thread, 32;
      @%p0 exit;
      ld.global.u32 %r2, [%mine];
      st.global.u32 [%mine], %r2;
      ret;)",
                      {1, 1, 1},
                      {64, 1, 1}};
  const report::LaunchRecord record = kernel.run(with_unit(1, "capri"));
  EXPECT_EQ(record.stalls[static_cast<unsigned>(report::StallCause::Compaction)], 0u);
  EXPECT_GT(record.stalls[static_cast<unsigned>(report::StallCause::NoWarp)], 100u);  // a load takes longer
}

TEST(BlockCompactionInCore, report_says_how_long_warps_waited_for_nothing) {
  const Kernel kernel = if_else(kLateWarp);
  IssueTimes times;
  const report::LaunchRecord record = kernel.run(with_unit(1), {.listener = &times});
  const Cycle early = times.of(0, kBranchOfLateWarp), late = times.of(1, kBranchOfLateWarp);
  ASSERT_EQ(record.branches.size(), 1u);
  const report::CompactionCount& count = record.branches[0].compaction;
  EXPECT_EQ(count.cycles_waited_for_nothing, late - early);
  EXPECT_EQ(count.waited, 2u);
  EXPECT_EQ(count.wrong, 1u);
  EXPECT_EQ(count.warps_before, 4u);
  EXPECT_EQ(count.warps_after, 4u);
}

TEST(BlockCompactionInCore, waiting_that_paid_was_not_for_nothing) {
  const report::LaunchRecord record = if_else(kOuterHalves).run(with_unit(1));
  const report::CompactionCount& count = record.branches[0].compaction;
  EXPECT_EQ(count.cycles_waited_for_nothing, 0u);
  EXPECT_EQ(count.right, 1u);
  EXPECT_EQ(count.warps_before, 4u);
  EXPECT_EQ(count.warps_after, 2u);
}

/// Warps that a branch's two sides need where threads have these lanes; before compaction they are four.
struct Permuted {
  const char* permutation;
  unsigned of_odd_threads, of_outer_halves;
};

class WarpsOfSides : public testing::TestWithParam<Permuted> {
 protected:
  static unsigned warps(const std::string& parts) {
    MachineSpec spec = with_unit(1);
    spec.divergence.lane_permutation = GetParam().permutation;
    const Kernel kernel = if_else(parts);
    const report::LaunchRecord record = kernel.run(spec);
    for (unsigned thread = 0; thread < 64; ++thread)
      EXPECT_EQ(kernel.out()[thread], thread + 1 + is_second(parts, thread)) << thread;
    EXPECT_EQ(record.branches.at(0).compaction.warps_before, 4u);
    return record.branches.at(0).compaction.warps_after;
  }

 private:
  static bool is_second(const std::string& parts, unsigned thread) {
    return parts == kOddThreads ? thread % 2 != 0 : (thread + 16) / 32 % 2 != 0;
  }
};

// The keys of the two warps: see lane_permutation_test. Threads of both warps have the same lanes, or the other ones.
TEST_P(WarpsOfSides, are_two_where_the_second_warps_key_moves_its_threads_out_of_the_firsts_lanes) {
  EXPECT_EQ(warps(kOddThreads), GetParam().of_odd_threads);
  EXPECT_EQ(warps(kOuterHalves), GetParam().of_outer_halves);
}

INSTANTIATE_TEST_SUITE_P(Of, WarpsOfSides,
                         testing::Values(Permuted{"identity", 4, 2},      // 0
                                         Permuted{"mirror-odd", 2, 4},    // 31: both odd and even, low and high change
                                         Permuted{"mirror-half", 2, 4},   // 31
                                         Permuted{"xor", 2, 2},           // 1: odd and even change places alone
                                         Permuted{"xor-reversed", 4, 4},  // 16: the halves alone
                                         Permuted{"balanced", 2, 4}),     // 31
                         [](const auto& info) { return testing::PrintToString(info.index); });

// Warp 0 diverges inside its side of a branch and then loops a thousand times, as warp 1 does on the other side. CAPRI
// II-C: nobody on the one side comes to the branch on the other, so that the loops run side by side as under pdom.
TEST(BlockCompactionInCore, capri_does_not_wait_for_warps_on_the_other_side_of_a_branch) {
  const Kernel kernel{R"(
      shr.u32 %r2, %thread, 5;
      and.b32 %r3, %thread, 1;
      mov.u32 %r4, 1000;
      setp.eq.u32 %p0, %r2, 0;
      @%p0 bra ZERO;
    ONE:
      sub.u32 %r4, %r4, 1;
      setp.gt.s32 %p1, %r4, 0;
      @%p1 bra ONE;
      bra MEET;
    ZERO:
      setp.eq.u32 %p0, %r3, 0;
      @%p0 bra EVEN;
      add.u32 %r5, %r5, 1;
    EVEN:
      sub.u32 %r4, %r4, 1;
      setp.gt.s32 %p1, %r4, 0;
      @%p1 bra EVEN;
    MEET:
      ret;)",
                      {1, 1, 1},
                      {64, 1, 1}};
  const Cycle pdom = kernel.run(with_unit(1, "pdom")).cycles;
  EXPECT_LE(kernel.run(with_unit(1, "capri")).cycles, pdom * 102 / 100);
}

// Section II-B has each warp that comes to the branch wait, and Figure 3 (e) each where the sides meet; in section II-C
// a warp that does not diverge does neither. Warp 1 has nothing to do; warp 0 does not diverge before it leaves its
// loop.
TEST(BlockCompactionInCore, a_warp_that_skips_an_if_waits_for_its_end_under_tbc_and_not_under_capri) {
  const Kernel kernel{R"(
      setp.ge.u32 %p0, %thread, 32;
      mov.u32 %r2, 100;
      @%p0 bra MEET;
    LOOP:
      sub.u32 %r2, %r2, 1;
      setp.gt.s32 %p1, %r2, 0;
      @%p1 bra LOOP;
    MEET:
      ret;)",
                      {1, 1, 1},
                      {64, 1, 1}};
  IssueTimes tbc, capri;
  kernel.run(with_unit(1, "tbc"), {.listener = &tbc});
  kernel.run(with_unit(1, "capri"), {.listener = &capri});
  EXPECT_GT(tbc.of(1, kFirst + 6), tbc.of(0, kFirst + 3) + 100u * 3);  // no turn takes less than a cycle an instruction
  EXPECT_LT(capri.of(1, kFirst + 6), capri.of(0, kFirst + 6) - 100u * 2);
}

// Threads that have exited are not counted at a barrier, which nobody would leave if warp 1 waited for its end.
TEST(BlockCompactionInCore, a_warp_may_return_before_a_barrier_of_the_others) {
  const Kernel kernel{R"(
      setp.ge.u32 %p0, %thread, 32;
      @%p0 bra END;
      bar.sync 0;
      st.global.u32 [%mine], %thread;
    END:
      ret;)",
                      {1, 1, 1},
                      {64, 1, 1}};
  for (const char* mechanism : {"pdom", "tbc", "capri"}) {
    kernel.clear_out();
    EXPECT_EQ(kernel.error(one_core(mechanism), {.max_cycles = 100000}), "") << mechanism;
    EXPECT_EQ(kernel.out()[31], 31u) << mechanism;
  }
}

/// CAPRI Figure 9 with loops of 100 turns; by pc the branches: outer halves, its loop, even threads, its loop.
std::vector<report::CompactionCount> figure_9(const char* mechanism, const char* predictor = "latest") {
  const std::string body = R"(
      add.u32 %r2, %thread, 16;
      shr.u32 %r2, %r2, 5;
      mov.u32 %r5, 0;
    LOOP_{0}:
      and.b32 %r3, %r2, 1;
      setp.ne.u32 %p0, %r3, 0;
      @%p0 bra SECOND_{0};
      add.u32 %r4, %r5, 1;
      bra MEET_{0};
    SECOND_{0}:
      add.u32 %r4, %r5, 1;
    MEET_{0}:
      mov.u32 %r5, %r4;
      setp.lt.u32 %p1, %r5, 100;
      @%p1 bra LOOP_{0};)";
  const Kernel kernel(fmt::format(fmt::runtime(body), "A") + "mov.u32 %r2, %thread; mov.u32 %r5, 0;" +
                          fmt::format(fmt::runtime(body.substr(body.find("LOOP_{0}:"))), "B") + "ret;",
                      {1, 1, 1}, {64, 1, 1});
  std::vector<report::CompactionCount> counts;
  MachineSpec spec = one_core(mechanism);
  spec.divergence.predictor = predictor;
  for (const report::BranchCount& branch : kernel.run(spec).branches) counts.push_back(branch.compaction);
  return counts;
}

// The loops' own branches part nobody.
TEST(BlockCompactionInCore, figure_9_tbc_waits_for_nothing_in_every_turn_of_the_second_loop) {
  const auto counts = figure_9("tbc");
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts[0].right, 100u);
  EXPECT_EQ(counts[0].warps_before, 400u);
  EXPECT_EQ(counts[0].warps_after, 200u);
  EXPECT_EQ(counts[2].wrong, 100u);
  EXPECT_EQ(counts[2].warps_before, 400u);
  EXPECT_EQ(counts[2].warps_after, 400u);
  for (unsigned loop : {1, 3}) EXPECT_EQ(counts[loop].right + counts[loop].wrong, 0u);
}

TEST(BlockCompactionInCore, figure_9_capri_mispredicts_exactly_once) {
  const auto counts = figure_9("capri");
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts[0].right, 100u);
  EXPECT_EQ(counts[0].bypassed, 0u);
  EXPECT_EQ(counts[2].wrong, 1u);
  EXPECT_EQ(counts[2].right, 0u);
  EXPECT_EQ(counts[2].bypassed, 2u * 99);  // two warps in the other turns
  EXPECT_EQ(counts[2].bypassed_right, 2u * 99);
  unsigned mispredicted = 0;
  for (const report::CompactionCount& count : counts) mispredicted += static_cast<unsigned>(count.wrong);
  EXPECT_EQ(mispredicted, 1u);
}

TEST(BlockCompactionInCore, figure_9_the_oracle_does_not_mispredict) {
  const auto counts = figure_9("capri", "oracle");
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts[0].right, 100u);
  EXPECT_EQ(counts[0].bypassed, 0u);
  EXPECT_EQ(counts[2].bypassed_right, 2u * 100);
  EXPECT_EQ(counts[2].right, 0u);
  for (const report::CompactionCount& count : counts) EXPECT_EQ(count.wrong + count.bypassed_wrong, 0u);
}

/// Threads 16 to 47 take the other side, so that each side runs in one place with halves of both warps. `before`: of
/// the threads at home; `within`: of the first side.
Kernel outer_halves(const std::string& before, const std::string& within) {
  return {before + kOuterHalves + R"(
      and.b32 %r3, %r2, 1;
      setp.ne.u32 %p0, %r3, 0;
      @%p0 bra MEET;
)" + within + R"(
    MEET:
      st.global.u32 [%mine], %r4;
      ret;)",
          {1, 1, 1},
          {64, 1, 1}};
}

// The load is of one of the two warps; the place's own registers know nothing of it.
TEST(BlockCompactionInCore, a_place_waits_for_the_registers_of_all_home_warps) {
  for (const char* loads : {"lt", "ge"}) {
    const Kernel kernel =
        outer_halves("setp." + std::string(loads) + ".u32 %p1, %thread, 32;" + "@%p1 ld.global.u32 %r5, [%mine];",
                     "add.u32 %r4, %r5, 1;");
    IssueTimes times;
    kernel.run(one_core("tbc"), {.listener = &times});
    const Pc load = kFirst + 1, use = kFirst + 2 + 2 + 3;
    const Cycle used = std::min(times.of(0, use), times.of(1, use));
    EXPECT_GT(used, std::max(times.of(0, load), times.of(1, load)) + 120) << loads;  // at least the way to the L2
  }
}

/// Cycles from one of two dependent additions to the next, of the first threads of warp 0 and the last ones of `other`,
/// which alone take a side.
Cycle between_dependent_additions(unsigned other) {
  const Kernel kernel{fmt::format(R"(
      setp.lt.u32 %p0, %thread, 16;
      setp.ge.u32 %p1, %thread, {};
      setp.lt.u32 %p2, %thread, {};
      and.pred %p1, %p1, %p2;
      or.pred %p0, %p0, %p1;
      @!%p0 bra MEET;
      mov.u32 %r4, 1;
      add.u32 %r4, %r4, 1;
      add.u32 %r4, %r4, 1;
    MEET:
      ret;)",
                                  other * 32 + 16, other * 32 + 32),
                      {1, 1, 1},
                      {544, 1, 1}};
  IssueTimes times;
  kernel.run(one_core("tbc"), {.listener = &times});
  return times.of(0, kFirst + 8) - times.of(0, kFirst + 7);
}

// A dependent addition follows after ten cycles (gtx480.md). The registers of warps 0 and 16 lie in one bank, so that
// to read the operand takes a cycle longer, and to write the result another one.
TEST(BlockCompactionInCore, home_warps_of_one_bank_are_read_and_written_one_after_the_other) {
  EXPECT_EQ(between_dependent_additions(1), 10u);
  EXPECT_EQ(between_dependent_additions(16), 10u + 1 + 1);
}

// A word of each thread of a warp lies in a line of the warp's: a place with halves of two warps touches two lines.
TEST(BlockCompactionInCore, local_memory_stays_where_the_home_warp_has_it) {
  const Kernel kernel =
      outer_halves(".local .align 4 .b8 own[64]; st.local.u32 [own + 4], %thread;", "ld.local.u32 %r4, [own + 4];");
  const report::LaunchRecord record = kernel.run(one_core("tbc"));
  EXPECT_EQ(record.memory.caches.l1d.accesses,
            2u + 2u + 2u);  // the stores at home, the load in one place, the results at home
}

}  // namespace block_compaction_in_core_test
}  // namespace warpfork::gpu

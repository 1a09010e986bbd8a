// CAPRI's oracle on whole launches: what it knows, and that its rehearsals leave no trace. Expected values by hand from
// docs/adr/0015 and CAPRI section II.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace oracle_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MachineSpec capri(const std::string& predictor, unsigned cores = 1) {
  MachineSpec spec = one_core("capri");
  spec.cores = cores;
  spec.divergence.predictor = predictor;
  return spec;
}

constexpr unsigned kTurns = 40;

/// Two warps go round a loop whose branch parts them into opposite halves (0 to 15 and 48 to 63 on one side) in turns
/// 0, 2, …, where four warps become two, and into odd and even threads in turns 1, 3, …, where four remain four. Every
/// thread adds up its turns in its own word, and one in `out`[1000].
Kernel alternating(Dim3 grid = {1, 1, 1}) {
  return {R"(
      mov.u32 %r9, %tid.x;
      add.u32 %r2, %r9, 16;
      shr.u32 %r2, %r2, 5;
      mov.u32 %r5, 0;
      mov.u32 %r7, 0;
    LOOP:
      and.b32 %r3, %r5, 1;
      setp.ne.u32 %p1, %r3, 0;
      selp.b32 %r6, %r9, %r2, %p1;
      and.b32 %r6, %r6, 1;
      setp.ne.u32 %p0, %r6, 0;
      @%p0 bra SECOND;
      add.u32 %r7, %r7, %r5;
      bra MEET;
    SECOND:
      add.u32 %r7, %r7, %r5;
    MEET:
      add.u32 %r5, %r5, 1;
      setp.lt.u32 %p2, %r5, 40;
      @%p2 bra LOOP;
      st.global.u32 [%mine], %r7;
      setp.eq.u32 %p3, %r9, 0;
      @%p3 red.global.add.u32 [%out + 4000], 1;
      ret;)",
          grid,
          {64, 1, 1}};
}

report::CompactionCount alternating_under(const std::string& predictor) {
  return alternating().run(capri(predictor)).branches.at(0).compaction;
}

// After each wait that pays "latest" waits once more, in vain; then it does not, where it would have paid.
TEST(Oracle, knows_when_a_branch_changes_its_mind_and_latest_does_not) {
  const report::CompactionCount latest = alternating_under("latest");
  EXPECT_EQ(latest.right, 1u);
  EXPECT_EQ(latest.wrong, kTurns / 2);
  EXPECT_EQ(latest.bypassed_wrong, 2 * (kTurns / 2 - 1));
  EXPECT_EQ(latest.bypassed_right, 0u);
  const report::CompactionCount oracle = alternating_under("oracle");
  EXPECT_EQ(oracle.right, kTurns / 2);
  EXPECT_EQ(oracle.wrong, 0u);
  EXPECT_EQ(oracle.bypassed_wrong, 0u);
  EXPECT_EQ(oracle.bypassed_right, 2 * (kTurns / 2));
  EXPECT_EQ(oracle.cycles_waited_for_nothing, 0u);
}

TEST(Oracle, memory_is_written_and_atomics_are_done_once) {
  const Kernel kernel = alternating({3, 1, 1});
  kernel.run(capri("oracle"));
  EXPECT_EQ(kernel.out()[1000], 3u);
  for (unsigned thread = 0; thread < 3 * 64; ++thread) EXPECT_EQ(kernel.out()[thread], kTurns * (kTurns - 1) / 2);
}

// Blocks learn for themselves, wherever they run.
TEST(Oracle, is_right_in_every_block_of_a_grid) {
  const report::LaunchRecord record = alternating({20, 1, 1}).run(capri("oracle", 3));
  const report::CompactionCount count = record.branches.at(0).compaction;
  EXPECT_EQ(count.right, 20 * kTurns / 2);
  EXPECT_EQ(count.wrong, 0u);
  EXPECT_EQ(count.bypassed_wrong, 0u);
}

TEST(Oracle, two_runs_give_equal_records) {
  const auto text = [] { return to_json(alternating({20, 1, 1}).run(capri("oracle", 3))).dump(); };
  EXPECT_EQ(text(), text());
}

/// No warp diverges, so that the predictor is never asked.
Kernel copying() { return {"ld.global.u32 %r2, [%mine]; st.global.u32 [%mine], %r2; ret;", {8, 1, 1}, {64, 1, 1}}; }

TEST(Oracle, rehearsals_leave_caches_and_counts_as_they_were) {
  const Kernel kernel = copying();
  Device rehearsed(capri("oracle")), plain(capri("always"));
  for (unsigned launch = 0; launch < 3; ++launch)
    EXPECT_EQ(to_json(kernel.run(rehearsed)).dump(), to_json(kernel.run(plain)).dump()) << launch;
}

TEST(Oracle, where_nothing_pays_the_run_is_that_of_never) {
  const Kernel kernel{R"(
      and.b32 %r3, %thread, 1;
      setp.ne.u32 %p0, %r3, 0;
      @%p0 bra ODD;
      add.u32 %r2, %thread, 1;
      bra MEET;
    ODD:
      add.u32 %r2, %thread, 2;
    MEET:
      st.global.u32 [%mine], %r2;
      ret;)",
                      {8, 1, 1},
                      {64, 1, 1}};
  EXPECT_EQ(to_json(kernel.run(capri("oracle"))).dump(), to_json(kernel.run(capri("never"))).dump());
}

TEST(Oracle, error_of_a_kernel_is_that_of_a_run_without_rehearsals) {
  const Kernel kernel("mov.u64 %d1, 16; st.global.u32 [%d1], %thread; ret;", {1, 1, 1}, {64, 1, 1});
  EXPECT_THAT(kernel.error(capri("oracle")), HasSubstr("0x10"));
  EXPECT_EQ(kernel.error(capri("oracle")), kernel.error(capri("always")));
}

TEST(Oracle, endless_kernel_ends_by_the_limit) {
  const Kernel kernel("LOOP: add.u32 %r2, %r2, 1; bra LOOP;", {1, 1, 1}, {64, 1, 1});
  EXPECT_THAT(kernel.error(capri("oracle"), {.max_cycles = 1000}), HasSubstr("still ran after 1000 cycles"));
}

TEST(Oracle, other_mechanisms_do_not_ask_for_it) {
  for (const char* mechanism : {"pdom", "tbc"}) {
    MachineSpec spec = capri("oracle"), same = capri("latest");
    spec.divergence.mechanism = same.divergence.mechanism = mechanism;
    EXPECT_EQ(to_json(alternating().run(spec)).dump(), to_json(alternating().run(same)).dump()) << mechanism;
  }
}

TEST(Oracle, functional_run_does_not_need_it) {
  const Kernel rehearsed = alternating(), plain = alternating();
  const LaunchOptions functional{.functional_only = true};
  EXPECT_EQ(to_json(rehearsed.run(capri("oracle"), functional)).dump(),
            to_json(plain.run(capri("always"), functional)).dump());
}

class Steps final : public report::LaunchListener {
 public:
  void block_started(const report::BlockEvent&) override { ++blocks; }
  void issued(const report::IssueEvent&) override { ++steps; }
  bool observes_issues() const override { return true; }

  std::uint64_t blocks = 0, steps = 0;
};

TEST(Oracle, steps_are_those_of_the_run_alone) {
  Steps heard;
  const report::LaunchRecord record = alternating({3, 1, 1}).run(capri("oracle"), {.listener = &heard});
  EXPECT_EQ(heard.blocks, 3u);
  EXPECT_EQ(heard.steps, record.warp_instructions);
}

class Rehearsals final : public LaunchProgress {
 public:
  void advanced(Cycle, std::uint64_t) override {}
  void rehearses(unsigned number) override { numbers.push_back(number); }

  std::vector<unsigned> numbers;
};

// The first rehearsal makes mistakes, the second one none.
TEST(Oracle, progress_tells_rehearsals_from_the_run) {
  Rehearsals heard;
  alternating().run(capri("oracle"), {.progress = &heard});
  EXPECT_THAT(heard.numbers, ElementsAre(1, 2, 0));
}

TEST(Oracle, launch_without_divergence_is_rehearsed_once) {
  Rehearsals heard;
  copying().run(capri("oracle"), {.progress = &heard});
  EXPECT_THAT(heard.numbers, ElementsAre(1, 0));
}

}  // namespace oracle_test
}  // namespace warpfork::gpu

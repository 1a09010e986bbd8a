// The three cores on random SPMD programs. Each checks itself while it runs: instructions commit once, in recorded
// order, on paths whose masks are those of the recording.
#include "ooo/cores.h"

#include <gtest/gtest.h>

#include "ooo/predict/divergence_predictor.h"
#include "unit/ooo/spmd_program.h"

namespace warpfork::ooo {
namespace {

constexpr unsigned kPrograms = 60;

class Unsynchronised final : public Synchronisation {
 public:
  bool passes(unsigned, const x86::SyncEvent&) override { return true; }
  void ended(unsigned) override {}
};

struct Outcome {
  CoreCounts counts;
  std::uint64_t recorded = 0;  // thread instructions
};

/// `threads` of the machine's threads run the program, the others nothing.
Outcome run(const std::string& core, MachineSpec machine, const SpmdProgram& program, unsigned seed, unsigned threads) {
  const CoreRecipe& recipe = find_core(core);
  machine = recipe.adapt(machine);
  Outcome outcome;
  std::vector<ThreadWindow> windows;
  for (unsigned thread = 0; thread < machine.warps * machine.threads; ++thread) {
    std::vector<SpmdProgram::Step> steps;
    if (thread < threads) steps = program.run(thread, seed);
    outcome.recorded += steps.size();
    windows.emplace_back(std::make_unique<SteppedStream>(std::move(steps)));
  }
  Unsynchronised free;
  const x86::Code unknown;  // wrong paths end where they begin
  const std::unique_ptr<Core> made = recipe.make(machine, windows, unknown, free);
  while (made->cycle()) {
  }
  outcome.counts = made->counts();
  return outcome;
}

struct Setup {
  const char* core;
  const char* rename;
  unsigned warps, threads;
};

class Cores : public ::testing::TestWithParam<Setup> {};

TEST_P(Cores, commit_what_was_recorded) {
  const auto [core, rename, warps, threads] = GetParam();
  MachineSpec machine;
  machine.warps = warps;
  machine.threads = threads;
  machine.rename = rename;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    const Outcome outcome = run(core, machine, SpmdProgram::random(seed), seed, warps * threads);
    EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << "seed " << seed;
    EXPECT_GT(outcome.counts.cycles, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Cores,
                         ::testing::Values(Setup{"smt", "rat", 2, 4}, Setup{"smt", "pirat", 1, 1},
                                           Setup{"ditva", "pirat", 2, 4}, Setup{"ditva", "pirat", 1, 64},
                                           Setup{"simt-x", "pirat", 2, 2}, Setup{"simt-x", "pirat", 2, 4},
                                           Setup{"simt-x", "pirat", 2, 8}, Setup{"simt-x", "pirat", 4, 4},
                                           Setup{"simt-x", "pirat", 1, 64}, Setup{"simt-x", "rat", 2, 4},
                                           Setup{"simt-x", "free-merge", 2, 4}),
                         [](const auto& info) {
                           std::string name = fmt::format("{}_{}_{}x{}", info.param.core, info.param.rename,
                                                          info.param.warps, info.param.threads);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

// SIMT-X 4.2: once the divergence predictor has learnt that nothing diverges (three times for each of its counters),
// there are no buops, hence no merges.
TEST(SingleThread, simt_x_is_as_fast_as_smt) {
  MachineSpec one, four;
  one.warps = one.threads = four.warps = 1;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const SpmdProgram program = SpmdProgram::random(seed, 3000);
    const Outcome smt = run("smt", one, program, seed, 1), simt_x = run("simt-x", four, program, seed, 1);
    EXPECT_LE(simt_x.counts.front.predicted_divergent, 3 * DivergencePredictor::kEntries) << "seed " << seed;
    EXPECT_NEAR(static_cast<double>(simt_x.counts.cycles), static_cast<double>(smt.counts.cycles),
                0.01 * static_cast<double>(smt.counts.cycles))
        << "seed " << seed;
  }
}

TEST(Cores, take_the_same_cycles_every_time) {
  const SpmdProgram program = SpmdProgram::random(8);
  for (const std::string& core : core_names())
    EXPECT_EQ(run(core, {}, program, 8, 8).counts.cycles, run(core, {}, program, 8, 8).counts.cycles);
}

}  // namespace
}  // namespace warpfork::ooo

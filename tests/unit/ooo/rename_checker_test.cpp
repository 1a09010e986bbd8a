// Whole cores under the rename oracle, and that it notices a merge which is left out.
#include "ooo/rename_checker.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "ooo/rename/deferred_merging.h"
#include "unit/ooo/core_setup.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace rename_checker_test {

constexpr unsigned kPrograms = 300;

class RenameOfCores : public ::testing::TestWithParam<CoreSetup> {};

TEST_P(RenameOfCores, gives_every_lane_its_own_last_writer) {
  std::uint64_t merges = 0;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    RenameChecker checker;
    const SpmdProgram program = SpmdProgram::random(seed);
    const CoreCounts counts = run_listened(GetParam().core, GetParam().machine(), program, seed, {&checker});
    EXPECT_EQ(checker.uops_checked() + checker.merges_checked(),
              counts.uops + (counts.merges != 0 && GetParam().rename == std::string("free-merge") ? counts.merges : 0))
        << "seed " << seed;
    EXPECT_EQ(checker.merges_checked(), counts.merges) << "seed " << seed;
    merges += checker.merges_checked();
  }
  EXPECT_EQ(merges == 0, GetParam().core == std::string("smt"));
}

// Later rounds of the program run with predictors that have learnt.
TEST_P(RenameOfCores, gives_every_lane_its_own_last_writer_in_twenty_rounds) {
  for (unsigned seed = 1; seed <= kPrograms / 3; ++seed) {
    RenameChecker checker;
    run_listened(GetParam().core, GetParam().machine(), SpmdProgram::random(seed, 20), seed, {&checker});
    EXPECT_NE(checker.uops_checked(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RenameOfCores,
                         ::testing::Values(CoreSetup{"smt", "pirat", 2, 4}, CoreSetup{"simt-x", "pirat", 2, 2},
                                           CoreSetup{"simt-x", "pirat", 2, 4}, CoreSetup{"simt-x", "pirat", 4, 4},
                                           CoreSetup{"simt-x", "pirat", 2, 8}, CoreSetup{"simt-x", "rat", 2, 2},
                                           CoreSetup{"simt-x", "rat", 2, 4}, CoreSetup{"simt-x", "rat", 4, 4},
                                           CoreSetup{"simt-x", "rat", 2, 8}, CoreSetup{"simt-x", "free-merge", 2, 2},
                                           CoreSetup{"simt-x", "free-merge", 2, 4},
                                           CoreSetup{"simt-x", "free-merge", 4, 4},
                                           CoreSetup{"simt-x", "free-merge", 2, 8},
                                           CoreSetup{"simt-x", "pirat-rewrite", 2, 4},
                                           CoreSetup{"simt-x", "pirat-rewrite", 2, 8}),
                         name_of);

// Threads come into a function from two places, meet there, and leave together by a return that so far has always gone
// to one: it is predicted uniform, and fetched again when its target turns out to be two. No part of it may have
// committed.
TEST(RenameOfCores, commit_a_return_once_though_it_turns_out_to_diverge) {
  SpmdProgram program;
  const std::uint64_t top = program.here();
  program.alu(0, 1);
  SpmdProgram::Choice rarely;
  rarely.percent = 10;
  x86::StaticInstruction& parts = program.branch(rarely);
  std::vector<x86::StaticInstruction*> calls = {&program.jump(x86::BranchKind::Call)};
  x86::StaticInstruction& over = program.jump(x86::BranchKind::Jump);
  parts.target = program.here();
  calls.push_back(&program.jump(x86::BranchKind::Call));
  over.target = program.here();
  program.branch({.percent = 0, .alike = true, .turns = 200, .more = 0}).target = top;
  program.end();
  for (x86::StaticInstruction* const call : calls) call->target = program.here();
  for (unsigned i = 0; i < 80; ++i) program.alu(1, 1);  // long enough for those behind to catch up
  program.return_from_function();
  const CoreSetup setup{"simt-x", "pirat", 2, 4};
  std::uint64_t missed = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RenameChecker checker;
    missed += run_listened(setup.core, setup.machine(), program, seed, {&checker}).front.missed_divergences;
  }
  EXPECT_GT(missed, 0u);
}

// What a recording leaves out may begin and end anywhere: threads go on at three places behind an ordinary instruction,
// and all of them elsewhere than where a jump leads.
TEST(RenameOfCores, follow_threads_that_go_on_anywhere_behind_a_gap) {
  constexpr unsigned kTurns = 20;
  SpmdProgram program;
  const std::uint64_t top = program.here();
  const auto two_steps = program.alu(0, 1).uops[0];
  program.add({two_steps, two_steps});
  const std::uint64_t places = program.here();
  for (unsigned place = 0; place < 3; ++place) program.alu(1, 2);
  program.jump(x86::BranchKind::Jump).target = top;
  const std::uint64_t end = program.here();
  program.end();
  std::vector<std::vector<SpmdProgram::Step>> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    std::vector<std::uint64_t> pcs;
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      pcs.insert(pcs.end(), {top, top + 4});
      for (std::uint64_t pc = places + 4 * (std::max(thread, 1u) - 1); pc < end; pc += 4) pcs.push_back(pc);
    }
    pcs.push_back(end);
    threads.push_back(program.follow(pcs));
  }
  for (const char* const core : {"ditva", "simt-x"}) {
    RenameChecker checker;
    CoreSetup setup{core, "pirat", 1, 4};
    const CoreCounts counts = run_listened(core, setup.machine(), threads, {&checker});
    EXPECT_EQ(counts.front.thread_instructions,
              threads[0].size() + threads[1].size() + threads[2].size() + threads[3].size())
        << core;
  }
}

/// Reads Main where Main and LDiv were to be merged: the merge is dropped.
class ForgetfulRenaming final : public RenameStrategy {
 public:
  using RenameStrategy::RenameStrategy;
  void begin_block() override {}
  RenameOutcome rename(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                       PathId path, RenamedUop& renamed) override {
    renamed = {};
    for (const x86::RegisterId source : sources) {
      const bool leading = table_.source(source, table_.lanes_of(path)) == SourceMapping::Leading;
      const RegisterPair pair = table_.mapping(source);
      renamed.sources[renamed.source_count++] = leading ? pair.leading : pair.main;
    }
    for (const x86::RegisterId destination : destinations)
      renamed.destinations[renamed.destination_count++] = table_.write(destination, path, WriteRule::ReplaceLeading);
    return RenameOutcome::Renamed;
  }
};

/// Renames µops of a warp of four lanes and commits each at once.
template <class Strategy>
class OneByOne {
 public:
  template <class... Arguments>
  explicit OneByOne(Arguments... arguments) : strategy_(Pirat(paths, free_), arguments...) {
    checker.started(0, paths, &strategy_.table());
  }

  void run(PathId path, std::uint64_t pc, std::vector<x86::RegisterId> sources,
           std::vector<x86::RegisterId> destinations) {
    x86::StaticInstruction instruction;
    instruction.pc = pc;
    const Fetched fetched{.instruction = &instruction, .lanes = paths.mask(path), .path = path};
    x86::Uop operation;
    std::ranges::copy(sources, operation.sources.begin());
    RenamedUop renamed;
    strategy_.begin_block();
    ASSERT_EQ(strategy_.rename(sources, destinations, path, renamed), RenameOutcome::Renamed);
    for (const Merge& merge : renamed.merges_before()) {
      checker.entered({0, 0, pc, ++uop_, fetched, nullptr, nullptr, &merge, &strategy_.table()});
      commit(merge.path == kNoPath ? 0 : paths.mask(merge.path), {&merge.renaming, 1});
    }
    checker.entered({0, 0, pc, ++uop_, fetched, &operation, &renamed, nullptr, &strategy_.table()});
    commit(fetched.lanes, renamed.written());
  }

  PathTable paths{{4, 8}};
  RenameChecker checker;

 private:
  void commit(LaneMask lanes, std::span<const Renaming> renamings) {
    checker.committed({0, 0, uop_, lanes, &strategy_.table()});
    for (const Renaming& renaming : renamings) strategy_.table().commit(renaming);
  }

  FreeList free_{40, 40, 16};
  Strategy strategy_;
  std::uint64_t uop_ = 0;
};

/// Figure 1(c): h1 (0011) writes r1, h2 (1100) r2, and h3 reads r1 when they have met.
template <class Machine>
void run_figure_1c(Machine& machine) {
  machine.paths.start(0b1111);
  Divergence branch{0, machine.paths.predict_divergence(0), kNoPath};
  machine.paths.resolve(branch, 0b0011);
  machine.paths.commit(branch);
  machine.run(branch.created, 0x1004, {0}, {1});
  machine.run(branch.alternate, 0x1008, {0}, {2});
  const Convergence meeting{branch.created, branch.alternate,
                            machine.paths.predict_convergence(branch.created, branch.alternate)};
  machine.paths.resolve(meeting);
  machine.paths.commit(meeting);
  machine.run(meeting.created, 0x100c, {1}, {});
}

TEST(RenameChecker, is_content_with_figure_1c) {
  OneByOne<DeferredMerging> machine(MergingVariant::Pirat);
  run_figure_1c(machine);
  EXPECT_EQ(machine.checker.merges_checked(), 1u);
}

// Registers begin in p0, p1, …, with values 1, 2, …, one a register, so that r1 is value 2; the write in h1 is
// value 38. Reading Main, lane 0 of h3 would get what was there before h1.
TEST(RenameChecker, notices_a_strategy_that_drops_the_merge_of_figure_1c) {
  OneByOne<ForgetfulRenaming> machine;
  try {
    run_figure_1c(machine);
    FAIL() << "not noticed";
  } catch (const InvariantError& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith(
                    "renaming: µop 3 at 100c (warp 0) reads rcx of lane 0 from p1, which holds value 2, not 38:\n"
                    "    main  m/t   ldiv\n"));
  }
}

/// Hands on what it hears, but of merges that they select no lane.
class LosesMerges final : public CoreListener {
 public:
  void started(unsigned warp, const PathTable& paths, const Pirat* table) override {
    checker_.started(warp, paths, table);
  }
  void entered(const Entry& entry) override {
    if (entry.merge == nullptr) return checker_.entered(entry);
    Merge merge = *entry.merge;
    merge.path = kNoPath;
    merge.mask = 0;
    Entry lost = entry;
    lost.merge = &merge;
    checker_.entered(lost);
    ++merges;
  }
  void committed(const Commit& commit) override { checker_.committed(commit); }
  void flushed(Cycle at, unsigned warp, std::uint64_t instruction) override { checker_.flushed(at, warp, instruction); }

  unsigned merges = 0;

 private:
  RenameChecker checker_;
};

// Not in all of them: nobody may read a merged register again.
TEST(RenameChecker, notices_lost_merges_in_most_programs) {
  unsigned noticed = 0, with_merges = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    LosesMerges mutant;
    try {
      run_listened("simt-x", CoreSetup{"simt-x", "pirat", 2, 4}.machine(), SpmdProgram::random(seed), seed, {&mutant});
    } catch (const InvariantError&) {
      ++noticed;
    }
    with_merges += mutant.merges != 0;
  }
  EXPECT_GT(2 * noticed, with_merges);
  EXPECT_GT(noticed, 0u);
  RecordProperty("noticed", static_cast<int>(noticed));
  RecordProperty("with_merges", static_cast<int>(with_merges));
}

}  // namespace rename_checker_test
}  // namespace warpfork::ooo

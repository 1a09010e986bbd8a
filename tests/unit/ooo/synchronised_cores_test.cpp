// The three cores on threads that wait for each other: nobody passes a lock or a barrier too early, and all end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ooo/rename_checker.h"
#include "unit/ooo/core_setup.h"
#include "unit/ooo/listened_run.h"
#include "unit/ooo/recorded_events.h"

namespace warpfork::ooo {
namespace synchronised_cores_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using enum x86::SyncKind;

using Threads = std::vector<std::vector<SpmdProgram::Step>>;  // steps of each

Threads recorded_threads(const SpmdProgram& program, unsigned seed, unsigned count) {
  Threads threads;
  for (unsigned thread = 0; thread < count; ++thread) threads.push_back(program.run(thread, seed));
  record_events(threads, seed);
  return threads;
}

std::uint64_t steps_of(const Threads& threads) {
  std::uint64_t steps = 0;
  for (const auto& thread : threads) steps += thread.size();
  return steps;
}

class SynchronisedCores : public ::testing::TestWithParam<CoreSetup> {};

TEST_P(SynchronisedCores, keep_to_locks_and_barriers) {
  const MachineSpec machine = GetParam().machine();
  std::uint64_t events = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const SpmdProgram program = SpmdProgram::random_synchronised(seed);
    const Threads threads = recorded_threads(program, seed, machine.warps * machine.threads);
    JudgedSynchronisation synchronisation(events_of(threads), machine.warps * machine.threads);
    const CoreCounts counts = run_listened(GetParam().core, machine, threads, synchronisation, {});
    EXPECT_EQ(counts.front.thread_instructions, steps_of(threads)) << "seed " << seed;
    EXPECT_EQ(synchronisation.faults(), 0u) << "seed " << seed;
    EXPECT_FALSE(synchronisation.judge().anything_is_held());
    events += synchronisation.passed();
  }
  EXPECT_GT(events, 10000u);
}

// Threads go on anywhere, also from where others end, and may meet others several times between two instructions.
TEST_P(SynchronisedCores, follow_recordings_with_gaps) {
  const MachineSpec machine = GetParam().machine();
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const SpmdProgram program = SpmdProgram::random_synchronised(seed);
    Threads threads = recorded_threads(program, seed, machine.warps * machine.threads);
    leave_stretches_out(threads, seed);
    JudgedSynchronisation synchronisation(events_of(threads), machine.warps * machine.threads);
    RenameChecker checker;
    const CoreCounts counts = run_listened(GetParam().core, machine, threads, synchronisation, {&checker});
    EXPECT_EQ(counts.front.thread_instructions, steps_of(threads)) << "seed " << seed;
    EXPECT_EQ(synchronisation.faults(), 0u) << "seed " << seed;
    EXPECT_FALSE(synchronisation.judge().anything_is_held());
  }
}

// Nothing is fetched between the barriers: that threads have gone past one must be noticed all the same.
TEST_P(SynchronisedCores, go_past_many_barriers_at_once) {
  const MachineSpec machine = GetParam().machine();
  SpmdProgram program;
  program.alu(0, 1);
  for (unsigned round = 0; round < 5; ++round)
    for (const bool leaves : {false, true}) program.event(Barrier, leaves, 0xb0);
  program.end();
  const Threads threads = recorded_threads(program, 1, machine.warps * machine.threads);
  JudgedSynchronisation synchronisation(events_of(threads), machine.warps * machine.threads);
  const CoreCounts counts = run_listened(GetParam().core, machine, threads, synchronisation, {});
  EXPECT_EQ(counts.front.thread_instructions, 2 * threads.size());
  EXPECT_EQ(synchronisation.faults(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, SynchronisedCores,
                         ::testing::Values(CoreSetup{"smt", "pirat", 2, 4}, CoreSetup{"ditva", "pirat", 2, 2},
                                           CoreSetup{"ditva", "pirat", 2, 4}, CoreSetup{"ditva", "pirat", 1, 16},
                                           CoreSetup{"simt-x", "pirat", 2, 2}, CoreSetup{"simt-x", "pirat", 2, 4},
                                           CoreSetup{"simt-x", "pirat", 4, 4}, CoreSetup{"simt-x", "pirat", 1, 16}),
                         name_of);

/// Two threads, each of which takes a lock at 1004 and the other's at 100c.
Threads embrace(const SpmdProgram& program) {
  Threads threads;
  for (const std::uint64_t first : {0xa0, 0xb0}) {
    threads.push_back(program.run(0, 0));
    const std::uint64_t second = first == 0xa0 ? 0xb0 : 0xa0;
    threads.back()[1].events = {{Lock, true, first, 0}};
    threads.back()[3].events = {{Lock, true, second, 0}};
  }
  return threads;
}

class Deadlock : public ::testing::TestWithParam<const char*> {};

TEST_P(Deadlock, is_an_error_with_the_place_of_each_thread) {
  MachineSpec machine;
  machine.warps = 1;
  machine.threads = 2;
  SpmdProgram program;
  for (int instruction = 0; instruction < 5; ++instruction) program.alu(0, 1);
  program.end();
  ReplayedSynchronisation synchronisation;
  synchronisation.finish();
  try {
    run_listened(GetParam(), machine, embrace(program), synchronisation, {});
    ADD_FAILURE() << "all threads have ended";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("no thread can go on"),
                      HasSubstr("thread 0: 3 instructions done, next at 100c, before it end of lock b0\n"),
                      HasSubstr("thread 1: 3 instructions done, next at 100c, before it end of lock a0\n")));
  }
  EXPECT_EQ(synchronisation.describe(), "thread 0 holds lock a0\nthread 1 holds lock b0\n");
}

INSTANTIATE_TEST_SUITE_P(All, Deadlock, ::testing::Values("smt", "ditva", "simt-x"), [](const auto& info) {
  const std::string core = info.param;
  return core == "simt-x" ? "simt_x" : core;
});

}  // namespace synchronised_cores_test
}  // namespace warpfork::ooo

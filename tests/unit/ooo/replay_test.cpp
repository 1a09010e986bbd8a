// Recordings of small programs on the three cores.
#include "ooo/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/error.h"
#include "ooo/rename_checker.h"
#include "unit/ooo/recorded_events.h"
#include "unit/x86/recorded_guest.h"
#include "unit/x86/recording_builder.h"

namespace warpfork::ooo {
namespace replay_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

MachineSpec machine(unsigned warps, unsigned threads) {
  MachineSpec machine;
  machine.warps = warps;
  machine.threads = threads;
  return machine;
}

std::uint64_t instructions_of(const x86::Recording& recording) {
  std::uint64_t instructions = 0;
  for (unsigned thread = 0; thread < recording.threads(); ++thread)
    instructions += x86::pcs_of(*recording.open(thread)).size();
  return instructions;
}

/// The guest on all cores: each commits every instruction of every thread, and does the same when it does it again.
void expect_that_all_cores_run(const x86::Recording& recording, const MachineSpec& machine) {
  const std::uint64_t instructions = instructions_of(recording);
  const Replay replay(recording);
  EXPECT_EQ(replay.instructions(), instructions);
  for (const CoreRecipe& core : core_recipes()) {
    const CoreCounts counts = replay.run(core, machine, nullptr).counts;
    EXPECT_EQ(counts.front.thread_instructions, instructions) << core.name;
    EXPECT_EQ(replay.run(core, machine, nullptr).counts.cycles, counts.cycles) << core.name;
    EXPECT_LE(counts.occupancy(), machine.threads) << core.name;
    EXPECT_LE(counts.ipc(), machine.threads * machine.pipeline.issue_width) << core.name;
  }
}

// Three that work, one that sleeps, and the first: barriers, mutexes, a condition variable, threads created and joined.
TEST(Replay, of_threads_runs_on_all_cores) {
  const x86::Recording recording(x86::record_guest("threads", "3 10 100"));
  EXPECT_EQ(Replay(recording).threads(), 5u);
  expect_that_all_cores_run(recording, machine(2, 4));
}

TEST(Replay, of_locks_that_are_tried_runs_on_all_cores) {
  expect_that_all_cores_run(x86::Recording(x86::record_guest("tries")), machine(2, 4));
}

TEST(Replay, of_openmp_regions_runs_on_all_cores) {
  const x86::Recording recording(x86::record_guest("regions", "4"));
  EXPECT_EQ(Replay(recording).threads(), 4u);
  expect_that_all_cores_run(recording, machine(1, 4));
}

// Only the function's instructions are recorded, but who created whom is known from outside it.
TEST(Replay, of_a_region_runs_on_all_cores) {
  const x86::Recording recording(x86::record_guest("threads", "4 10 100", {"", {"worker_body"}, 0}));
  EXPECT_EQ(Replay(recording).threads(), 4u);
  expect_that_all_cores_run(recording, machine(2, 2));
}

// How often the threads spin differs from one recording to the next, but what is run instead hardly does.
TEST(Replay, leaves_out_what_only_waits) {
  const x86::Recording recording(x86::record_guest("spins", "10000", {"", {"wait_for_flag", "take_lock"}, 0}));
  const Replay replay(recording);
  EXPECT_EQ(replay.instructions() + replay.spinning(), instructions_of(recording));
  EXPECT_LT(replay.instructions(), 40u);
  EXPECT_GT(replay.spinning(), 100u);
  const CoreCounts counts = replay.run(find_core("simt-x"), machine(1, 4), nullptr).counts;
  EXPECT_EQ(counts.front.thread_instructions, replay.instructions());
}

// Three that work and the first; one sleeps when the three have been joined.
TEST(Replay, needs_a_lane_for_each_thread_that_runs_at_once) {
  const x86::Recording recording(x86::record_guest("threads", "3 1"));
  const Replay replay(recording);
  EXPECT_EQ(replay.threads(), 5u);
  EXPECT_EQ(replay.contexts(), 4u);
  try {
    replay.run(find_core("simt-x"), machine(1, 3), nullptr);
    ADD_FAILURE() << "has run";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(recording.path()), HasSubstr("4 threads at once"),
                                    HasSubstr("1 warp of 3"), HasSubstr("--warps and --threads")));
  }
  EXPECT_NO_THROW(replay.run(find_core("simt-x"), machine(1, 4), nullptr));
}

/// Says in which lanes threads began in the place of others.
class Beginnings final : public CoreListener {
 public:
  void began(unsigned warp, LaneMask lanes) override {
    for_each_lane(lanes, [&](unsigned lane) { of_lane.at(8 * warp + lane) += 1; });
  }
  std::array<unsigned, 16> of_lane{};
};

void put_mark(std::vector<std::uint32_t>& tokens, x86::SyncKind kind, bool leaves, std::uint32_t object,
              std::uint32_t sequence) {
  tokens.insert(tokens.end(), {x86::kMarkToken, static_cast<std::uint32_t>(kind) | std::uint32_t{leaves} << 8, object,
                               0, sequence, 0});
}

/// The first thread makes another and then a third, which does one instruction; `joins`: it waits for the one before.
std::string two_after_one_another(bool joins) {
  x86::RecordingBuilder builder;
  std::uint64_t pc = 0x1000;
  const auto work = [&] { return builder.block(pc++, {{0x90}}); };
  std::uint32_t sequence = 0;
  std::vector<std::uint32_t> first, others[2];
  const auto mark = [&](std::vector<std::uint32_t>& tokens, x86::SyncKind kind, bool leaves, std::uint32_t object) {
    put_mark(tokens, kind, leaves, object, ++sequence);
  };
  const auto call = [&](x86::SyncKind kind, std::uint32_t object) {
    mark(first, kind, false, object);
    first.push_back(work());
    mark(first, kind, true, object);
    first.push_back(work());
  };
  mark(first, x86::SyncKind::ThreadStart, false, 0);
  first.push_back(work());
  for (std::uint32_t other : {1u, 2u}) {
    mark(others[other - 1], x86::SyncKind::ThreadStart, false, 0);
    others[other - 1].push_back(work());
    call(x86::SyncKind::ThreadCreate, other);
    if (joins) call(x86::SyncKind::ThreadJoin, other);
  }
  for (std::uint32_t thread = 0; thread < 3; ++thread) builder.thread();
  builder.frame(0, first);
  builder.frame(1, others[0]);
  builder.frame(2, others[1]);
  return builder.write();
}

// By hand: of a thread that nobody joins it is not known when it ended.
TEST(Replay, counts_threads_that_run_at_once) {
  const x86::Recording joined(two_after_one_another(true)), left_alone(two_after_one_another(false));
  const Replay one_by_one(joined), together(left_alone);
  EXPECT_EQ(one_by_one.threads(), 3u);
  EXPECT_EQ(one_by_one.contexts(), 2u);
  EXPECT_EQ(together.contexts(), 3u);
  Beginnings beginnings;
  const std::array<CoreListener*, 1> listeners = {&beginnings};
  const CoreCounts counts = one_by_one.run(find_core("simt-x"), machine(2, 1), nullptr, listeners).counts;
  EXPECT_EQ(counts.front.thread_instructions, 9u + 2);
  EXPECT_EQ(beginnings.of_lane[8], 2u);  // one after another in the second warp
  EXPECT_THROW(together.run(find_core("simt-x"), machine(2, 1), nullptr), Error);
}

// Four workers, created and joined ten times.
TEST(Replay, of_workers_that_are_created_anew_runs_on_as_many_lanes_as_run_at_once) {
  const x86::Recording recording(x86::record_guest("rounds", "4 10"));
  const Replay replay(recording);
  EXPECT_EQ(replay.threads(), 41u);
  EXPECT_EQ(replay.contexts(), 5u);
  expect_that_all_cores_run(recording, machine(1, 5));
  expect_that_all_cores_run(recording, machine(2, 4));
  RenameChecker checker;
  Beginnings beginnings;
  const std::array<CoreListener*, 2> listeners = {&checker, &beginnings};
  replay.run(find_core("simt-x"), machine(1, 8), nullptr, listeners);
  EXPECT_GT(checker.uops_checked(), replay.instructions());
  EXPECT_EQ(beginnings.of_lane[0], 0u);  // the first thread begins with the run, and keeps its lane
  unsigned begun = 0;
  for (unsigned lane = 1; lane < 5; ++lane) begun += beginnings.of_lane[lane];
  EXPECT_EQ(begun, 40u);
}

// Who creates them has no instructions: of each round the four are there at once.
TEST(Replay, of_a_region_of_workers_that_are_created_anew_takes_their_lanes_alone) {
  const x86::Recording recording(x86::record_guest("rounds", "4 10", {"", {"worker"}, 0}));
  EXPECT_EQ(Replay(recording).threads(), 40u);
  EXPECT_EQ(Replay(recording).contexts(), 4u);
  expect_that_all_cores_run(recording, machine(1, 4));
}

/// Two threads call a function: one returns, the other jumps back, as longjmp() does, and loads from its stack.
std::string one_jumps_out_of_a_call() {
  x86::RecordingBuilder builder;
  const auto call = builder.block(0x1000, {{0xe8, 0xfb, 0, 0, 0}}), test = builder.block(0x1100, {{0x75, 0x0e}}),
             back = builder.block(0x1102, {{0xc3}}), jump = builder.block(0x1110, {{0xff, 0xe0}}),
             behind = builder.block(0x1005, {{0x48, 0x8b, 0x44, 0x24, 0x10}, {0x75, 0x0e}}),
             last = builder.block(0x101a, {8, {0x90}});
  for (const bool returns : {true, false}) {
    const std::uint32_t thread = returns ? 0 : 1;
    builder.thread();
    std::vector<std::uint32_t> tokens = {call, x86::access_token(0, true, 3, 0x7000), test};
    if (returns)
      tokens.insert(tokens.end(), {back, x86::access_token(0, false, 3, 0x7000)});
    else
      tokens.push_back(jump);
    tokens.insert(tokens.end(), {behind, x86::access_token(0, false, 3, 0x7018), last});
    builder.frame(thread, tokens);
  }
  return builder.write();
}

// At the latest behind the branch that follows: the last eight instructions are executed together.
TEST(Replay, of_threads_that_leave_a_call_by_jump_and_by_return_brings_them_together) {
  const x86::Recording recording(one_jumps_out_of_a_call());
  for (const CoreRecipe& core : core_recipes()) {
    if (std::string_view(core.name) == "smt") continue;
    const CoreCounts counts = Replay(recording).run(core, machine(1, 2), nullptr).counts;
    EXPECT_EQ(counts.front.convergences, 1u) << core.name;
    EXPECT_EQ(counts.front.thread_instructions - counts.front.instructions, 2u + 8) << core.name;
  }
}

/// Of the first thread nothing is recorded; two others take a lock each, and then the other's.
std::string embrace() {
  x86::RecordingBuilder builder;
  builder.thread();
  std::uint64_t pc = 0x1000;
  std::uint32_t sequence = 0;
  for (const std::uint32_t thread : {1u, 2u}) {
    builder.thread();
    std::vector<std::uint32_t> tokens = {builder.block(pc++, {{0x90}})};
    for (const std::uint32_t lock : {thread == 1 ? 0xa0u : 0xb0u, thread == 1 ? 0xb0u : 0xa0u}) {
      put_mark(tokens, x86::SyncKind::Lock, false, lock, ++sequence);
      put_mark(tokens, x86::SyncKind::Lock, true, lock, ++sequence);
      tokens.push_back(builder.block(pc++, {{0x90}}));
    }
    builder.frame(thread, tokens);
  }
  return builder.write();
}

// They are in lanes 0 and 1.
TEST(Replay, that_cannot_go_on_calls_threads_by_their_numbers_in_the_recording) {
  const x86::Recording recording(embrace());
  try {
    Replay(recording).run(find_core("simt-x"), machine(1, 2), nullptr);
    ADD_FAILURE() << "has run";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("thread 1: 2 instructions done, next at 1002, before it end of lock b0\n"
                                "thread 2: 2 instructions done, next at 1005, before it end of lock a0\n"),
                      HasSubstr("thread 1 holds lock a0\nthread 2 holds lock b0\n")));
  }
}

TEST(Replay, tells_how_far_it_is) {
  const x86::Recording recording(x86::record_guest("threads", "1 1 200000"));
  std::vector<std::uint64_t> read;
  const Replay replay(recording, [&](std::uint64_t instructions) { read.push_back(instructions); });
  EXPECT_EQ(read.size(), replay.instructions() >> 20);
  std::vector<std::uint64_t> told;
  replay.run(find_core("ditva"), machine(1, 3), [&](std::uint64_t committed) { told.push_back(committed); });
  ASSERT_GT(told.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_GT(told.back(), replay.instructions() / 2);
  EXPECT_LE(told.back(), replay.instructions());
}

class ContendedLock : public ::testing::TestWithParam<const char*> {};

// Whatever the order in which threads get a lock, they have it one at a time; no thread leaves the barrier early.
TEST_P(ContendedLock, is_held_by_one_thread_at_a_time) {
  constexpr unsigned kWorkers = 6;
  const x86::Recording recording(x86::record_guest("threads", "6 20"));
  ASSERT_EQ(recording.threads(), kWorkers + 2);
  Events events;
  std::vector<ThreadWindow> windows;
  for (unsigned thread = 0; thread < recording.threads(); ++thread) {
    events.emplace_back();
    for (const x86::DynamicInstruction& executed : x86::all_of(*recording.open(thread)))
      events.back().insert(events.back().end(), executed.events.begin(), executed.events.end());
    windows.emplace_back(recording.open(thread));
  }
  JudgedSynchronisation synchronisation(events, kWorkers);
  const CoreRecipe& recipe = find_core(GetParam());
  const auto core = recipe.make(recipe.adapt(machine(2, 4)), windows, recording.code(), synchronisation);
  while (core->cycle()) {
  }
  EXPECT_EQ(core->counts().front.thread_instructions, instructions_of(recording));
  EXPECT_EQ(synchronisation.faults(), 0u);
  EXPECT_FALSE(synchronisation.judge().anything_is_held());
  EXPECT_GT(synchronisation.passed(), kWorkers * 20 * 6u);  // lock, unlock and barrier begin and end
}

INSTANTIATE_TEST_SUITE_P(All, ContendedLock, ::testing::Values("smt", "ditva", "simt-x"), [](const auto& info) {
  const std::string core = info.param;
  return core == "simt-x" ? "simt_x" : core;
});

}  // namespace replay_test
}  // namespace warpfork::ooo

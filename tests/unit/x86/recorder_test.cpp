// What the recorder and the reader make of real programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <set>
#include <span>

#include "unit/x86/recorded_guest.h"
#include "unit/x86/single_stepper.h"
#include "x86/elf_program.h"

namespace warpfork::x86 {
namespace recorder_test {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void expect_same_way(const std::string& guest, const std::string& function, const RecorderRequest& request) {
  const std::uint64_t begin = read_elf_program(guest_path(guest)).symbols.find(function)->address;
  const auto steps = single_steps(guest_path(guest), begin);
  if (!steps) GTEST_SKIP() << "this system does not let a process trace its child";
  const Recording recording(record_guest(guest, "", request));
  const std::vector<std::uint64_t> pcs = pcs_of(*recording.open(0));
  ASSERT_EQ(pcs.size(), steps->size());
  for (std::size_t number = 0; number < pcs.size(); ++number)
    ASSERT_EQ(recording.symbols().text(pcs[number]), recording.symbols().text((*steps)[number])) << number;
}

TEST(Recorder, goes_the_way_that_single_steps_go) { expect_same_way("control", "_start", {}); }

TEST(Recorder, goes_the_way_that_single_steps_go_within_a_region) {
  expect_same_way("library", "body", {"", {"body"}, 0});
}

/// Addresses of the guest `accesses` relative to its buffers: what its source says beside each instruction.
class Accesses : public testing::Test {
 protected:
  std::uint64_t address(const char* name) const { return recording_.symbols().find(name)->address; }
  /// The `number`th instruction of every_kind.
  const DynamicInstruction& at(std::size_t number) const {
    std::size_t first = 0;
    while (all_[first].instruction->pc != address("every_kind")) ++first;
    return all_[first + number];
  }

  Recording recording_{record_guest("accesses")};
  std::vector<DynamicInstruction> all_ = all_of(*recording_.open(0));
};

TEST_F(Accesses, of_all_sizes_are_one_each) {
  const std::uint64_t source = address("source"), target = address("target");
  EXPECT_THAT(at(0).addresses, ElementsAre(source));
  EXPECT_THAT(at(1).addresses, ElementsAre(target + 8));
  EXPECT_THAT(at(5).addresses, ElementsAre(source + 64));
  EXPECT_THAT(at(6).addresses, ElementsAre(source + 128));
  EXPECT_THAT(at(7).addresses, ElementsAre(target + 160));
  EXPECT_THAT(at(20).addresses, ElementsAre(source + 512));
  EXPECT_THAT(at(21).addresses, ElementsAre(target + 512));
}

TEST_F(Accesses, that_load_and_store_are_two_at_one_place) {
  const std::uint64_t source = address("source");
  EXPECT_THAT(at(2).addresses, ElementsAre(source + 16, source + 16));
  EXPECT_THAT(at(3).addresses, ElementsAre(source + 32, source + 32));
  EXPECT_THAT(at(4).addresses, ElementsAre(source + 40, source + 40));
}

TEST_F(Accesses, of_the_stack_are_seen) {
  const std::uint64_t source = address("source"), target = address("target");
  const std::uint64_t stack = at(8).addresses[1];
  EXPECT_THAT(at(8).addresses, ElementsAre(source + 256, stack));
  EXPECT_THAT(at(9).addresses, ElementsAre(stack, target + 264));
  EXPECT_THAT(at(22).addresses, ElementsAre(stack + 8));  // the return address
}

TEST_F(Accesses, of_a_gather_are_its_elements) {
  std::vector<std::uint64_t> elements;  // indices 0, 3, 6 … of 4 bytes each
  for (std::uint64_t number = 0; number < 8; ++number) elements.push_back(address("source") + 12 * number);
  EXPECT_EQ(at(13).addresses, elements);
}

TEST_F(Accesses, of_a_repetition_are_those_of_every_iteration) {
  const std::uint64_t source = address("source"), target = address("target");
  EXPECT_THAT(at(17).addresses, ElementsAre(source, target, source + 8, target + 8, source + 16, target + 16));
  EXPECT_EQ(at(17).next_pc, at(18).instruction->pc);
  EXPECT_THAT(at(19).addresses, IsEmpty());
}

// Of `rep movsq`, of three iterations, and `rep stosb`, of none.
TEST_F(Accesses, of_a_repetition_are_of_one_instruction) { EXPECT_EQ(recording_.instructions(0), all_.size() - 1); }

TEST_F(Accesses, of_a_repetition_are_all_there_if_it_is_the_last_one_up_to_a_limit) {
  const auto limit = static_cast<std::uint64_t>(&at(17) - all_.data()) + 1;
  const Recording cut(record_guest("accesses", "", {"", {}, limit}));
  const std::vector<DynamicInstruction> some = all_of(*cut.open(0));
  ASSERT_EQ(some.size(), limit + 1);
  EXPECT_EQ(some[limit - 1].addresses, at(17).addresses);
}

TEST(Recorder, every_instruction_follows_from_the_one_before) {
  const Recording recording(record_guest("threads", "3 20"));
  ASSERT_EQ(recording.threads(), 5u);
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    const std::vector<DynamicInstruction> all = all_of(*recording.open(thread));
    for (std::size_t number = 0; number + 2 < all.size(); ++number) {
      const StaticInstruction& instruction = *all[number].instruction;
      ASSERT_EQ(all[number].next_pc, all[number + 1].instruction->pc);
      const bool falls_through = all[number].next_pc == instruction.fall_through();
      if (instruction.branch == BranchKind::None) {
        ASSERT_TRUE(falls_through || instruction.repeats) << recording.symbols().text(instruction.pc);
      } else if (instruction.target != 0) {
        ASSERT_TRUE(falls_through || all[number].next_pc == instruction.target);
      }
    }
    EXPECT_EQ(all[all.size() - 2].next_pc, 0u);
  }
}

TEST(Recorder, follows_a_signal_handler) {
  const Recording recording(record_guest("endings", "signal"));
  std::vector<std::string> names;
  for (const std::uint64_t pc : pcs_of(*recording.open(0)))
    for (const char* name : {"on_signal", "after_signal"})
      if (recording.symbols().text(pc) == name) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("on_signal", "after_signal"));
}

/// How deep in calls a thread enters `probe`, which one function calls.
std::set<std::uint32_t> depths_of_probe(const Recording& recording) {
  std::set<std::uint32_t> depths;
  const std::uint64_t probe = recording.symbols().find("probe")->address;
  for (const DynamicInstruction& executed : all_of(*recording.open(0)))
    if (executed.instruction && executed.instruction->pc == probe) depths.insert(executed.depth);
  return depths;
}

TEST(Recorder, threads_are_as_deep_in_calls_however_they_left_others) {
  for (const char* mode : {"longjmp", "throw", "stacks", "signals"})
    for (const RecorderRequest& request : {RecorderRequest{}, RecorderRequest{"", {"main"}, 0}})
      EXPECT_THAT(depths_of_probe(Recording(record_guest("jumps", mode, request))), SizeIs(1)) << mode;
}

// An access to its stack says so: at the calls that follow it is known.
TEST(Recorder, a_thread_is_as_deep_behind_a_longjmp_before_it_calls_anything) {
  const Recording recording(record_guest("jumps", "longjmp"));
  std::set<std::uint32_t> depths;
  for (const DynamicInstruction& executed : all_of(*recording.open(0)))
    if (executed.instruction && executed.instruction->branch == BranchKind::Call &&
        recording.symbols().text(executed.instruction->pc).starts_with("_ZL7jumpingv+"))
      depths.insert(executed.depth);
  EXPECT_THAT(depths, SizeIs(1));
}

// One thread enters `worker_body` first; the others are recorded from their beginnings on.
TEST(Recorder, threads_are_as_deep_where_recording_starts_as_they_are_in_a_whole_recording) {
  for (const RecorderRequest& request : {RecorderRequest{}, RecorderRequest{"worker_body", {}, 0}}) {
    const Recording recording(record_guest("threads", "3 1", request));
    std::set<std::uint32_t> depths;
    for (std::uint32_t thread = 0; thread < recording.threads(); ++thread)
      for (const DynamicInstruction& executed : all_of(*recording.open(thread)))
        if (executed.instruction && recording.symbols().text(executed.instruction->pc) == "worker_body")
          depths.insert(executed.depth);
    EXPECT_THAT(depths, SizeIs(1));
  }
}

// The first block of main ends with one.
TEST(Recorder, calls_of_the_block_at_which_recording_starts_do_not_count) {
  const std::set<std::uint32_t> whole = depths_of_probe(Recording(record_guest("jumps", "throw")));
  for (const char* start : {"main", "_ZL8throwingv", "probe"})
    EXPECT_EQ(depths_of_probe(Recording(record_guest("jumps", "throw", {start, {}, 0}))), whole) << start;
}

TEST(Recorder, begins_at_the_start_symbol) {
  const Recording recording(record_guest("threads", "2 3", {"worker_body", {}, 0}));
  std::uint32_t beginning = 0;  // threads whose first recorded instruction is the symbol's
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    DynamicInstruction first;
    if (recording.open(thread)->next(first))
      beginning += recording.symbols().text(first.instruction->pc) == "worker_body";
  }
  EXPECT_EQ(beginning, 1u);
}

TEST(Recorder, keeps_to_its_region_in_every_thread) {
  const Recording recording(record_guest("threads", "4 3", {"", {"worker_body"}, 0}));
  ASSERT_EQ(recording.threads(), 6u);
  for (const std::uint32_t outside : {0u, 5u}) EXPECT_EQ(recording.instructions(outside), 0u);
  for (std::uint32_t thread = 1; thread <= 4; ++thread) {
    const std::vector<DynamicInstruction> all = all_of(*recording.open(thread));
    EXPECT_EQ(recording.symbols().text(all.front().instruction->pc), "worker_body");
    EXPECT_EQ(all[all.size() - 2].instruction->branch, BranchKind::Return);
  }
}

TEST(Recorder, regions_have_their_open_mp_bodies) {
  const Recording recording(record_guest("regions", "3", {"", {"main"}, 0}));
  for (const std::uint32_t helper : {1u, 2u}) {
    std::set<std::string> names;
    for (const DynamicInstruction& executed : all_of(*recording.open(helper)))
      if (executed.instruction) names.insert(recording.symbols().containing(executed.instruction->pc)->name);
    EXPECT_TRUE(names.contains("main._omp_fn.0"));
    EXPECT_FALSE(names.contains("gomp_thread_start"));
  }
}

// Three threads have far more to do than that; all have as much, but for the rest of a block (at most 512
// instructions).
TEST(Recorder, stops_each_thread_at_its_limit) {
  constexpr std::uint64_t kLimit = 20000;
  const Recording recording(record_guest("threads", "3 1000 100000", {"", {"worker_body"}, kLimit}));
  for (std::uint32_t thread = 1; thread <= 3; ++thread) {
    EXPECT_GE(recording.instructions(thread), kLimit) << thread;
    EXPECT_LT(recording.instructions(thread), kLimit + 512) << thread;
  }
}

// Behind its limit a thread leaves no marks; what lies before is as it would be without one.
TEST(Recorder, records_the_same_up_to_a_limit) {
  const Recording whole(record_guest("control")), cut(record_guest("control", "", {"", {}, 100}));
  const std::vector<std::uint64_t> all = pcs_of(*whole.open(0)), some = pcs_of(*cut.open(0));
  ASSERT_GE(some.size(), 100u);
  ASSERT_LT(some.size(), all.size());
  EXPECT_TRUE(std::ranges::equal(some, std::span(all).first(some.size())));
}

TEST(Recorder, keeps_names_and_source_lines) {
  const Recording recording(record_guest("library", "", {"", {"body"}, 0}));
  DynamicInstruction first;
  recording.open(0)->next(first);
  const auto line = recording.source_line(first.instruction->pc);
  ASSERT_TRUE(line);
  EXPECT_THAT(line->file, EndsWith("guests/library.c"));
  EXPECT_EQ(line->line, 6u);  // where `body` is defined
}

TEST(Recorder, threads_that_end_make_room_for_others) {  // QEMU gives their numbers to the next
  const Recording recording(record_guest("threads", "8 1"));
  EXPECT_EQ(recording.threads(), 10u);
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) EXPECT_EQ(recording.creator(thread), 0u);
}

#ifndef TEST_ADDRESS_SANITIZER  // which keeps accounts of its own
std::size_t memory_in_use() {
  const struct mallinfo2 use = mallinfo2();
  return use.uordblks + use.hblkhd;
}

TEST(Recorder, streams_of_many_threads_need_the_memory_of_a_frame_each) {
  constexpr std::size_t kThreads = 64;
  const Recording recording(record_guest("threads", "64 1 40000", {"", {"worker_body"}, 0}));
  std::uint64_t recorded = 0;
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) recorded += recording.instructions(thread);
  const std::size_t before = memory_in_use();
  std::vector<std::unique_ptr<InstructionStream>> streams;
  for (std::uint32_t thread = 1; thread <= kThreads; ++thread) streams.push_back(recording.open(thread));
  std::size_t most = 0;
  std::uint64_t count = 0;
  for (bool is_more = true; is_more; most = std::max(most, memory_in_use() - before)) {
    is_more = false;
    DynamicInstruction next;
    for (const auto& stream : streams)
      for (int some = 0; some < 5000 && stream->next(next); ++some) is_more = ++count != 0;
  }
  EXPECT_GT(count, recorded * 9 / 10);
  EXPECT_GT(recorded, 10'000'000u);
  EXPECT_LT(most, kThreads * 768 * 1024);
}
#endif

}  // namespace recorder_test
}  // namespace warpfork::x86

#include "gpu/instruction_buffers.h"

#include <gtest/gtest.h>

#include <utility>

namespace warpfork::gpu {
namespace instruction_buffers_test {

constexpr WarpSplit kSplit;

void set(InstructionBuffers& buffers, unsigned entry, EntryState state, unsigned threads) {
  buffers.set_state(entry, state);
  buffers.set_threads(entry, threads);
}

TEST(InstructionBuffers, all_entries_are_free_at_first) {
  EXPECT_EQ(InstructionBuffers(48).in(EntryState::Free), EntrySet::first(48));
  EXPECT_EQ(InstructionBuffers(128).in(EntryState::Free), EntrySet::first(128));
}

TEST(InstructionBuffers, an_entry_is_in_the_set_of_its_state_alone) {
  InstructionBuffers buffers(4);
  set(buffers, 2, EntryState::Empty, 32);
  set(buffers, 2, EntryState::ReadySp, 32);
  EXPECT_EQ(buffers.in(EntryState::Free), EntrySet(0b1011));
  EXPECT_TRUE(buffers.in(EntryState::Empty).none());
  EXPECT_EQ(buffers.in(EntryState::ReadySp), EntrySet(0b0100));
  EXPECT_EQ(buffers[2].state, EntryState::ReadySp);
}

TEST(InstructionBuffers, a_schedulers_states_are_those_of_its_warps_entries) {
  InstructionBuffers buffers(4, 2);
  const StateCounts &even = buffers.of_scheduler(0), &odd = buffers.of_scheduler(1);
  EXPECT_EQ(odd.last(), EntryState::Free);
  for (const auto& [entry, warp] : {std::pair{0u, 0u}, {1u, 1u}, {2u, 3u}}) buffers.bind(entry, kSplit, warp);
  for (const unsigned entry : {0u, 1u, 2u}) buffers.set_state(entry, EntryState::Empty);
  buffers.set_state(1, EntryState::ReadySp);
  EXPECT_EQ(even.last(), EntryState::Empty);
  EXPECT_FALSE(even.any_ready());
  EXPECT_EQ(odd.last(), EntryState::ReadySp);
  EXPECT_TRUE(odd.any(EntryState::Empty));
  buffers.set_state(2, EntryState::Suspended);
  EXPECT_FALSE(odd.any(EntryState::Empty));
}

TEST(InstructionBuffers, any_ready_is_true_from_the_first_of_the_ready_states_on) {
  InstructionBuffers buffers(128);
  const StateCounts& counts = buffers.of_scheduler(0);
  for (unsigned state = 0; state < kEntryStates; ++state) {
    for (unsigned entry = 0; entry < 128; ++entry) buffers.set_state(entry, static_cast<EntryState>(state));
    EXPECT_EQ(counts.last(), static_cast<EntryState>(state));
    EXPECT_EQ(counts.any_ready(), static_cast<EntryState>(state) >= EntryState::ReadySp);
  }
}

TEST(InstructionBuffers, setting_the_same_state_again_changes_nothing) {
  InstructionBuffers buffers(4);
  set(buffers, 3, EntryState::Suspended, 5);
  set(buffers, 3, EntryState::Suspended, 5);
  EXPECT_EQ(buffers.in(EntryState::Suspended), EntrySet(0b1000));
  EXPECT_EQ(buffers.threads(EntryState::Suspended).count(), 5u);
}

TEST(InstructionBuffers, threads_are_counted_by_the_state_of_their_entry) {
  InstructionBuffers buffers(4);
  buffers.set_clock(3);
  set(buffers, 0, EntryState::ReadySp, 20);
  set(buffers, 1, EntryState::ReadySp, 12);
  buffers.set_clock(10);
  set(buffers, 0, EntryState::BlockedMemory, 7);  // lanes parted: the entry's split has become smaller
  EXPECT_EQ(buffers.threads(EntryState::ReadySp).count(), 12u);
  EXPECT_EQ(buffers.threads(EntryState::ReadySp).sum(15), 20u * 7 + 12 * 12);
  EXPECT_EQ(buffers.threads(EntryState::BlockedMemory).sum(15), 7u * 5);
  EXPECT_EQ(buffers.threads(EntryState::Free).sum(15), 0u);
}

TEST(InstructionBuffers, entries_are_found_by_their_warps_and_warps_by_their_entries) {
  InstructionBuffers buffers(4);
  for (const auto& [entry, warp] : {std::pair{0u, 0u}, {1u, 0u}, {2u, 2u}, {3u, 1u}}) buffers.bind(entry, kSplit, warp);
  EXPECT_EQ(buffers.of_warps(EntrySet(0b1111), WarpSlots(0b001)), EntrySet(0b0011));
  EXPECT_EQ(buffers.of_warps(EntrySet(0b1110), WarpSlots(0b011)), EntrySet(0b1010));
  EXPECT_EQ(buffers.warps_of(EntrySet(0b1010)), WarpSlots(0b011));
  buffers.bind(1, kSplit, 1);
  EXPECT_EQ(buffers.of_warps(EntrySet(0b1111), WarpSlots(0b010)), EntrySet(0b1010));
}

TEST(InstructionBuffers, able_to_go_on_are_the_entries_that_wait_neither_for_memory_nor_at_a_barrier) {
  InstructionBuffers buffers(2);
  set(buffers, 1, EntryState::Empty, 4);
  EXPECT_EQ(buffers.able_to_go_on(), EntrySet(0b10));
  set(buffers, 1, EntryState::BlockedRegister, 4);
  EXPECT_EQ(buffers.able_to_go_on(), EntrySet(0b10));
  set(buffers, 1, EntryState::BlockedMemory, 4);
  EXPECT_TRUE(buffers.able_to_go_on().none());
}

}  // namespace instruction_buffers_test
}  // namespace warpfork::gpu

#include "gpu/instruction_buffers.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace {

TEST(InstructionBuffers, all_entries_are_free_at_first) {
  EXPECT_EQ(InstructionBuffers(48).in(EntryState::Free), EntrySet::first(48));
  EXPECT_EQ(InstructionBuffers(128).in(EntryState::Free), EntrySet::first(128));
}

TEST(InstructionBuffers, an_entry_is_in_the_set_of_its_state_alone) {
  InstructionBuffers buffers(4);
  buffers.set_state(2, EntryState::Empty, 32);
  buffers.set_state(2, EntryState::ReadySp, 32);
  EXPECT_EQ(buffers.in(EntryState::Free), EntrySet(0b1011));
  EXPECT_TRUE(buffers.in(EntryState::Empty).none());
  EXPECT_EQ(buffers.in(EntryState::ReadySp), EntrySet(0b0100));
  EXPECT_EQ(buffers[2].state, EntryState::ReadySp);
}

TEST(InstructionBuffers, setting_the_same_state_again_changes_nothing) {
  InstructionBuffers buffers(4);
  buffers.set_state(3, EntryState::Suspended, 5);
  buffers.set_state(3, EntryState::Suspended, 5);
  EXPECT_EQ(buffers.in(EntryState::Suspended), EntrySet(0b1000));
  EXPECT_EQ(buffers.threads(EntryState::Suspended).count(), 5u);
}

TEST(InstructionBuffers, threads_are_counted_by_the_state_of_their_entry) {
  InstructionBuffers buffers(4);
  buffers.set_clock(3);
  buffers.set_state(0, EntryState::ReadySp, 20);
  buffers.set_state(1, EntryState::ReadySp, 12);
  buffers.set_clock(10);
  buffers.set_state(0, EntryState::BlockedMemory, 7);  // lanes parted: the entry's split has become smaller
  EXPECT_EQ(buffers.threads(EntryState::ReadySp).count(), 12u);
  EXPECT_EQ(buffers.threads(EntryState::ReadySp).sum(15), 20u * 7 + 12 * 12);
  EXPECT_EQ(buffers.threads(EntryState::BlockedMemory).sum(15), 7u * 5);
  EXPECT_EQ(buffers.threads(EntryState::Free).sum(15), 0u);
}

}  // namespace
}  // namespace warpfork::gpu

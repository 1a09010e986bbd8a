#include "gpu/instruction_buffers.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace {

TEST(InstructionBuffers, all_entries_are_free_at_first) {
  EXPECT_EQ(InstructionBuffers(48).in(EntryState::Free), (EntrySet{1} << 48) - 1);
  EXPECT_EQ(InstructionBuffers(64).in(EntryState::Free), ~EntrySet{0});
}

TEST(InstructionBuffers, an_entry_is_in_the_set_of_its_state_alone) {
  InstructionBuffers buffers(4);
  buffers.set_state(2, EntryState::Empty);
  buffers.set_state(2, EntryState::ReadySp);
  EXPECT_EQ(buffers.in(EntryState::Free), 0b1011u);
  EXPECT_EQ(buffers.in(EntryState::Empty), 0u);
  EXPECT_EQ(buffers.in(EntryState::ReadySp), 0b0100u);
  EXPECT_EQ(buffers[2].state, EntryState::ReadySp);
}

TEST(InstructionBuffers, setting_the_same_state_again_changes_nothing) {
  InstructionBuffers buffers(4);
  buffers.set_state(3, EntryState::Suspended);
  buffers.set_state(3, EntryState::Suspended);
  EXPECT_EQ(buffers.in(EntryState::Suspended), 0b1000u);
}

}  // namespace
}  // namespace warpfork::gpu

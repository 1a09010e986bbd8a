// The window of a warp's instructions: room, order, and what is dropped with an instruction.
#include "ooo/instruction_window.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace instruction_window_test {

/// A load and so many µops beside it.
struct Load {
  explicit Load(unsigned more = 0) : uops(1 + more), accesses{{.bytes = 8}} {
    instruction.uops = uops;
    instruction.accesses = accesses;
  }
  std::vector<x86::Uop> uops;
  std::vector<x86::MemoryAccess> accesses;
  x86::StaticInstruction instruction;
};

TEST(InstructionWindow, decodes_so_many_cycles_after_the_fetch) {
  InstructionWindow window(4, 6);
  const Load load;
  EXPECT_FALSE(window.has_decoded(100));
  window.push(&load.instruction, 1, 0, Role::Plain, 10);
  EXPECT_FALSE(window.has_decoded(15));
  EXPECT_TRUE(window.has_decoded(16));
  window.take();
  EXPECT_FALSE(window.has_decoded(16));
  EXPECT_EQ(window.next(), 1u);
}

TEST(InstructionWindow, has_room_for_as_many_uops_as_are_not_taken) {
  InstructionWindow window(4, 0);
  const Load two(1);
  window.push(&two.instruction, 1, 0, Role::Plain, 0);
  EXPECT_TRUE(window.has_room(2));
  EXPECT_FALSE(window.has_room(3));
  window.take();
  EXPECT_TRUE(window.has_room(3));
}

TEST(InstructionWindow, has_room_for_one_long_instruction_alone) {
  InstructionWindow window(4, 0);
  EXPECT_TRUE(window.has_room(5));
  const Load load;
  window.push(&load.instruction, 1, 0, Role::Plain, 0);
  EXPECT_FALSE(window.has_room(5));
}

TEST(InstructionWindow, drops_branches_and_addresses_with_their_instructions) {
  InstructionWindow window(4, 0);
  const Load load;
  x86::DynamicInstruction executed;
  executed.addresses = {0x8000};
  ExecutedByLane by_lane{&executed};
  for (int i = 0; i < 2; ++i) {
    window.push(&load.instruction, 1, 0, Role::Branch, 0);
    window.push_branch().pc = 0x1000u + i;
    window.push_addresses(by_lane);
  }
  window.drop_oldest();
  EXPECT_EQ(window.branch(window.oldest()).pc, 0x1001u);
  EXPECT_EQ(window.addresses().size(), 2u);  // a mask and an address
  window.drop_youngest();
  EXPECT_TRUE(window.empty());
  EXPECT_TRUE(window.addresses().empty());
}

// Its µops are fetched again.
TEST(InstructionWindow, takes_an_instruction_that_was_dropped_no_second_time) {
  InstructionWindow window(4, 0);
  const Load load;
  window.push(&load.instruction, 1, 0, Role::Plain, 0);
  window.take();
  window.drop_youngest();
  EXPECT_EQ(window.next(), 0u);
  EXPECT_FALSE(window.has_decoded(100));
  window.push(&load.instruction, 1, 0, Role::Plain, 0);
  EXPECT_TRUE(window.has_decoded(0));
}

TEST(InstructionWindow, knows_what_has_no_role) {
  InstructionWindow window(4, 0);
  const Load load;
  window.push(&load.instruction, 1, 0, Role::Plain, 0);
  EXPECT_EQ(window.branch_of(window.youngest()), nullptr);
}

}  // namespace instruction_window_test
}  // namespace warpfork::ooo

#include "reference/private_memory.h"

#include <gtest/gtest.h>

namespace warpfork::reference {
namespace private_memory_test {

using ptx::StateSpace;

TEST(PrivateMemory, what_is_reserved_lies_aligned_behind_what_was_there) {
  PrivateMemory memory;
  EXPECT_EQ(memory.reserve(StateSpace::Local, 1, 1).address, 0u);
  EXPECT_EQ(memory.reserve(StateSpace::Local, 8, 8).address, 8u);
  EXPECT_EQ(memory.reserve(StateSpace::Local, 4, 4).address, 16u);
  EXPECT_EQ(memory.reserve(StateSpace::Param, 4, 4).address, 0u) << "a space of its own";
}

TEST(PrivateMemory, the_last_byte_is_found_and_none_behind_it) {
  PrivateMemory memory;
  memory.reserve(StateSpace::Local, 8, 8);
  EXPECT_NE(memory.find({StateSpace::Local, 4}, 4), nullptr);
  EXPECT_EQ(memory.find({StateSpace::Local, 5}, 4), nullptr);
  EXPECT_EQ(memory.find({StateSpace::Local, ~std::uint64_t{0}}, 4), nullptr);
}

TEST(PrivateMemory, behind_a_variable_is_room_up_to_its_alignment) {
  PrivateMemory memory;
  memory.reserve(StateSpace::Local, 5, 8);
  EXPECT_NE(memory.find({StateSpace::Local, 4}, 4), nullptr);
  EXPECT_EQ(memory.find({StateSpace::Local, 8}, 1), nullptr);
  const PrivateMemory::Mark before = memory.mark();
  EXPECT_EQ(memory.reserve(StateSpace::Local, 4, 1).address, 5u);
  memory.release(before);
  EXPECT_NE(memory.find({StateSpace::Local, 4}, 4), nullptr);
}

TEST(PrivateMemory, what_a_call_reserved_is_gone_and_zero_again_for_the_next) {
  PrivateMemory memory;
  memory.reserve(StateSpace::Param, 4, 4);
  const PrivateMemory::Mark before = memory.mark();
  const Place place = memory.reserve(StateSpace::Param, 4, 4);
  *memory.find(place, 1) = std::byte{7};
  memory.release(before);
  EXPECT_EQ(memory.find(place, 1), nullptr);
  EXPECT_EQ(memory.reserve(StateSpace::Param, 4, 4).address, place.address);
  EXPECT_EQ(*memory.find(place, 1), std::byte{0});
}

}  // namespace private_memory_test
}  // namespace warpfork::reference

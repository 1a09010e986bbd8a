#include "x86/access_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::x86 {
namespace access_pieces_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An instruction with these accesses, of which the emulator told those pieces.
std::vector<std::uint64_t> addresses(const std::vector<MemoryAccess>& accesses,
                                     const std::vector<RecordedAccess>& pieces, StaticInstruction instruction = {}) {
  instruction.accesses = accesses;
  std::vector<std::uint64_t> found;
  append_addresses(instruction, pieces, found);
  return found;
}

RecordedAccess load(std::uint64_t address, std::uint8_t bytes = 8) { return {0, false, bytes, address}; }
RecordedAccess store(std::uint64_t address, std::uint8_t bytes = 8) { return {0, true, bytes, address}; }

TEST(AccessPieces, of_wide_accesses_are_one) {
  EXPECT_THAT(addresses({{false, false, 16}}, {load(0x20), load(0x28)}), ElementsAre(0x20));
  EXPECT_THAT(addresses({{true, false, 32}}, {store(0x20), store(0x28), store(0x30), store(0x38)}), ElementsAre(0x20));
  EXPECT_THAT(addresses({{false, false, 10}}, {load(0x20), load(0x28, 2)}), ElementsAre(0x20));
}

TEST(AccessPieces, of_two_wide_accesses_are_two) {
  EXPECT_THAT(addresses({{false, false, 16}, {true, false, 16}}, {load(0x20), load(0x28), store(0x80), store(0x88)}),
              ElementsAre(0x20, 0x80));
}

TEST(AccessPieces, of_atomic_ones_are_a_load_and_a_store) {
  StaticInstruction atomic;
  atomic.atomic = true;
  const std::vector<MemoryAccess> both = {{false, false, 4}, {true, false, 4}};
  EXPECT_THAT(addresses(both, {store(0x10, 4)}, atomic), ElementsAre(0x10, 0x10));
  EXPECT_THAT(addresses(both, {load(0x10, 4), store(0x10, 4)}, atomic), ElementsAre(0x10, 0x10));
}

TEST(AccessPieces, that_a_mask_leaves_out_have_address_zero) {
  EXPECT_THAT(addresses({{false, true, 4}, {false, true, 4}, {false, true, 4}}, {load(0x100, 4), load(0x40, 4)}),
              ElementsAre(0x100, 0x40, 0));
  EXPECT_THAT(addresses({{true, true, 32}}, {}), ElementsAre(0));
}

TEST(AccessPieces, of_elements_side_by_side_are_still_elements) {
  EXPECT_THAT(addresses({{false, true, 4}, {false, true, 4}}, {load(0x104, 4), load(0x100, 4)}),
              ElementsAre(0x104, 0x100));
}

TEST(AccessPieces, of_large_states_are_one_access) {  // 32 bytes stand for all
  std::vector<RecordedAccess> pieces;
  for (std::uint64_t at = 0; at < 512; at += 8) pieces.push_back(store(0x1000 + at));
  EXPECT_THAT(addresses({{true, false, 32}}, pieces), ElementsAre(0x1000));
}

TEST(AccessPieces, of_iterations_executed_as_one_are_those_of_each) {  // by QEMU 10
  StaticInstruction repetition;
  repetition.repeats = true;
  const std::vector<MemoryAccess> both = {{false, false, 8}, {true, false, 8}};
  EXPECT_THAT(addresses(both, {load(0x10), store(0x80), load(0x18), store(0x88)}, repetition),
              ElementsAre(0x10, 0x80, 0x18, 0x88));
  EXPECT_THAT(addresses(both, {load(0x10), store(0x80), load(0x18), store(0x88)}), ElementsAre(0x10, 0x80));
}

TEST(AccessPieces, of_a_repetition_that_has_ended_are_none) {
  StaticInstruction repetition;
  repetition.repeats = true;
  EXPECT_THAT(addresses({{false, false, 1}, {true, false, 1}}, {}, repetition), IsEmpty());
}

}  // namespace access_pieces_test
}  // namespace warpfork::x86

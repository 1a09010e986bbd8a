// The addresses of what is in flight: of lanes, of masked accesses, of instructions that repeat.
#include "ooo/address_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace address_queue_test {

/// What an instruction with these accesses does in the first lanes.
struct Execution {
  Execution(std::vector<x86::MemoryAccess> accesses, std::vector<std::vector<std::uint64_t>> addresses)
      : accesses(std::move(accesses)), kept(addresses.size()) {
    instruction.accesses = this->accesses;
    for (unsigned lane = 0; lane < kept.size(); ++lane) {
      kept[lane].addresses = addresses[lane];
      by_lane[lane] = &kept[lane];
    }
  }
  std::vector<x86::MemoryAccess> accesses;
  std::vector<x86::DynamicInstruction> kept;
  x86::StaticInstruction instruction;
  ExecutedByLane by_lane{};
};

std::vector<std::uint64_t> words(const AddressQueue& queue) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t at = queue.begin(); at < queue.end(); ++at) all.push_back(queue[at]);
  return all;
}

using Words = std::vector<std::uint64_t>;

TEST(AddressQueue, holds_each_access_s_lanes_and_addresses) {
  const Execution copy({{.bytes = 8}, {.store = true, .bytes = 8}}, {{0x10, 0x20}, {}, {0x30, 0x40}});
  AddressQueue queue;
  EXPECT_EQ(queue.append(copy.instruction, 0b101, copy.by_lane), 1u);
  EXPECT_EQ(words(queue), (Words{0b101, 0x10, 0x30, 0b101, 0x20, 0x40}));
  EXPECT_EQ(queue.behind(0), 3u);
}

TEST(AddressQueue, leaves_out_lanes_that_a_mask_keeps_from_an_access) {
  const Execution gather({{.masked = true, .bytes = 8}}, {{0x10}, {0}});
  AddressQueue queue;
  queue.append(gather.instruction, 0b11, gather.by_lane);
  EXPECT_EQ(words(queue), (Words{0b01, 0x10}));
}

// 32 bytes are four iterations of eight: lane 0 makes five, lane 1 one. A string goes down as well as up.
TEST(AddressQueue, takes_the_iterations_of_a_repeated_instruction_together) {
  Execution store({{.store = true, .bytes = 8}}, {{0x80, 0x78, 0x70, 0x68, 0x60}, {0x20}});
  store.instruction.repeats = true;
  AddressQueue queue;
  EXPECT_EQ(queue.append(store.instruction, 0b11, store.by_lane), 2u);
  EXPECT_EQ(words(queue), (Words{0b11, 0x68, 0x20, 0b01, 0x60}));
}

}  // namespace address_queue_test
}  // namespace warpfork::ooo

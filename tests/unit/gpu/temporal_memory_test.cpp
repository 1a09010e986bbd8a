// Memory instructions of temporal lanes (STSIMT sections 3.4 and 3.5): cycles by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/lane_listener.h"
#include "lane_bench.h"

namespace warpfork::gpu {
namespace temporal_memory_test {

using simt::Instruction;
using simt::InstructionKind;
using simt::MemorySpace;

using Addresses = std::vector<std::uint64_t>;

/// Of eight arithmetic units, with 32 banks of shared memory.
CoreSpec eight_units(const std::string& organisation) {
  CoreSpec spec;
  spec.lanes.organisation = organisation;
  spec.lanes.alus = 8;
  return spec;
}

/// Of so many threads, from this word of shared memory on.
Addresses words(unsigned threads, unsigned from, unsigned stride) {
  Addresses addresses;
  for (unsigned thread = 0; thread < threads; ++thread) addresses.push_back(4 * (from + thread * stride));
  return addresses;
}

struct Entries : LaneListener {
  void entered(const InFlight&, unsigned, ActiveMask, Cycle now) override { cycles.push_back(now); }
  std::vector<Cycle> cycles;
};

/// Cycles from the first to the last group that has been served, where each of the first lanes is given a load of
/// shared memory in the same cycle.
Cycle cycles_of_loads(const std::string& organisation, const std::vector<Addresses>& of_lanes) {
  LaneBench bench(eight_units(organisation));
  Entries entries;
  bench.lanes().set_listener(&entries);
  Instruction load{};
  load.kind = InstructionKind::Load;
  for (unsigned lane = 0; lane < of_lanes.size(); ++lane)
    bench.issue_access(load, lane, MemorySpace::Shared, of_lanes[lane]);
  bench.step(200);
  return *std::ranges::max_element(entries.cycles) - *std::ranges::min_element(entries.cycles) + 1;
}

// 3.5: "threads within the same warp never produce bank conflicts as they are executed in consecutive cycles".
TEST(TemporalSharedMemory, threads_of_a_warp_may_all_want_one_bank) {
  EXPECT_EQ(cycles_of_loads("tsimt", {words(32, 0, 32)}), 32u);
  EXPECT_EQ(cycles_of_loads("tsimt", {words(32, 0, 1)}), 32u);
}

// 3.5: "warps on different lanes that try to access shared memory simultaneously may produce interwarp bank-conflicts".
TEST(TemporalSharedMemory, of_two_lanes_at_two_words_of_a_bank_one_waits) {
  EXPECT_EQ(cycles_of_loads("tsimt", {words(1, 0, 1), words(1, 32, 1)}), 2u);
  EXPECT_EQ(cycles_of_loads("tsimt", {words(1, 0, 1), words(1, 31, 1)}), 1u);
}

TEST(TemporalSharedMemory, one_word_is_served_to_all_lanes_in_one_cycle) {
  EXPECT_EQ(cycles_of_loads("tsimt", {words(1, 5, 1), words(1, 5, 1), words(1, 5, 1)}), 1u);
  EXPECT_EQ(cycles_of_loads("tsimt", {{20}, {23}}), 1u);  // bytes of it
  EXPECT_EQ(cycles_of_loads("tsimt", {{20}, {24}, {20 + 128}, {24 + 128}}), 2u);
}

// The lane that waits in the first cycle is a bank behind from then on.
TEST(TemporalSharedMemory, lanes_that_go_through_the_banks_alike_conflict_once) {
  EXPECT_EQ(cycles_of_loads("tsimt", {words(32, 0, 1), words(32, 64, 1)}), 33u);
  EXPECT_EQ(cycles_of_loads("tsimt", {words(32, 0, 1), words(32, 65, 1)}), 32u);
}

TEST(TemporalSharedMemory, eight_lanes_at_one_bank_share_its_cycles) {
  std::vector<Addresses> of_lanes;
  for (unsigned lane = 0; lane < 8; ++lane) of_lanes.push_back(words(4, 128 * lane, 32));
  EXPECT_EQ(cycles_of_loads("tsimt", of_lanes), 8u * 4);
  of_lanes.pop_back();
  EXPECT_EQ(cycles_of_loads("tsimt", of_lanes), 7u * 4);
}

// A lane of four threads sends four addresses a cycle. Each group takes four cycles at one bank: it enters with its
// last.
TEST(TemporalSharedMemory, threads_of_a_wide_lane_s_group_conflict_as_those_of_several_lanes) {
  EXPECT_EQ(cycles_of_loads("stsimt4", {words(8, 0, 1)}), 2u);
  EXPECT_EQ(cycles_of_loads("stsimt4", {words(8, 0, 32)}), 1u + 4);
  EXPECT_EQ(cycles_of_loads("stsimt4", {words(4, 0, 1), words(4, 4, 1)}), 1u);
  EXPECT_EQ(cycles_of_loads("stsimt4", {words(4, 0, 1), words(4, 32, 1)}), 2u);
}

/// Of what shared memory does not serve: the cycle in which it has left the load/store unit's entry.
Cycle leaves_at(InstructionKind kind, MemorySpace space, unsigned threads) {
  LaneBench bench(eight_units("tsimt"));
  Instruction access{};
  access.kind = kind;
  bench.issue_access(access, 0, space, Addresses(threads, 0x20000));
  while (bench.left == 0 && bench.now() < 100) bench.step();
  return bench.now();
}

// 3.4: addresses are generated thread by thread and coalesced when the last is there. Thread k is in the collector in
// cycle 1 + k, has read in the next and has its address in the next but one; a cycle later the access begins.
TEST(TemporalMemory, addresses_are_made_one_a_cycle_and_go_to_the_coalescer_together) {
  for (const unsigned threads : {1u, 32u}) {
    EXPECT_EQ(leaves_at(InstructionKind::Load, MemorySpace::Global, threads), threads + 3) << threads;
    EXPECT_EQ(leaves_at(InstructionKind::Load, MemorySpace::Local, threads), threads + 3) << threads;
    EXPECT_EQ(leaves_at(InstructionKind::Store, MemorySpace::Global, threads), threads + 3) << threads;
    EXPECT_EQ(leaves_at(InstructionKind::Atomic, MemorySpace::Global, threads), threads + 3) << threads;
  }
}

}  // namespace temporal_memory_test
}  // namespace warpfork::gpu

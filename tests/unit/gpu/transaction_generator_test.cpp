#include "gpu/transaction_generator.h"

#include <gtest/gtest.h>

#include "simt/address_map.h"

namespace warpfork::gpu {
namespace transaction_generator_test {

using simt::MemorySpace;

constexpr std::uint64_t kLocalBytes = 1 << 20;  // of each core

/// The record of an instruction of warp 2 of core 1 after an access of lanes 0 to 3, which lanes 0 to 5 execute.
InFlight record_of(simt::MemoryAccess access, simt::InstructionKind kind, std::span<const HomeLanes> homes = {},
                   bool by_thread = false, const CoreSpec& spec = {}, bool read_only = false) {
  TransactionGenerator generator(spec, 1, by_thread);
  generator.begin_kernel(kLocalBytes);
  simt::Instruction instruction;
  instruction.kind = kind;
  instruction.read_only = read_only;
  InFlight record;
  record.instruction = &instruction;
  record.warp = 2;
  record.executed = ActiveMask::first(6);
  access.lanes = ActiveMask::first(4);
  generator.generate(record, access, homes, 2);
  return record;
}

simt::MemoryAccess access(MemorySpace space, std::uint64_t stride) {
  simt::MemoryAccess access;
  access.space = space;
  access.bytes = 4;
  for (unsigned lane = 0; lane < 6; ++lane) access.address[lane] = lane * stride;
  return access;
}

TEST(TransactionGenerator, awaits_an_answer_for_each_line_that_a_load_touches) {
  const InFlight load = record_of(access(MemorySpace::Global, 128), simt::InstructionKind::Load);
  EXPECT_EQ(load.transactions, 4u);
  EXPECT_EQ(load.outstanding, 4u);
  const InFlight dense = record_of(access(MemorySpace::Global, 4), simt::InstructionKind::Load);
  EXPECT_EQ(dense.transactions, 1u);
}

TEST(TransactionGenerator, asks_each_cache_for_lines_of_its_own_length) {
  CoreSpec spec;
  spec.l1d.line_bytes = 64;
  spec.texture.line_bytes = 32;
  const simt::MemoryAccess sparse = access(MemorySpace::Global, 32);  // 128 bytes
  EXPECT_EQ(record_of(sparse, simt::InstructionKind::Load, {}, false, spec).transactions, 2u);
  EXPECT_EQ(record_of(sparse, simt::InstructionKind::Load, {}, false, spec, true).transactions, 4u);
}

TEST(TransactionGenerator, awaits_no_answer_to_a_store) {
  const InFlight store = record_of(access(MemorySpace::Global, 128), simt::InstructionKind::Store);
  EXPECT_EQ(store.transactions, 4u);
  EXPECT_EQ(store.outstanding, 0u);
}

TEST(TransactionGenerator, repeats_an_access_to_shared_memory_for_each_conflict) {
  EXPECT_EQ(record_of(access(MemorySpace::Shared, 4), simt::InstructionKind::Load).rounds, 1u);
  const InFlight conflict = record_of(access(MemorySpace::Shared, 32 * 4), simt::InstructionKind::Load);
  EXPECT_EQ(conflict.rounds, 4u);  // all in bank 0
  EXPECT_EQ(conflict.transactions, 0u);
}

// STSIMT 3.4 and 3.5: temporal lanes differ in shared memory alone.
TEST(TransactionGenerator, of_temporal_lanes_keeps_addresses_of_shared_memory_and_coalesces_the_others) {
  const auto by_thread = [](MemorySpace space, std::uint64_t stride, simt::InstructionKind kind) {
    simt::MemoryAccess made = access(space, stride);
    made.is_atomic = kind == simt::InstructionKind::Atomic;
    return record_of(made, kind, {}, true);
  };
  const InFlight shared = by_thread(MemorySpace::Shared, 32 * 4, simt::InstructionKind::Load);
  EXPECT_EQ(shared.rounds, 1u);
  EXPECT_EQ(shared.extra->transaction[3].address, 3u * 32 * 4);
  EXPECT_EQ(shared.extra->transaction[5].address, 5u * 32 * 4);  // ldmatrix: of what others address
  EXPECT_EQ(by_thread(MemorySpace::Global, 4, simt::InstructionKind::Load).transactions, 1u);
  EXPECT_EQ(by_thread(MemorySpace::Local, 0, simt::InstructionKind::Load).transactions, 1u);
  EXPECT_EQ(by_thread(MemorySpace::Global, 4, simt::InstructionKind::Atomic).transactions, 1u);
  EXPECT_EQ(by_thread(MemorySpace::Global, 0, simt::InstructionKind::Atomic).transactions, 4u);  // one word, in turn
}

TEST(TransactionGenerator, finds_parameters_in_the_address_map) {
  const InFlight load = record_of(access(MemorySpace::Param, 0), simt::InstructionKind::Load);
  ASSERT_EQ(load.transactions, 1u);
  EXPECT_EQ(load.extra->transaction[0].address, simt::kParameters.begin);
}

// The word at 8 of the 1536 threads of a core: thread 2 * 32 + lane of the words behind those at 0 and 4.
TEST(TransactionGenerator, lays_a_word_of_local_memory_of_all_threads_side_by_side) {
  simt::MemoryAccess same = access(MemorySpace::Local, 0);
  for (unsigned lane = 0; lane < 4; ++lane) same.address[lane] = 8;
  const InFlight load = record_of(same, simt::InstructionKind::Load);
  ASSERT_EQ(load.transactions, 1u);
  EXPECT_EQ(load.extra->transaction[0].address, simt::kLocalMemory.begin + kLocalBytes + 8 * 1536 + 2 * 32 * 4);
}

TEST(TransactionGenerator, finds_local_memory_at_the_place_that_a_slot_was_given) {
  const CoreSpec spec;
  TransactionGenerator generator(spec, 0);
  generator.set_local_place(2, 5);
  simt::Instruction instruction;
  InFlight record;
  record.instruction = &instruction;
  record.warp = 2;
  simt::MemoryAccess first = access(MemorySpace::Local, 0);
  first.lanes = ActiveMask::first(4);
  generator.generate(record, first, {}, 0);
  EXPECT_EQ(record.extra->transaction[0].address, simt::kLocalMemory.begin + 5 * 32 * 4);
}

TEST(TransactionGenerator, finds_local_memory_of_regrouped_threads_at_their_home) {
  const HomeLanes homes[] = {{0, ActiveMask(0b0011)}, {1, ActiveMask(0b1100)}};
  const InFlight load = record_of(access(MemorySpace::Local, 0), simt::InstructionKind::Load, homes);
  ASSERT_EQ(load.transactions, 2u);  // warps 2 and 3: 128 bytes each
  EXPECT_EQ(load.extra->transaction[1].address - load.extra->transaction[0].address, 128u);
}

}  // namespace transaction_generator_test
}  // namespace warpfork::gpu

#include "gpu/outstanding_operations.h"

#include <gtest/gtest.h>

#include "registers.h"

namespace warpfork::gpu {
namespace outstanding_operations_test {

using simt::InstructionKind;

/// Two warps of a core.
struct Operations {
  Scoreboard scoreboard{2, 0};
  OutstandingOperations of{2, scoreboard};

  /// Warp 0 issues an instruction of this kind with so many transactions, and it leaves the pipeline.
  void issue(InstructionKind kind, unsigned transactions = 0) {
    simt::Instruction instruction;
    instruction.kind = kind;
    InFlight record;
    record.instruction = &instruction;
    record.transactions = static_cast<std::uint8_t>(transactions);
    of.issued(record);
    EXPECT_FALSE(of.drained(0));
    of.left_pipeline(0);
  }
};

TEST(OutstandingOperations, a_warp_is_drained_when_its_last_store_is_acknowledged) {
  Operations operations;
  operations.issue(InstructionKind::Store);  // of no thread
  EXPECT_TRUE(operations.of.storing().none());
  operations.issue(InstructionKind::Store, 2);
  operations.of.store_acknowledged(0);
  EXPECT_FALSE(operations.of.drained(0));
  EXPECT_EQ(operations.of.storing(), WarpSlots(0b01));
  operations.of.store_acknowledged(0);
  EXPECT_TRUE(operations.of.drained(0));
  EXPECT_TRUE(operations.of.storing().none());
}

TEST(OutstandingOperations, a_warp_with_a_pending_register_is_not_drained) {
  Operations operations;
  const simt::Instruction load = with_registers({1}, {});
  operations.scoreboard.reserve(0, load, ActiveMask::first(32), true);
  EXPECT_FALSE(operations.of.drained(0));
  EXPECT_TRUE(operations.of.drained(1));
  operations.scoreboard.release(0, load, ActiveMask::first(32));
  EXPECT_TRUE(operations.of.drained(0));
}

TEST(OutstandingOperations, a_memory_barrier_holds_back_the_warp_until_its_stores_are_acknowledged) {
  Operations operations;
  operations.issue(InstructionKind::Store, 1);
  operations.issue(InstructionKind::MemoryBarrier);
  EXPECT_TRUE(operations.of.at_memory_barrier(0));
  EXPECT_FALSE(operations.of.lift_memory_barrier(0));
  operations.of.store_acknowledged(0);
  EXPECT_TRUE(operations.of.lift_memory_barrier(0));
  EXPECT_FALSE(operations.of.any_memory_barrier());
}

TEST(OutstandingOperations, a_memory_barrier_with_nothing_to_wait_for_lets_the_warp_pass) {
  Operations operations;
  operations.issue(InstructionKind::MemoryBarrier);
  EXPECT_FALSE(operations.of.any_memory_barrier());
  EXPECT_FALSE(operations.of.lift_memory_barrier(0));  // nobody waits
}

TEST(OutstandingOperations, an_atomic_holds_back_its_warp_unless_no_lane_took_part) {
  Operations operations;
  operations.issue(InstructionKind::Atomic, 0);
  EXPECT_FALSE(operations.of.waits_for_atomic(0));
  operations.issue(InstructionKind::Atomic, 3);
  EXPECT_TRUE(operations.of.waits_for_atomic(0));
  operations.of.atomic_done(0);
  EXPECT_FALSE(operations.of.waits_for_atomic(0));
}

TEST(OutstandingOperations, a_warp_waits_for_every_entry_of_its_table_that_comes_back) {
  Operations operations;
  operations.of.table_entry_asked(0);
  operations.of.table_entry_asked(0);
  operations.of.table_entry_back(0);
  EXPECT_TRUE(operations.of.waits_for_table_entry(0));
  EXPECT_FALSE(operations.of.drained(0));
  operations.of.table_entry_back(0);
  EXPECT_FALSE(operations.of.waits_for_table_entry(0));
  EXPECT_TRUE(operations.of.drained(0));
}

}  // namespace outstanding_operations_test
}  // namespace warpfork::gpu

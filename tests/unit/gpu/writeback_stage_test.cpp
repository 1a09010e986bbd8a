#include "gpu/writeback_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "buffer_bench.h"

namespace warpfork::gpu {
namespace writeback_stage_test {

/// Keeps in mind what the entry waited for when it was woken.
struct Sleeper final : Wakeable {
  explicit Sleeper(const BufferBench& buffers) : buffers(buffers) {}
  void fall_asleep() { asleep_ = true; }
  bool is_asleep() const { return asleep_; }
  void wake_up() override { seen = buffers.state(0); }

  const BufferBench& buffers;
  std::optional<EntryState> seen;
};

/// Warp 0 wants to issue the instruction at 0, which warp 0's own write to its registers holds up.
struct Writeback {
  BufferBench buffers{"mov.u32 %r2, 1; mov.u32 %r3, %r2; ret;"};
  Sleeper front{buffers};
  WritebackStage of{buffers.registers, buffers.operations, buffers.of, front};

  Writeback() {
    buffers.bind(0);
    buffers.of.decode({0, 0, 1});
  }
  InFlight record(Pc pc, Port port = Port::Sp) {
    InFlight record;
    record.instruction = &buffers.kernel.program().code[pc];
    record.pc = pc;
    record.lanes = ActiveMask(~0u);
    record.port = port;
    return record;
  }
  EntryState state() { return buffers.state(0); }
  void issue(const InFlight& record) {
    buffers.registers.reserve(record);
    buffers.operations.issued(record);
    buffers.of.refresh(0);
  }
};

TEST(WritebackStage, lets_the_instruction_go_on_that_waited_for_the_register) {
  Writeback stage;
  const InFlight record = stage.record(0);
  stage.issue(record);
  EXPECT_EQ(stage.state(), EntryState::BlockedRegister);
  stage.of.left_pipeline(0);
  EXPECT_EQ(stage.state(), EntryState::BlockedRegister);
  stage.of.written_back(record);
  EXPECT_NE(stage.state(), EntryState::BlockedRegister);
  EXPECT_TRUE(stage.buffers.operations.drained(0));
}

TEST(WritebackStage, wakes_who_looks_at_the_entries_before_one_changes_and_not_for_others) {
  Writeback stage;
  const InFlight record = stage.record(0), other = stage.record(1);
  stage.issue(record);
  stage.issue(other);
  stage.front.fall_asleep();
  stage.of.written_back(other);  // nobody waits for that
  EXPECT_FALSE(stage.front.seen);
  stage.of.written_back(record);
  EXPECT_EQ(stage.front.seen, EntryState::BlockedRegister);
  EXPECT_FALSE(stage.front.is_asleep());
}

TEST(WritebackStage, lets_the_instruction_go_on_whose_destination_has_been_read) {
  Writeback stage;
  simt::Program allocated = stage.buffers.kernel.program();  // a place for each of its registers
  allocated.allocation.emplace();
  for (std::uint16_t place = 0; place < allocated.function->registers.size(); ++place)
    allocated.allocation->places.push_back({lower::RegisterFile::Vector, place});
  const KernelTables tables(stage.buffers.spec, allocated);
  stage.buffers.registers.begin_kernel(tables);
  const auto reads = [&](const simt::Instruction& by) {
    return by.source_count != 0 && by.sources[0] == allocated.code[0].destinations[0];
  };
  InFlight reader = stage.record(0);
  reader.instruction = &*std::ranges::find_if(allocated.code, reads);
  reader.pc = static_cast<Pc>(reader.instruction - allocated.code.data());
  stage.issue(reader);
  EXPECT_EQ(stage.state(), EntryState::BlockedRead);
  stage.of.operands_read(reader);
  EXPECT_NE(stage.state(), EntryState::BlockedRead);
}

TEST(WritebackStage, lets_a_warp_pass_its_memory_barrier_when_the_last_store_is_acknowledged) {
  Writeback stage;
  simt::Instruction store, barrier;
  store.kind = simt::InstructionKind::Store;
  barrier.kind = simt::InstructionKind::MemoryBarrier;
  InFlight record = stage.record(0);
  record.instruction = &store;
  record.transactions = 2;
  stage.issue(record);
  record.instruction = &barrier;
  stage.issue(record);
  stage.of.store_acknowledged(0);
  EXPECT_EQ(stage.state(), EntryState::Suspended);
  stage.of.store_acknowledged(0);
  EXPECT_NE(stage.state(), EntryState::Suspended);
}

TEST(WritebackStage, lets_a_warp_go_on_when_its_atomic_is_done) {
  Writeback stage;
  simt::Instruction atomic;
  atomic.kind = simt::InstructionKind::Atomic;
  InFlight record = stage.record(0, Port::Memory);
  record.instruction = &atomic;
  record.transactions = 1;
  stage.issue(record);
  EXPECT_EQ(stage.state(), EntryState::BlockedMemory);
  stage.of.atomic_done(0);
  EXPECT_NE(stage.state(), EntryState::BlockedMemory);
}

}  // namespace writeback_stage_test
}  // namespace warpfork::gpu

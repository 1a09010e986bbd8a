#include "gpu/split_buffers.h"

#include <gtest/gtest.h>

#include "buffer_bench.h"

namespace warpfork::gpu {
namespace split_buffers_test {

TEST(SplitBuffers, fetch_for_a_fresh_entry_in_the_next_cycle) {
  BufferBench buffers;
  EXPECT_EQ(buffers.bind(1), 0u);
  EXPECT_EQ(buffers.of.of_warp(1), EntrySet(0b10));  // a warp's own entry, if it is free
  EXPECT_EQ(buffers.of.of_scheduler(1), EntrySet(0b10));
  EXPECT_TRUE(buffers.of.of_scheduler(0).none());
  EXPECT_TRUE(buffers.of.wanting_fetch().none());
  buffers.of.forget_fresh();
  EXPECT_EQ(buffers.of.wanting_fetch(), EntrySet(0b10));
}

TEST(SplitBuffers, let_a_split_issue_the_instructions_that_it_has) {
  BufferBench buffers;
  buffers.bind(0);
  EXPECT_EQ(buffers.of.wait_of(0, buffers.runnable(0)[0]), "waits for its instruction");
  buffers.of.decode({0, 0, 1});
  EXPECT_EQ(buffers.of.ready(), EntrySet(0b01));
  buffers.of.issued(0);
  buffers.of.refresh(0);
  EXPECT_EQ(buffers.state(0), EntryState::Empty);
  EXPECT_EQ(buffers.of.entries()[0].fetch_pc, 1u);
}

TEST(SplitBuffers, flush_instructions_of_another_path) {
  BufferBench buffers;
  buffers.bind(0);
  buffers.of.decode({0, 2, 2});  // the split is at 0
  EXPECT_EQ(buffers.state(0), EntryState::Redirected);
  buffers.of.flush_redirected(1);
  EXPECT_EQ(buffers.state(0), EntryState::Redirected);
  buffers.of.flush_redirected(0);
  EXPECT_EQ(buffers.state(0), EntryState::Empty);
  EXPECT_EQ(buffers.of.entries()[0].fetch_pc, 0u);
}

TEST(SplitBuffers, ignore_what_is_fetched_behind_the_code) {
  BufferBench buffers;
  buffers.bind(0);
  buffers.of.decode({0, static_cast<Pc>(buffers.kernel.program().code.size()), 1});
  EXPECT_EQ(buffers.state(0), EntryState::Empty);
  EXPECT_EQ(buffers.of.entries()[0].fetch_pc, 0u);
}

TEST(SplitBuffers, leave_a_split_without_an_entry_when_all_are_taken) {
  BufferBench buffers;
  buffers.bind(0);
  buffers.bind(1);
  DivergenceDomain& domain = buffers.blocks.block(0).domain();
  const Path paths[] = {{2, ActiveMask(0xffff)}, {1, ActiveMask(0xffff0000)}};
  domain.advance(buffers.runnable(0)[0], paths, 3);
  EXPECT_EQ(buffers.bind(0), 1u);
  EXPECT_EQ(buffers.of.waiting(), WarpSlots(0b01));
  EXPECT_FALSE(buffers.of.any_to_be_had());
  domain.advance(buffers.runnable(1)[0], {}, kNoPc);  // warp 1 exits
  buffers.bind(1);
  EXPECT_TRUE(buffers.of.any_to_be_had());
  EXPECT_EQ(buffers.bind(0), 0u);
  EXPECT_TRUE(buffers.of.waiting().none());
  EXPECT_EQ(buffers.of.of_warp(0), EntrySet(0b11));
}

TEST(SplitBuffers, take_the_entry_of_a_split_at_a_barrier_for_one_that_the_barrier_waits_for) {
  BufferBench buffers(
      "setp.lt.u32 %p0, %thread, 16; @%p0 bra ELSE; bar.sync 0; bra MEET; ELSE: add.u32 %r2, %r2, 1; MEET: "
      "bar.sync 0; ret;");
  ResidentBlock& block = buffers.blocks.block(0);
  while (buffers.runnable(0).size() == 1) block.execute(buffers.runnable(0)[0], 0);
  buffers.bind(1);
  EXPECT_EQ(buffers.bind(0), 1u);
  const auto at_barrier = [&](SplitId id) {
    return buffers.kernel.program().code[block.domain().split(id).pc].kind == simt::InstructionKind::Barrier;
  };
  const SplitId comes = at_barrier(buffers.runnable(0)[0]) ? buffers.runnable(0)[0] : buffers.runnable(0)[1];
  block.execute(comes, 0);
  EXPECT_EQ(buffers.bind(0), 0u);
  EXPECT_EQ(buffers.of.wait_of(0, buffers.runnable(0)[0]), "waits for its instruction");
  EXPECT_EQ(buffers.of.wait_of(0, comes), "waits for an instruction buffer entry");
}

TEST(SplitBuffers, ask_who_holds_the_warp_back) {
  BufferBench buffers;
  buffers.bind(0);
  buffers.of.decode({0, 0, 1});
  report::LaunchListener nobody;
  buffers.compaction.begin_kernel(0, nobody);
  buffers.compaction.take(0, {}, WarpSet(0b1), 0);
  buffers.of.refresh(0);
  EXPECT_EQ(buffers.state(0), EntryState::Forming);
  buffers.compaction.take_formed(100);
  buffers.operations.table_entry_asked(0);
  buffers.of.refresh(0);
  EXPECT_EQ(buffers.state(0), EntryState::TableMiss);
}

}  // namespace split_buffers_test
}  // namespace warpfork::gpu

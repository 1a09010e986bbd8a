#include "gpu/divergence_effects.h"

#include <gtest/gtest.h>

#include "buffer_bench.h"

namespace warpfork::gpu {
namespace {

/// A block of two warps on a core of two instruction buffer entries.
struct Effects : private WarpEvents {
  BufferBench buffers{
      "setp.lt.u32 %p0, %thread, 16; @%p0 bra ELSE; add.u32 %r2, %r2, 2; bra MEET; "
      "ELSE: add.u32 %r2, %r2, 1; MEET: ret;"};
  report::LaunchListener nobody;
  memory::MemorySpec memory_spec;
  memory::MemorySystem memory{memory_spec, 1};
  InFlightPool pool;
  LoadStoreUnit load_store{buffers.spec, 0, pool, memory, *this};
  TableTraffic tables{0, 2, pool, load_store, buffers.operations};
  ThreadCensus census{0, 2, buffers.blocks, buffers.of.entries()};
  DivergenceEffects of{buffers.blocks, buffers.registers.homes(), buffers.compaction, tables, buffers.of, census};

  Effects() {
    census.begin_kernel(64, 1, nobody);
    of.begin_kernel(nobody);
    of.started(0);
  }
  ResidentBlock& block() { return buffers.blocks.block(0); }
  /// The warp's first split executes an instruction.
  void step(unsigned warp) { of.stepped(0, block().execute(buffers.runnable(warp)[0], 0), 0); }

 private:
  void written_back(const InFlight&) override {}
  void left_pipeline(unsigned) override {}
  void store_acknowledged(unsigned) override {}
  void atomic_done(unsigned) override {}
};

TEST(DivergenceEffects, give_every_warp_of_a_new_block_an_entry) {
  Effects effects;
  EXPECT_EQ(effects.buffers.of.of_warp(0), 0b01u);
  EXPECT_EQ(effects.buffers.of.of_warp(1), 0b10u);
  EXPECT_EQ(effects.census.thread_cycles(), report::ThreadCycles{});  // no cycle has passed
}

TEST(DivergenceEffects, let_a_split_wait_for_an_entry_until_another_warp_has_ended) {
  Effects effects;
  while (effects.buffers.runnable(0).size() == 1) effects.step(0);
  EXPECT_EQ(effects.buffers.of.waiting(), 0b01u);
  while (effects.buffers.blocks.is_live(1)) effects.step(1);
  EXPECT_EQ(effects.buffers.blocks.finishing(), 0b10u);
  EXPECT_EQ(effects.buffers.of.waiting(), 0u);
  EXPECT_EQ(effects.buffers.of.of_warp(0), 0b11u);
}

TEST(DivergenceEffects, count_threads_that_have_exited) {
  Effects effects;
  while (effects.buffers.blocks.is_live(1)) effects.step(1);
  effects.buffers.of.set_clock(10);
  EXPECT_EQ(effects.census.thread_cycles()[static_cast<unsigned>(report::ThreadState::Finished)], 32u * 10);
}

}  // namespace
}  // namespace warpfork::gpu

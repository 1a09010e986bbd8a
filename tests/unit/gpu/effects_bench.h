// What a step of a block does to the units of its core, without lanes.
#pragma once

#include "buffer_bench.h"
#include "gpu/divergence_effects.h"

namespace warpfork::gpu {

/// A block of two warps on a core of two instruction buffer entries.
struct EffectsBench : private WarpEvents {
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

  EffectsBench() {
    census.begin_kernel(64, 1, nobody);
    of.begin_kernel(nobody);
    of.started(0);
  }
  ResidentBlock& block() { return buffers.blocks.block(0); }
  /// The warp's first split executes an instruction.
  void step(unsigned warp) { of.stepped(warp, block().execute(buffers.runnable(warp)[0], 0), 0); }

 private:
  void written_back(const InFlight&) override {}
  void left_pipeline(unsigned) override {}
  void store_acknowledged(unsigned) override {}
  void atomic_done(unsigned) override {}
};

}  // namespace warpfork::gpu

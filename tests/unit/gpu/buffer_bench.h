// The instruction buffers of a core, and who holds its warps back, without the rest of the core.
#pragma once

#include <span>
#include <string_view>

#include "divergence/registry.h"
#include "gpu/split_buffers.h"
#include "kernel.h"

namespace warpfork::gpu {

/// A core of two warps, and so of two instruction buffer entries, with one block of two warps.
struct BufferBench {
  Kernel kernel;
  BlockSlots blocks{2};
  CoreSpec spec;
  KernelTables tables;
  RegisterHazards registers;
  OutstandingOperations operations;
  CompactionTiming compaction{2, 1};
  IssueConditions conditions;
  SplitBuffers of;

  explicit BufferBench(std::string_view body = "ret;", unsigned schedulers = 2)
      : kernel(body, {1, 1, 1}, {64, 1, 1}),
        spec(two_warps(schedulers)),
        tables(spec, kernel.program()),
        registers(spec, true, false, blocks),
        operations(2, registers.scoreboard()),
        conditions(compaction, operations, registers, spec),
        of(spec, blocks, conditions) {
    blocks.begin_kernel(kernel.launch(), 1, find_divergence_mechanism("multi-path").of_core({}));
    blocks.start({0, 0, 0}, 0);
    registers.begin_kernel(tables);
    conditions.begin_kernel(kernel.program());
    of.begin_kernel(kernel.program());
  }
  static CoreSpec two_warps(unsigned schedulers) {
    CoreSpec spec;
    spec.warps = 2;
    spec.schedulers = schedulers;
    return spec;
  }
  std::span<const SplitId> runnable(unsigned warp) { return blocks.block(0).domain().runnable(warp); }
  unsigned bind(unsigned warp) {
    const unsigned without_entry = of.bind(warp, runnable(warp));
    of.refresh_warp(warp);
    return without_entry;
  }
  EntryState state(unsigned entry) const { return of.entries()[entry].state; }
};

}  // namespace warpfork::gpu

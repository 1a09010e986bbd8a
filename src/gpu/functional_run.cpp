#include "gpu/functional_run.h"

#include <array>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/launch_facts.h"
#include "gpu/resident_block.h"

namespace warpfork::gpu {

namespace {

using simt::Instruction;
using simt::InstructionKind;

constexpr unsigned kTurn = 1 << 16;  // warp instructions a warp may run before the others get a turn

/// Executes the blocks of a launch and counts issued instructions.
class FunctionalRun {
 public:
  FunctionalRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options)
      : launch_(launch),
        options_(options),
        block_(launch, find_divergence_mechanism(machine.divergence.mechanism).make(machine.divergence.options())) {}

  void run_block(Dim3 index) {
    block_.start(index, 0);
    executed_in_block_ = 0;
    while (!block_.finished()) {
      bool any = false;
      for (WarpId warp = 0; warp < block_.warps(); ++warp) any |= run_warp(warp);
      if (!any) throw deadlock(*launch_.program, executed_in_block_, block_.describe());
    }
  }

  void fill(report::LaunchRecord& record) const {
    record.active_lanes = active_lanes_;
    record.executed_thread_instructions = executed_;
    for (unsigned lanes = 0; lanes <= kMaxWarpSize; ++lanes) {
      record.warp_instructions += active_lanes_[lanes];
      record.thread_instructions += lanes * active_lanes_[lanes];
    }
  }

 private:
  /// Runs the warp's first runnable split until the warp has none or its turn is over. False if it could not start.
  bool run_warp(WarpId warp) {
    DivergenceDomain& domain = block_.domain();
    unsigned left = kTurn;
    unsigned turn = 0;
    while (left > 0) {
      const std::span<const SplitId> runnable = domain.runnable(warp);
      if (runnable.empty()) break;
      left -= std::min(left, run_split(runnable[turn++ % runnable.size()]));
    }
    executed_in_block_ += kTurn - left;
    if (options_.max_cycles != 0 && executed_in_block_ > options_.max_cycles)
      throw Error("kernel '{}' still ran after {} warp instructions of one block (--max-cycles)", launch_.program->name,
                  options_.max_cycles);
    return left < kTurn;
  }

  /// Straight-line code up to and including the first instruction that may change what is runnable.
  unsigned run_split(SplitId id) {
    DivergenceDomain& domain = block_.domain();
    const WarpSplit& split = domain.split(id);
    const ActiveMask active = split.lanes;
    simt::WarpContext& warp = block_.context().warp(split.warp);
    const Instruction* const code = launch_.program->code.data();
    unsigned count = 0;
    while (!split.compacted) {
      const Instruction& instruction = code[split.pc];
      const bool plain = instruction.kind <= InstructionKind::Atomic && !instruction.ends_block &&
                         split.pc + 1 != split.reconvergence_pc;
      if (!plain) break;
      const ActiveMask executed = simt::guarded(instruction, warp, active);
      warp.pc = split.pc;
      instruction.handler(instruction, warp, executed);
      executed_ += executed.count();
      domain.step(id);
      ++count;
    }
    executed_ += block_.execute(id, executed_in_block_ + count).executed.count();
    active_lanes_[active.count()] += ++count;
    return count;
  }

  const simt::Launch& launch_;
  const LaunchOptions& options_;
  ResidentBlock block_;
  std::uint64_t executed_in_block_ = 0, executed_ = 0;
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes_{};
};

}  // namespace

report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options) {
  report::LaunchRecord record = launch_facts(launch);
  FunctionalRun run(machine, launch, options);
  const std::uint64_t blocks = launch.grid.count();
  for (std::uint64_t n = 0; n < blocks; ++n) {
    run.run_block({static_cast<std::uint32_t>(n % launch.grid.x),
                   static_cast<std::uint32_t>(n / launch.grid.x % launch.grid.y),
                   static_cast<std::uint32_t>(n / launch.grid.x / launch.grid.y)});
    if (options.progress) options.progress->advanced(0, n + 1);
  }
  run.fill(record);
  return record;
}

}  // namespace warpfork::gpu

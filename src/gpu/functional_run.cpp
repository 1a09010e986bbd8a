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

constexpr unsigned kTurn = 1 << 16;   // warp instructions a warp may run before the others get a turn
constexpr unsigned kSplitTurn = 256;  // and a split, before the other splits of its warp

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
  /// Runs the warp's splits in turn until it has none or its turn is over. False if it could not start.
  bool run_warp(WarpId warp) {
    DivergenceDomain& domain = block_.domain();
    domain.forget_table_moves();  // without timing nobody waits for them
    unsigned left = kTurn;
    unsigned turn = 0;
    while (left > 0) {
      const std::span<const SplitId> runnable = domain.runnable(warp);
      if (runnable.empty()) break;
      const unsigned limit = runnable.size() == 1 ? left : std::min(left, kSplitTurn);
      const unsigned count = run_split(runnable[turn++ % runnable.size()], limit);
      executed_in_block_ += count;
      left -= count;
    }
    if (options_.max_cycles != 0 && executed_in_block_ > options_.max_cycles)
      throw Error("kernel '{}' still ran after {} warp instructions of one block (--max-cycles)", launch_.program->name,
                  options_.max_cycles);
    return left < kTurn;
  }

  /// Runs the split up to and including the first instruction that may change what is runnable, at most `limit`
  /// instructions. Returns their number.
  unsigned run_split(SplitId id, unsigned limit) {
    const ActiveMask active = block_.domain().split(id).lanes;
    unsigned count = 0;
    if (!run_alone(id, limit, count)) {
      executed_ += block_.execute(id, executed_in_block_ + count).executed.count();
      ++count;
    }
    active_lanes_[active.count()] += count;
    return count;
  }

  /// The part of it that concerns one warp's registers and the split's own pc: code without barriers and exits. False
  /// if the split has to go on otherwise.
  bool run_alone(SplitId id, unsigned limit, unsigned& count) {
    DivergenceDomain& domain = block_.domain();
    const WarpSplit& split = domain.split(id);
    if (split.compacted) return false;
    const ActiveMask active = split.lanes;
    simt::WarpContext& warp = block_.context().warp(split.warp);
    const std::vector<Instruction>& code = launch_.program->code;
    while (count < limit) {
      const Instruction& instruction = code[split.pc];
      if (instruction.kind > InstructionKind::Branch || split.pc + 1 == code.size()) return false;
      const ActiveMask executed = simt::guarded(instruction, warp, active);
      if (instruction.kind == InstructionKind::Branch) {
        if (instruction.target == code.size()) return false;
        executed_ += executed.count();
        warp.clock = executed_in_block_ + ++count;
        if (branch(domain, split, instruction, executed).any()) return true;
        continue;
      }
      if (instruction.ends_block || split.pc + 1 == split.reconvergence_pc) return false;
      warp.pc = split.pc;
      instruction.handler(instruction, warp, executed);
      executed_ += executed.count();
      domain.step(id);
      ++count;
    }
    return true;
  }

  static WarpSet branch(DivergenceDomain& domain, const WarpSplit& split, const Instruction& instruction,
                        ActiveMask taken) {
    const ActiveMask others = split.lanes - taken;
    std::array<Path, 2> paths;
    unsigned count = 0;
    if (taken.any()) paths[count++] = {instruction.target, taken};
    if (others.any()) paths[count++] = {split.pc + 1, others};
    return domain.advance(split.id, std::span(paths.data(), count), instruction.reconvergence);
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

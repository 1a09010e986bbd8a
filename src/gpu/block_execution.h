// What an instruction does to the registers and the memory of a block's threads.
#pragma once

#include <optional>
#include <span>

#include "divergence/warp_split.h"
#include "gpu/scalar_checker.h"
#include "gpu/step.h"
#include "simt/deferred_accesses.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Calls the instruction's handler wherever the registers of a split's lanes lie: in a row of its warp, in several, or,
/// of a compacted split, in several warps.
class BlockExecution {
 public:
  BlockExecution(const simt::Launch& launch, simt::BlockContext& context);

  /// Another block begins, on this core.
  void start(unsigned core) {
    deferred_ = launch_.deferred == nullptr ? nullptr : &launch_.deferred[core];
    if (checker_) checker_->start();
  }
  /// Executes the step's instruction, if it has a handler, for the lanes whose guard is true; says which these are, and
  /// the homes of a compacted split: as the split has them. `now` is what %clock reads.
  void execute(const WarpSplit& split, Step& step, Cycle now) {
    if (!is_simple_ || split.compacted()) return execute_anywhere(split, step, now);
    const simt::Instruction& instruction = *step.instruction;
    simt::WarpContext& warp = warps_[split.warp];
    const simt::RowLanes executed = simt::guarded(instruction, warp, simt::in_row(split.lanes, 0));
    step.executed = simt::of_row(executed, 0);
    warp.pc = step.pc;
    warp.clock = now;
    if (has_handler(instruction)) handle(instruction, warp, executed);
  }

  /// What the last executed step, a Load, Store or Atomic, touched.
  const simt::MemoryAccess& access(const Step& step) const {
    return rows_ == 1 && step.homes.empty() ? warps_[step.warp].access : joined_access_;
  }
  /// Lanes whose home is this warp and that have not exited.
  ActiveMask live(WarpId warp) const { return rows_ == 1 ? simt::of_row(warps_[warp].live, 0) : live_in_rows(warp); }

 private:
  static bool has_handler(const simt::Instruction& instruction) {
    return instruction.kind <= simt::InstructionKind::Atomic;
  }
  void handle(const simt::Instruction& instruction, simt::WarpContext& warp, simt::RowLanes lanes) {
    if (deferred_ != nullptr && instruction.kind != simt::InstructionKind::Arithmetic) [[unlikely]]
      return deferred_->execute(instruction, warp, lanes);
    instruction.handler(instruction, warp, lanes);
  }
  ActiveMask live_in_rows(WarpId warp) const;
  void execute_anywhere(const WarpSplit& split, Step& step, Cycle now);
  void find_homes(const WarpSplit& split, Step& step, Cycle now);
  void look_before(const Step& step);
  ActiveMask guarded(const Step& step);
  void apply(const Step& step);
  void apply(const simt::Instruction& instruction, HomeLanes home);
  void join(const simt::MemoryAccess& access, unsigned row);

  const simt::Launch& launch_;
  simt::BlockContext& context_;
  unsigned rows_;
  std::span<simt::WarpContext> warps_;  // by warp and row
  simt::MemoryAccess joined_access_;    // of the last step, if its registers lie in several rows
  /// Of its core; null = accesses of device memory take effect at once.
  simt::DeferredAccesses* deferred_ = nullptr;
  std::optional<ScalarChecker> checker_;
  bool is_simple_;  // registers of a warp lie in one row, and neither the checker nor a memory check looks at them
};

}  // namespace warpfork::gpu

// One thread block in execution: its registers and memory, its program counters and its barriers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/divergence_domain.h"
#include "gpu/block_barriers.h"
#include "gpu/block_execution.h"
#include "gpu/step.h"
#include "gpu/warp_meetings.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Functional execution in the order that the caller chooses: the caller picks a runnable split, execute() does the
/// instruction at its pc. Used by the timed core and by the functional run alike.
class ResidentBlock {
 public:
  ResidentBlock(const simt::Launch& launch, std::unique_ptr<DivergenceDomain> domain);

  /// Becomes block `index` of the grid, on core `core`.
  void start(Dim3 index, unsigned core);

  /// Executes the instruction at the split's pc for its lanes; `now` is what %clock reads.
  /// Throws Error for what the program does wrong, with thread, PC and source line.
  Step execute(const WarpSplit& split, Cycle now) {
    if (split.pc >= code_.size()) [[unlikely]]
      fail_behind_code(split);
    if (effects_.changed.any()) effects_.clear();
    const simt::Instruction& instruction = code_[split.pc];
    Step step{&instruction, split.pc, split.warp, split.lanes, split.lanes, {}, 1, {}, {}};
    if (meetings_ && instruction.names_members()) [[unlikely]]
      if (come_to_meeting(split, step)) return step;
    execution_.execute(split, step, now);
    if (instruction.kind < simt::InstructionKind::Branch)
      go_on_together(split, step, step.pc + 1);
    else
      control(split, step);
    return step;
  }
  Step execute(SplitId id, Cycle now) { return execute(domain_->split(id), now); }

  DivergenceDomain& domain() { return *domain_; }
  const DivergenceDomain& domain() const { return *domain_; }
  simt::BlockContext& context() { return context_; }
  /// What the last executed step, a Load, Store or Atomic, touched.
  const simt::MemoryAccess& access(const Step& step) const { return execution_.access(step); }
  /// What the divergence domain has done in the last execute().
  const DomainEffects& effects() const { return effects_; }
  unsigned warps() const { return warps_; }
  /// Lanes whose home is this warp and that have not exited.
  ActiveMask live(WarpId warp) const { return execution_.live(warp); }
  /// Threads that have not exited.
  unsigned live_threads() const { return live_threads_; }
  bool finished() const { return live_threads_ == 0; }
  /// Whether the instruction is a barrier for all of the block to which all threads that are left come with the split,
  /// so that it opens with nobody waiting.
  bool opens_at_once(const simt::Instruction& instruction, const WarpSplit& split) const {
    return instruction.kind == simt::InstructionKind::Barrier && split.lanes.count() == live_threads_ &&
           instruction.barrier_form == simt::BarrierForm::Sync && instruction.barrier_threads == 0 &&
           instruction.barrier != simt::Instruction::kBarrierInRegister && !barriers_.any_in_use();
  }
  /// Whether an instruction of the kernel may have threads wait that others in their warp do not wait for.
  bool gathers() const { return meetings_.has_value(); }
  /// Threads that wait at a barrier, or for others of their warp.
  unsigned waiting_threads() const {
    return barriers_.waiting_threads() + (meetings_ ? meetings_->waiting_threads() : 0);
  }
  /// Whether the split waits at a barrier, or for threads that it names.
  bool waits(SplitId split) const { return barriers_.waits(split) || (meetings_ && meetings_->waits(split)); }
  /// For which of them, in words.
  std::string_view wait_text(SplitId split) const {
    return barriers_.waits(split) ? "waits at the barrier" : "waits for threads that it names";
  }
  /// Calls visit(split) for the warp's splits that wait so, in the order of their ids.
  template <class Visit>
  void for_each_waiting(WarpId warp, Visit&& visit) const {
    SlotSet slots = barriers_.waiting_slots(warp);
    if (meetings_) slots |= meetings_->waiting_slots(warp);
    slots.for_each([&](unsigned slot) { visit(warp * kSplitsPerWarp + slot); });
  }
  /// A warp's registers and predicates, of each of its rows.
  unsigned rows() const { return rows_; }
  const simt::WarpContext& warp(WarpId warp, unsigned row) const { return context_.warp(warp, row); }

  /// What a split that may issue waits for.
  using Wait = std::function<std::string_view(const WarpSplit&)>;
  /// Who has come to which barrier, where each split is that waits there or, if `wait` is given, may issue, and the
  /// mechanism's tables.
  std::string describe(const Wait& wait = {}) const;

 private:
  [[noreturn]] void fail_behind_code(const WarpSplit& split) const;
  /// All lanes go on there.
  void go_on_together(const WarpSplit& split, Step& step, Pc next) {
    const simt::Instruction& instruction = *step.instruction;
    if (!instruction.ends_block && next != split.reconvergence_pc) return domain_->step(split.id);
    if (next < code_.size() && domain_->pass(split.id, next)) return;
    const Path path{next, step.active};
    go_on(split.id, instruction, step, {&path, 1});
  }
  void control(const WarpSplit& split, Step& step);
  void keep_homes(Step& step);
  void collect(const DomainEffects& done, WarpSet& changed);
  void go_on(SplitId split, const simt::Instruction& instruction, Step& step, std::span<const Path> paths);
  void leave(const Step& step);
  void step_over(SplitId split, WarpSet& changed);
  bool come_to_meeting(const WarpSplit& split, Step& step);
  void gather(WarpId warp, WarpSet& changed);
  void come_to_barrier(SplitId split, const Step& step);
  void open_full_barriers(WarpSet& changed);
  std::string place_text(Pc pc) const;

  const simt::Launch& launch_;
  const simt::Program& program_;
  std::span<const simt::Instruction> code_;
  simt::BlockContext context_;
  std::unique_ptr<DivergenceDomain> domain_;
  unsigned warps_, rows_;
  unsigned live_threads_ = 0;
  BlockExecution execution_;
  BlockBarriers barriers_;
  std::optional<WarpMeetings> meetings_;  // if there may be any
  std::vector<HomeLanes> homes_;  // of the last step, if it was a compacted split's of which the domain was told
  DomainEffects effects_;         // of the last step
};

}  // namespace warpfork::gpu

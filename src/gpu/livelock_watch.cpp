#include "gpu/livelock_watch.h"

#include <algorithm>

#include "analysis/meetings.h"
#include "divergence/registry.h"
#include "gpu/core.h"

namespace warpfork::gpu {

using simt::InstructionKind;

namespace {

constexpr Cycle kFirst = Cycle{1} << 16;  // most launches have ended
constexpr Cycle kShare = 16;              // a watch of the time before it
constexpr Cycle kPause = 1 << 10;         // between two looks at what was recorded

bool reads_time(const ptx::Operand& operand) {
  if (const auto* vector = operand.as<ptx::VectorOperand>()) return std::ranges::any_of(vector->elements, reads_time);
  const auto* special = operand.as<ptx::SpecialRegisterOperand>();
  return special != nullptr && special->name >= ptx::SpecialRegister::Clock &&
         special->name <= ptx::SpecialRegister::Pm764;
}

/// A call that is left after inlining is one of the system's, as printf.
bool calls(const ptx::Instruction& instruction) { return instruction.opcode == ptx::Opcode::Call; }

bool decides_alone(const ptx::Instruction& instruction) {
  return !calls(instruction) && !analysis::reads_other_lanes(instruction) &&
         std::ranges::none_of(instruction.operands, reads_time);
}

}  // namespace

LivelockWatch::LivelockWatch(const simt::Program& program, const MachineDivergenceSpec& divergence, bool may_listen)
    : program_(program),
      divergence_(divergence),
      lets_all_run_(divergence.max_splits != 0 || find_divergence_mechanism(divergence.mechanism).changes_paths),
      next_(may_listen ? kFirst : kNever) {}

bool LivelockWatch::can_claim() const { return !find_divergence_mechanism(divergence_.mechanism).regroups; }

bool LivelockWatch::decides_alone() const {
  return !lets_all_run_ && std::ranges::all_of(program_.function->body, gpu::decides_alone);
}

void LivelockWatch::listen(const Cores& cores, report::LaunchListener* listener) const {
  for (const auto& core : cores) core->also_tell(listener);
}

bool LivelockWatch::look(Cycle now, const Cores& cores, bool dealt) {
  next_ = now + kPause;
  if (begin_ == 0) {
    if (!can_claim()) {
      next_ = kNever;
      return false;
    }
    begin_ = now;
    begin();
    listen(cores, this);
    return false;
  }
  bool stuck = dealt;
  for (const auto& core : cores)
    core->blocks().for_each_block([&](const ResidentBlock& block) { stuck = stuck && is_stuck(block); });
  if (stuck || now < begin_ + begin_ / kShare) return stuck;
  listen(cores, nullptr);
  next_ = 2 * begin_;
  begin_ = 0;
  return false;
}

bool LivelockWatch::changes_something(const ResidentBlock& block, const Step& step) const {
  switch (step.instruction->kind) {
    case InstructionKind::Arithmetic:
      return calls(program_.function->body[step.pc]) && step.executed.any();
    case InstructionKind::Load:
    case InstructionKind::Branch:
    case InstructionKind::MemoryBarrier:
      return false;
    case InstructionKind::Atomic:
      return block.access(step).has_changed;
    default:
      return step.executed.any();
  }
}

ActiveMask LivelockWatch::runnable_lanes(const ResidentBlock& block, WarpId warp) {
  ActiveMask lanes;
  for (const SplitId id : block.domain().runnable(warp)) lanes |= block.domain().split(id).lanes;
  return lanes;
}

bool LivelockWatch::holds_back(const ResidentBlock& block) {
  for (WarpId warp = 0; warp < block.warps(); ++warp) {
    ActiveMask lanes = block.domain().live(warp) - runnable_lanes(block, warp);
    block.for_each_waiting(warp, [&](SplitId id) { lanes = lanes - block.domain().split(id).lanes; });
    if (lanes.any()) return true;
  }
  return false;
}

void LivelockWatch::stepped(const ResidentBlock& block, const Step& step) {
  if (changes_something(block, step)) {
    ++window_;
    return;
  }
  std::vector<Round>& rounds = rounds_[&block];
  rounds.resize(block.warps());
  Round& round = rounds[step.warp];
  if (round.window != window_) {
    round.window = window_;
    round.steps = 0;
    round.next_mark = 1;
    round.is_closed = false;
  }
  if (round.is_closed) return;
  round.ran |= step.active;
  round.decides_alone = round.decides_alone && gpu::decides_alone(program_.function->body[step.pc]);
  round.reads_memory |=
      step.instruction->kind == InstructionKind::Load || step.instruction->kind == InstructionKind::Atomic;
  if (step.changed.any()) round.runnable |= runnable_lanes(block, step.warp);
  round.is_closed = round.steps != 0 && is_at_mark(round, block, step.warp) && closes(round, block, step.warp);
  // Brent's way to find a cycle: the mark moves on when so many steps have been made as before it.
  if (!round.is_closed && ++round.steps == round.next_mark) mark(round, block, step.warp);
}

/// The warp is at its mark again.
bool LivelockWatch::closes(const Round& round, const ResidentBlock& block, WarpId warp) const {
  return round.decides_alone && round.ran.contains(round.runnable) &&
         (!lets_all_run_ || !round.reads_memory || round.runnable == block.domain().live(warp));
}

void LivelockWatch::mark(Round& round, const ResidentBlock& block, WarpId warp) const {
  round.next_mark *= 2;
  round.ran = ActiveMask();
  round.decides_alone = true;
  round.reads_memory = false;
  round.runnable = runnable_lanes(block, warp);
  round.splits.clear();
  for (const SplitId id : block.domain().runnable(warp)) round.splits.push_back(block.domain().split(id));
  round.registers.clear();
  round.predicates.clear();
  for (unsigned row = 0; row < block.rows(); ++row) {
    const simt::WarpContext& context = block.warp(warp, row);
    round.registers.insert(round.registers.end(), context.registers, context.registers + program_.register_bytes);
    round.predicates.insert(round.predicates.end(), context.predicates.begin(), context.predicates.end());
  }
}

bool LivelockWatch::is_at_mark(const Round& round, const ResidentBlock& block, WarpId warp) const {
  const std::span<const SplitId> runnable = block.domain().runnable(warp);
  const auto is_same = [&](SplitId id, const WarpSplit& then) {
    const WarpSplit& now = block.domain().split(id);
    return now.pc == then.pc && now.lanes == then.lanes;
  };
  bool same = std::equal(runnable.begin(), runnable.end(), round.splits.begin(), round.splits.end(), is_same);
  for (unsigned row = 0; same && row < block.rows(); ++row) {
    const simt::WarpContext& context = block.warp(warp, row);
    const std::size_t count = context.predicates.size();
    same = std::equal(context.registers, context.registers + program_.register_bytes,
                      round.registers.begin() + static_cast<std::ptrdiff_t>(row * program_.register_bytes)) &&
           std::equal(context.predicates.begin(), context.predicates.end(),
                      round.predicates.begin() + static_cast<std::ptrdiff_t>(row * count));
  }
  return same;
}

bool LivelockWatch::is_stuck(const ResidentBlock& block) const {
  if (block.finished()) return false;  // another one may take its place
  const auto found = rounds_.find(&block);
  for (WarpId warp = 0; warp < block.warps(); ++warp) {
    if (block.domain().finished(warp) || block.domain().runnable(warp).empty()) continue;
    if (found == rounds_.end()) return false;
    const Round& round = found->second[warp];
    if (round.window != window_ || !round.is_closed) return false;
  }
  return true;
}

}  // namespace warpfork::gpu

#include "gpu/block_execution.h"

#include <algorithm>

#include "simt/memory_check.h"

namespace warpfork::gpu {

using simt::Instruction;

BlockExecution::BlockExecution(const simt::Launch& launch, simt::BlockContext& context)
    : launch_(launch), context_(context), rows_(context.rows()), warps_(context.warps()) {
  if (launch.check_scalars && launch.program->scalars.rule) checker_.emplace(launch);
  is_simple_ = rows_ == 1 && !checker_ && launch.memory_check == nullptr;
}

ActiveMask BlockExecution::live_in_rows(WarpId warp) const {
  ActiveMask lanes;
  for (unsigned row = 0; row < rows_; ++row) lanes |= simt::of_row(context_.warp(warp, row).live, row);
  return lanes;
}

void BlockExecution::execute_anywhere(const WarpSplit& split, Step& step, Cycle now) {
  find_homes(split, step, now);
  step.executed = guarded(step);
  look_before(step);
  if (!has_handler(*step.instruction)) return;
  apply(step);
  if (checker_) checker_->after(step, context_);
}

/// Tells the warps whose threads take part where they are.
void BlockExecution::find_homes(const WarpSplit& split, Step& step, Cycle now) {
  const auto tell = [&](WarpId home) {
    for (unsigned row = 0; row < rows_; ++row) {
      simt::WarpContext& warp = context_.warp(home, row);
      warp.pc = split.pc;
      warp.clock = now;
    }
  };
  step.homes = split.homes;
  if (!split.compacted()) tell(split.warp);
  for (const HomeLanes& home : step.homes) tell(home.warp);
}

void BlockExecution::look_before(const Step& step) {
  if (checker_) checker_->before(step, context_);
  if (launch_.memory_check == nullptr) return;
  const auto look = [&](WarpId home, ActiveMask executed) {
    simt::for_each_row(executed, [&](unsigned row, simt::RowLanes lanes) {
      launch_.memory_check->look_at(*step.instruction, context_.warp(home, row), lanes);
    });
  };
  if (step.homes.empty()) look(step.warp, step.executed);
  for (const HomeLanes& home : step.homes) look(home.warp, home.lanes & step.executed);
}

ActiveMask BlockExecution::guarded(const Step& step) {
  const Instruction& instruction = *step.instruction;
  if (instruction.guard == Instruction::kNoPredicate) return step.active;
  ActiveMask executed;
  const auto add = [&](WarpId home, ActiveMask active) {
    simt::for_each_row(active, [&](unsigned row, simt::RowLanes lanes) {
      executed |= simt::of_row(simt::guarded(instruction, context_.warp(home, row), lanes), row);
    });
  };
  if (step.homes.empty()) add(step.warp, step.active);
  for (const HomeLanes& home : step.homes) add(home.warp, home.lanes);
  return executed;
}

/// Where registers lie in several warps (of a compacted split) or rows, the instruction is applied to one after the
/// other. What its lanes touch is one access.
void BlockExecution::apply(const Step& step) {
  const Instruction& instruction = *step.instruction;
  if (rows_ == 1 && step.homes.empty()) return handle(instruction, warps_[step.warp], simt::in_row(step.executed, 0));
  joined_access_.lanes = ActiveMask();
  joined_access_.bytes = 0;
  joined_access_.has_changed = false;
  if (step.homes.empty()) apply(instruction, {step.warp, step.executed});
  for (const HomeLanes& home : step.homes) apply(instruction, {home.warp, home.lanes & step.executed});
}

void BlockExecution::apply(const Instruction& instruction, HomeLanes home) {
  simt::for_each_row(home.lanes, [&](unsigned row, simt::RowLanes lanes) {
    simt::WarpContext& warp = context_.warp(home.warp, row);
    handle(instruction, warp, lanes);
    if (instruction.kind != simt::InstructionKind::Arithmetic) join(warp.access, row);
  });
}

void BlockExecution::join(const simt::MemoryAccess& access, unsigned row) {
  if (joined_access_.lanes.any() && access.space != joined_access_.space) return;  // the lowest lane's space counts
  joined_access_.space = access.space;
  joined_access_.bytes = std::max(joined_access_.bytes, access.bytes);  // of a texture 0 where no lane touched it
  joined_access_.is_write = access.is_write;
  joined_access_.is_atomic = access.is_atomic;
  joined_access_.has_changed |= access.is_atomic && access.has_changed;
  const ActiveMask touched = simt::of_row(simt::in_row(access.lanes, 0), row);
  touched.for_each([&](unsigned lane) { joined_access_.address[lane] = access.address[lane % simt::kRowLanes]; });
  joined_access_.lanes |= touched;
}

}  // namespace warpfork::gpu

#include "gpu/resident_block.h"

#include <fmt/format.h>

#include "base/error.h"
#include "simt/memory_check.h"

namespace warpfork::gpu {

using simt::Instruction;
using simt::InstructionKind;

ResidentBlock::ResidentBlock(const simt::Launch& launch, std::unique_ptr<DivergenceDomain> domain)
    : launch_(launch),
      program_(*launch.program),
      context_(launch),
      domain_(std::move(domain)),
      warps_(launch.warps_per_block()),
      rows_(context_.rows()),
      barriers_(launch, context_, *domain_) {
  if (launch.check_scalars && program_.scalars.rule) checker_.emplace(launch);
  is_looked_at_ = checker_ || launch.memory_check != nullptr;
}

void ResidentBlock::start(Dim3 index, unsigned core) {
  context_.start(index, core);
  std::array<ActiveMask, kMaxWarpsPerBlock> lanes;
  for (WarpId warp = 0; warp < warps_; ++warp) lanes[warp] = context_.lanes(warp);
  domain_->launch(0, std::span(lanes.data(), warps_), launch_.grid.number_of(index));
  live_threads_ = launch_.threads_per_block();
  barriers_.start();
  if (checker_) checker_->start();
}

Step ResidentBlock::execute(SplitId id, Cycle now) {
  const WarpSplit split = domain_->split(id);
  check(split.pc < program_.code.size(), [&] {
    return fmt::format("split {} of warp {} ran off the end of kernel '{}'\n{}", id, split.warp, program_.name,
                       domain_->describe(split.warp));
  });
  const Instruction& instruction = program_.code[split.pc];

  if (effects_.changed.any()) effects_.clear();
  Step step;
  step.instruction = &instruction;
  step.pc = split.pc;
  step.warp = split.warp;
  step.active = split.lanes;
  find_homes(split, step, now);
  step.executed = guarded(step);
  if (is_looked_at_) look_before(step);

  const ActiveMask others = split.lanes - step.executed;
  std::array<Path, 2> paths;
  unsigned count = 0;
  const auto add = [&](Pc pc, ActiveMask lanes) {
    if (lanes.any()) paths[count++] = {pc, lanes};
  };
  switch (instruction.kind) {
    case InstructionKind::Branch:
      add(instruction.target, step.executed);
      add(split.pc + 1, others);
      break;
    case InstructionKind::Exit:
      step.exited = step.executed;
      add(split.pc + 1, others);
      break;
    case InstructionKind::Barrier:
      come_to_barrier(id, step);
      if (instruction.barrier_form != simt::BarrierForm::Arrive) {
        collect(domain_->wait(id), step.changed);
        open_full_barriers(step.changed);
        return step;
      }
      add(split.pc + 1, split.lanes);
      break;
    case InstructionKind::MemoryBarrier:
      add(split.pc + 1, split.lanes);
      break;
    default:
      apply(step);
      if (is_looked_at_) look_after(step);
      add(split.pc + 1, split.lanes);
  }
  go_on(id, instruction, step, std::span(paths.data(), count));
  if (instruction.kind == InstructionKind::Barrier) open_full_barriers(step.changed);
  return step;
}

void ResidentBlock::look_before(const Step& step) {
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

void ResidentBlock::look_after(const Step& step) {
  if (checker_) checker_->after(step, context_);
}

/// Adds what a call of the domain has done to what the step has done so far.
void ResidentBlock::collect(const DomainEffects& done, WarpSet& changed) {
  if (done.changed.none()) return;
  changed |= done.changed;
  effects_ += done;
}

/// Tells the warps whose threads take part where they are.
void ResidentBlock::find_homes(const WarpSplit& split, Step& step, Cycle now) {
  const auto tell = [&](WarpId home) {
    unsigned row = 0;
    do {
      simt::WarpContext& warp = context_.warp(home, row);
      warp.pc = split.pc;
      warp.clock = now;
    } while (++row < rows_);
  };
  if (!split.compacted()) return tell(split.warp);
  homes_.assign(split.homes.begin(), split.homes.end());
  step.homes = homes_;
  for (const HomeLanes& home : homes_) tell(home.warp);
}

ActiveMask ResidentBlock::guarded(const Step& step) {
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
void ResidentBlock::apply(const Step& step) {
  const Instruction& instruction = *step.instruction;
  if (is_in_one_row(step))
    return instruction.handler(instruction, context_.warp(step.warp), simt::in_row(step.executed, 0));
  joined_access_.lanes = ActiveMask();
  joined_access_.has_changed = false;
  if (step.homes.empty()) apply(step, {step.warp, step.executed});
  for (const HomeLanes& home : step.homes) apply(step, {home.warp, home.lanes & step.executed});
}

void ResidentBlock::apply(const Step& step, HomeLanes home) {
  const Instruction& instruction = *step.instruction;
  simt::for_each_row(home.lanes, [&](unsigned row, simt::RowLanes lanes) {
    simt::WarpContext& warp = context_.warp(home.warp, row);
    instruction.handler(instruction, warp, lanes);
    if (instruction.kind == InstructionKind::Arithmetic) return;
    const simt::MemoryAccess& access = warp.access;
    if (joined_access_.lanes.any() && access.space != joined_access_.space) return;  // the lowest lane's space counts
    joined_access_.space = access.space;
    joined_access_.bytes = access.bytes;
    joined_access_.is_write = access.is_write;
    joined_access_.is_atomic = access.is_atomic;
    joined_access_.has_changed |= access.is_atomic && access.has_changed;
    const ActiveMask touched = simt::of_row(simt::in_row(access.lanes, 0), row);
    touched.for_each([&](unsigned lane) { joined_access_.address[lane] = access.address[lane % simt::kRowLanes]; });
    joined_access_.lanes |= touched;
  });
}

void ResidentBlock::go_on(SplitId id, const Instruction& instruction, Step& step, std::span<const Path> paths) {
  const bool leaves_code = !paths.empty() && paths.back().pc >= program_.code.size();
  if (leaves_code) {  // running off the end of the code is an exit
    step.exited |= paths.back().lanes;
    paths = paths.first(paths.size() - 1);
  }
  const bool sequential =
      !instruction.ends_block && step.exited.none() && step.pc + 1 != domain_->split(id).reconvergence_pc;
  if (sequential) {
    domain_->step(id);
    return;
  }
  step.places = static_cast<unsigned>(paths.size());
  const bool all_go_one_way = !instruction.may_part() && !paths.empty();
  collect(all_go_one_way ? domain_->jump(id, paths[0].pc) : domain_->advance(id, paths, instruction.reconvergence),
          step.changed);
  if (step.exited.none()) return;
  const auto leave = [&](WarpId home, ActiveMask exited) {
    simt::for_each_row(exited, [&](unsigned row, simt::RowLanes lanes) { context_.warp(home, row).live -= lanes; });
  };
  if (step.homes.empty()) leave(step.warp, step.exited);
  for (const HomeLanes& home : step.homes) leave(home.warp, home.lanes & step.exited);
  live_threads_ -= step.exited.count();
  open_full_barriers(step.changed);
}

void ResidentBlock::come_to_barrier(SplitId id, const Step& step) {
  const Instruction& instruction = *step.instruction;
  check(step.executed == step.active || instruction.barrier_form == simt::BarrierForm::Arrive,
        [] { return std::string("a barrier to wait at was decoded with its guard"); });
  const auto come = [&](WarpId home, ActiveMask lanes) {
    if (lanes.any()) barriers_.come(instruction, id, {home, lanes});
  };
  if (step.homes.empty()) come(step.warp, step.executed);
  for (const HomeLanes& home : step.homes) come(home.warp, home.lanes & step.executed);
}

void ResidentBlock::open_full_barriers(WarpSet& changed) {
  barriers_.open(live_threads_);
  // One after the other: a split that still waits cannot be joined by one that goes on.
  for (SplitId id = 0; barriers_.take_released(id);) {
    collect(domain_->release(id), changed);
    step_over(id, changed);
  }
}

void ResidentBlock::step_over(SplitId id, WarpSet& changed) {
  const WarpSplit split = domain_->split(id);
  const Instruction& instruction = program_.code[split.pc];
  changed |= WarpSet::single(split.warp);
  Step step;
  step.pc = split.pc;
  step.warp = split.warp;
  const Path next{split.pc + 1, split.lanes};
  go_on(id, instruction, step, std::span(&next, 1));
  changed |= step.changed;
}

/// "pc 5 (PTX line 20, bfs.cu:41)"
std::string ResidentBlock::place_text(Pc pc) const {
  if (pc >= program_.code.size()) return fmt::format("pc {} (the end)", pc);
  return fmt::format("pc {} ({})", pc, program_.module->place_text(program_.function->body[pc].location));
}

std::string ResidentBlock::describe(const Wait& wait) const {
  const Dim3 index = context_.index();
  std::string text = fmt::format("block ({}, {}, {})\n{}", index.x, index.y, index.z, barriers_.describe());
  const auto add = [&](const WarpSplit& split, std::string_view what) {
    text += fmt::format("  warp {} split {} lanes {} {} {}\n", split.warp, split.id % kSplitsPerWarp,
                        split.lanes.to_string(launch_.warp_size), what, place_text(split.pc));
  };
  for (WarpId warp = 0; warp < warps_; ++warp) {
    for_each_waiting(warp, [&](SplitId id) { add(domain_->split(id), "waits at the barrier at"); });
    if (wait)
      for (const SplitId id : domain_->runnable(warp)) {
        const WarpSplit& split = domain_->split(id);
        add(split, fmt::format("{} at", wait(split)));
      }
    if (!domain_->finished(warp)) text += domain_->describe(warp);
  }
  return text;
}

}  // namespace warpfork::gpu

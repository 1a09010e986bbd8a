#include "gpu/resident_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace warpfork::gpu {

using simt::Instruction;
using simt::InstructionKind;

ResidentBlock::ResidentBlock(const simt::Launch& launch, std::unique_ptr<DivergenceDomain> domain)
    : launch_(launch),
      program_(*launch.program),
      code_(program_.code),
      context_(launch),
      domain_(std::move(domain)),
      warps_(launch.warps_per_block()),
      rows_(context_.rows()),
      execution_(launch, context_),
      barriers_(launch, context_, *domain_) {
  domain_->begin_kernel(program_.frontier_order);
  if (domain_->gathers() && std::ranges::any_of(code_, &Instruction::names_members))
    meetings_.emplace(launch, context_, *domain_);
}

void ResidentBlock::start(Dim3 index, unsigned core) {
  context_.start(index, core);
  std::array<ActiveMask, kMaxWarpsPerBlock> lanes;
  for (WarpId warp = 0; warp < warps_; ++warp) lanes[warp] = context_.lanes(warp);
  domain_->launch(0, std::span(lanes).first(warps_), launch_.grid.number_of(index));
  live_threads_ = launch_.threads_per_block();
  barriers_.start();
  if (meetings_) meetings_->start();
  execution_.start(core);
}

void ResidentBlock::fail_behind_code(const WarpSplit& split) const {
  throw InvariantError(fmt::format("split {} of warp {} ran off the end of kernel '{}'\n{}", split.id, split.warp,
                                   program_.name, domain_->describe(split.warp)));
}

/// Of branches, exits and barriers.
void ResidentBlock::control(const WarpSplit& split, Step& step) {
  const Instruction& instruction = *step.instruction;
  const Pc next = step.pc + 1;
  const ActiveMask others = step.active - step.executed;
  switch (instruction.kind) {
    case InstructionKind::Branch: {
      if (others.none()) return go_on_together(split, step, instruction.target);
      if (step.executed.none()) return go_on_together(split, step, next);
      const Path paths[] = {{instruction.target, step.executed}, {next, others}};
      return go_on(split.id, instruction, step, paths);
    }
    case InstructionKind::Exit: {
      step.exited = step.executed;
      const Path path{next, others};
      return go_on(split.id, instruction, step, {&path, others.any() ? 1u : 0u});
    }
    case InstructionKind::Barrier:
      come_to_barrier(split.id, step);
      if (instruction.barrier_form == simt::BarrierForm::Arrive) {
        go_on_together(split, step, next);
      } else {
        keep_homes(step);
        collect(domain_->wait(split.id), step.changed);
        if (meetings_) gather(step.warp, step.changed);
      }
      return open_full_barriers(step.changed);
    default:
      return go_on_together(split, step, next);
  }
}

/// Adds what a call of the domain has done to what the step has done so far.
void ResidentBlock::collect(const DomainEffects& done, WarpSet& changed) {
  if (done.changed.none()) return;
  changed |= done.changed;
  effects_ += done;
}

/// The domain is about to be told: the split may be another one afterwards.
void ResidentBlock::keep_homes(Step& step) {
  if (step.homes.empty()) return;
  homes_.assign(step.homes.begin(), step.homes.end());
  step.homes = homes_;
}

void ResidentBlock::go_on(SplitId id, const Instruction& instruction, Step& step, std::span<const Path> paths) {
  const bool leaves_code = !paths.empty() && paths.back().pc >= code_.size();
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
  keep_homes(step);
  const bool all_go_one_way = instruction.may_part() ? instruction.comes_back && paths.size() == 1 : !paths.empty();
  const Pc meeting = program_.meeting_of(instruction, domain_->split(id).reconvergence_pc);
  collect(all_go_one_way ? domain_->jump(id, paths[0].pc) : domain_->advance(id, paths, meeting), step.changed);
  if (step.exited.any()) leave(step);
  if (meetings_) gather(step.warp, step.changed);
  if (step.exited.any()) open_full_barriers(step.changed);
}

void ResidentBlock::leave(const Step& step) {
  const auto leave = [&](WarpId home, ActiveMask exited) {
    simt::for_each_row(exited, [&](unsigned row, simt::RowLanes lanes) { context_.warp(home, row).live -= lanes; });
  };
  if (step.homes.empty()) leave(step.warp, step.exited);
  for (const HomeLanes& home : step.homes) leave(home.warp, home.lanes & step.exited);
  live_threads_ -= step.exited.count();
}

/// False if the instruction is to be executed now.
bool ResidentBlock::come_to_meeting(const WarpSplit& split, Step& step) {
  switch (meetings_->come(split)) {
    case WarpMeetings::Outcome::Executes:
      return false;
    case WarpMeetings::Outcome::GoesOn:
      step.executed =
          simt::of_row(simt::guarded(*step.instruction, context_.warp(step.warp), simt::in_row(step.active, 0)), 0);
      go_on_together(split, step, step.pc + 1);
      return true;
    case WarpMeetings::Outcome::Meets:
      gather(step.warp, step.changed);
      return true;
    case WarpMeetings::Outcome::Waits:
      collect(domain_->wait_for_others(split.id), step.changed);
      gather(step.warp, step.changed);
      return true;
  }
  return false;
}

/// Those of the warp that have met go on, as one where they are in one place.
void ResidentBlock::gather(WarpId warp, WarpSet& changed) {
  for (SlotSet met = meetings_->take_met(warp); met.any(); met = meetings_->take_met(warp))
    collect(domain_->meet(warp, met), changed);
  if (meetings_->waiting_slots(warp).any() && domain_->runnable(warp).empty()) collect(domain_->unblock(warp), changed);
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
    for_each_waiting(warp, [&](SplitId id) { add(domain_->split(id), fmt::format("{} at", wait_text(id))); });
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

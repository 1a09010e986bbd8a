#include "explain/warp_watch.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "base/text.h"

namespace warpfork::explain {

using simt::InstructionKind;

namespace {

std::string homes_text(std::span<const HomeLanes> homes, unsigned width) {
  std::string text;
  for (const HomeLanes& home : homes)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", home.warp, home.lanes.to_string(width));
  return text;
}

/// Erases the column's word, and the blanks before it, so that its width makes no difference. Words count from 0.
void erase_word(std::string& row, unsigned column) {
  std::size_t begin = 0, end = 0;
  for (unsigned word = 0; word <= column; ++word) {
    begin = end;
    end = row.find(' ', row.find_first_not_of(' ', begin));
  }
  row.erase(begin, end - begin);
}

/// Without what changes while the tables stay the same: the pc, which is the first column of every mechanism's rows
/// (DivergenceDomain::describe), and the count of warps to come, the third of some. Rows begin with blanks.
std::string shape_of(const std::string& tables) {
  std::istringstream text(tables);
  std::string shape;
  const bool has_count = tables.find("wcnt") != std::string::npos;
  for (std::string line; std::getline(text, line); shape += line + '\n') {
    if (line.empty() || line.front() != ' ') continue;
    if (has_count) erase_word(line, 2);
    erase_word(line, 0);
  }
  return shape;
}

constexpr std::string_view kWaitsAtBranch = "waits at ";

/// Without the list of warps for which a warp waits at a branch (BlockCompaction::describe).
std::string without_awaited(const std::string& shape) { return shape.substr(0, shape.find(kWaitsAtBranch)); }

}  // namespace

WarpWatch::WarpWatch(const simt::Program& program, const Request& request, unsigned width, bool regroups,
                     const std::string& head, bool temporal, bool keeps_frames)
    : flow_(program),
      request_(request),
      width_(width),
      regroups_(regroups),
      head_(head),
      temporal_(temporal),
      text_(program, request, width_, temporal ? &passages_ : nullptr),
      graph_(flow_),
      frames_(keeps_frames ? std::make_unique<WarpFrames>(flow_, request, width, temporal) : nullptr) {}

void WarpWatch::block_started(const report::BlockEvent& event) {
  if (event.index != request_.block) return;
  const Cycle now = event.at.cycle;
  block_ = event.block;
  core_ = event.at.core;
  warp_ = event.at.unit + request_.warp;
  started_ = true;
  if (frames_ != nullptr) frames_->block_started(event);
  note(now, fmt::format("the block starts on core {}", core_));
  state_ = look(*block_);
  text_.remember(now, state_.tables);
  text_.tables(now, state_.tables);
}

void WarpWatch::issued(const report::IssueEvent& event) {
  if (event.block != block_ || state_.finished) return;
  const gpu::Step& step = *event.step;
  const Cycle now = event.cycle;
  const bool is_own = step.warp == request_.warp;
  if (!is_own && !step.changed.contains(request_.warp) && !regroups_) return;
  if (frames_ != nullptr) frames_->issued(event);
  const State before = std::move(state_);
  state_ = look(*block_);
  if (is_own) own_step(step, before, now);
  tell_of_changes(before, step, now);
  text_.remember(now, state_.tables);
}

void WarpWatch::lane_entered(const report::LaneEvent& event) {
  if (started_ && event.at.core == core_ && event.at.unit == warp_)
    passages_.entered(*event.instruction, event.lane, event.threads, event.at.cycle);
  if (frames_ != nullptr) frames_->lane_entered(event);
}

void WarpWatch::cycled(report::Stamp at, const gpu::Core& core) { frames_->cycled(at, core); }

void WarpWatch::own_step(const gpu::Step& step, const State& before, Cycle now) {
  ++issues_;
  active_lanes_ += step.active.count();
  graph_.add(step);
  const InstructionKind kind = step.instruction->kind;
  const bool is_last =
      kind == InstructionKind::Branch || kind == InstructionKind::Exit || kind == InstructionKind::Barrier;
  const std::size_t line =
      text_.issue({now, step.pc, step.active, homes_text(step.homes, width_), step.executed, is_last});
  if (temporal_) passages_.issued(*step.instruction, step.active, line);
  if (kind == InstructionKind::Branch) tell_of_branch(step, now);
  if (kind == InstructionKind::Barrier) tell_of_barrier(step, now);
  if (step.exited.any()) note(now, fmt::format("exit: {}", mask(step.exited)));
  tell_of_arrival(step, before, now);
}

void WarpWatch::tell_of_branch(const gpu::Step& step, Cycle now) {
  const ActiveMask others = step.active - step.executed;
  if (step.executed.none() || others.none()) return;
  ++partings_;
  note(now, fmt::format("divergence: {} to {}, {} to {}; reconvergence point: {}", mask(step.executed),
                        flow_.place(step.instruction->target), mask(others), flow_.place(step.pc + 1),
                        flow_.place(step.instruction->reconvergence)));
  if (state_.splits.empty()) tell_of_wait_at_branch(step, now);
}

void WarpWatch::tell_of_barrier(const gpu::Step& step, Cycle now) {
  if (step.instruction->barrier_form == simt::BarrierForm::Arrive) return;
  const Seen* split = state_.find(step.active);
  if (split != nullptr && split->waits && split->pc == step.pc)
    note(now, fmt::format("{} wait at the barrier", mask(step.active)));
  else
    note(now, fmt::format("the barrier opens: {} came last", mask(step.active)));
}

/// At the reconvergence point, whether others are missing there or not.
void WarpWatch::tell_of_arrival(const gpu::Step& step, const State& before, Cycle now) {
  const ActiveMask going_on = step.active - step.exited;
  const bool is_branch = step.instruction->kind == InstructionKind::Branch;
  const ActiveMask taken = is_branch ? step.executed : ActiveMask();
  if (going_on.none() || (taken.any() && taken != step.active)) return;
  const Pc next = taken.any() ? step.instruction->target : step.pc + 1;
  const std::string lanes = lanes_text(step);
  const Seen* was = before.find(step.active);
  const Seen* is = state_.find(going_on);
  const bool waits_at_barrier = is != nullptr && is->waits;
  const bool runs = std::any_of(state_.splits.begin(), state_.splits.end(),
                                [&](const Seen& split) { return split.lanes.contains(going_on) && split.pc == next; });
  if (was == nullptr || waits_at_barrier) return;
  if (was->reconvergence_pc == next) {
    if (!runs)
      note(now, fmt::format("{} have come to their reconvergence point, {}, and wait", lanes, flow_.place(next)));
    if (is != nullptr && runs)
      note(now, fmt::format("{} have come to their reconvergence point, {}, and go on", lanes, flow_.place(next)));
  } else if (is != nullptr && is->reconvergence_pc != was->reconvergence_pc) {
    note(now, fmt::format("{} are now to meet others at {}", lanes, flow_.place(is->reconvergence_pc)));
  } else if (is_branch && state_.splits.empty()) {
    tell_of_wait_at_branch(step, now);
  }
}

/// Where threads move between warps.
void WarpWatch::tell_of_wait_at_branch(const gpu::Step& step, Cycle now) {
  const bool waits = state_.tables.find(kWaitsAtBranch) != std::string::npos;
  note(now, waits ? fmt::format("{} wait at the branch for other warps of the block", lanes_text(step))
                  : "compacted: nothing runs in this place for now");
}

/// What can come of a step of this warp or of another one.
void WarpWatch::tell_of_changes(const State& before, const gpu::Step& step, Cycle now) {
  bool told = step.warp == request_.warp;
  for (const Seen& was : before.splits) {
    const Seen* is = state_.find(was.lanes);
    if (!was.waits || (is != nullptr && is->waits && is->pc == was.pc)) continue;
    note(now, fmt::format("the barrier opens for {}: warp {} {}", mask(was.lanes), step.warp,
                          step.exited.any() ? "has exited" : "came last"));
    told = true;
  }
  told |= tell_of_new_splits(before, now);
  if (state_.finished) {
    note(now, regroups_ ? "nothing will run in this place again" : "the warp has ended");
    return;
  }
  const bool has_rows = state_.tables.find('\n') + 1 < state_.tables.size();
  if (state_.shape == before.shape || !has_rows) return;
  if (!told) note(now, through(before, step));
  const bool only_fewer_are_awaited =
      !told && state_.splits.empty() && without_awaited(state_.shape) == without_awaited(before.shape);
  if (!only_fewer_are_awaited) text_.tables(now, state_.tables);
}

/// What another warp's step has done here.
std::string WarpWatch::through(const State& before, const gpu::Step& step) const {
  std::string text = fmt::format("through warp {} at {}", step.warp, flow_.place(step.pc));
  for (const Seen& split : state_.splits)
    if (before.find(split.lanes) == nullptr)
      text += fmt::format(": {} go on at {}", mask(split.lanes), flow_.place(split.pc));
  return text;
}

/// Lanes that have met, and compacted ones.
bool WarpWatch::tell_of_new_splits(const State& before, Cycle now) {
  bool told = false;
  for (const Seen& split : state_.splits) {
    const Seen* was = before.find(split.lanes);
    if (!split.homes.empty() && (was == nullptr || was->homes != split.homes)) {
      note(now, fmt::format("compacted: {} go on at {}", split.homes, flow_.place(split.pc)));
      told = true;
      continue;
    }
    const bool is_back = split.homes.empty() && was != nullptr && !was->homes.empty();
    const bool have_met =
        was == nullptr && std::any_of(before.splits.begin(), before.splits.end(), [&](const Seen& earlier) {
          return split.lanes.contains(earlier.lanes) || (split.homes.empty() && !earlier.homes.empty());
        });
    if (!is_back && !have_met) continue;
    note(now, fmt::format("reconvergence: {} go on at {}", mask(split.lanes), flow_.place(split.pc)));
    told = true;
  }
  return told;
}

/// Of the lanes that go on after the step.
std::string WarpWatch::lanes_text(const gpu::Step& step) const {
  return step.homes.empty() ? mask(step.active - step.exited) : homes_text(step.homes, width_);
}

const WarpWatch::Seen* WarpWatch::State::find(ActiveMask lanes) const {
  const auto found =
      std::find_if(splits.begin(), splits.end(), [&](const Seen& split) { return split.lanes == lanes; });
  return found == splits.end() ? nullptr : &*found;
}

void WarpWatch::note(Cycle now, const std::string& text) {
  text_.note(now, text);
  if (frames_ != nullptr) frames_->note(now, text);
}

WarpWatch::State WarpWatch::look(const gpu::ResidentBlock& block) const {
  const DivergenceDomain& domain = block.domain();
  State state;
  const auto add = [&](SplitId id, bool waits) {
    const WarpSplit& split = domain.split(id);
    state.splits.push_back({split.pc, split.lanes, split.reconvergence_pc, waits,
                            split.compacted() ? homes_text(split.homes, width_) : std::string()});
  };
  for (const SplitId id : domain.runnable(request_.warp)) add(id, false);
  block.for_each_waiting(request_.warp, [&](SplitId id) { add(id, true); });
  state.tables = domain.describe(request_.warp);
  state.shape = shape_of(state.tables);
  state.finished = domain.finished(request_.warp);
  return state;
}

std::string WarpWatch::text() {
  std::string text = head_ + text_.finish();
  if (!started_) return text + "the block did not start\n";
  return text + fmt::format("\n{}, {:.1f} lanes on average, {}{}\n", counted(issues_, "warp instruction"),
                            issues_ ? static_cast<double>(active_lanes_) / static_cast<double>(issues_) : 0.0,
                            counted(partings_, "divergence"), state_.finished ? "" : "; it had not ended");
}

}  // namespace warpfork::explain

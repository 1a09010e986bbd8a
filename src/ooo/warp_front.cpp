#include "ooo/warp_front.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace warpfork::ooo {

namespace {

constexpr std::uint32_t kFirstDepth = 1u << 16;  // a recording may begin within calls that it then returns from

bool any_lane_goes(LaneMask lanes, const ExecutedByLane& recorded, std::uint64_t target) {
  bool any = false;
  for_each_lane(lanes, [&](unsigned lane) { any |= recorded[lane]->next_pc == target; });
  return any;
}

/// Of a lane that does not end.
std::uint64_t any_target(LaneMask lanes, const ExecutedByLane& recorded) {
  std::uint64_t target = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (target == 0) target = recorded[lane]->next_pc;
  });
  return target;
}

}  // namespace

WarpFront::WarpFront(const FrontSpec& spec, std::span<ThreadWindow> threads, unsigned first_thread,
                     const x86::Code& code, Predictors& predictors, Synchronisation& synchronisation)
    : spec_(spec),
      replay_(threads, first_thread, synchronisation),
      code_(code),
      predictors_(predictors),
      paths_({static_cast<unsigned>(threads.size()), spec.path_entries}),
      schedule_(static_cast<unsigned>(threads.size()), spec.warps),
      window_(spec.queue, spec.depth) {
  start(replay_.running());
}

/// Threads that begin at the same place begin as one path.
void WarpFront::start(LaneMask starting) {
  for (LaneMask left = starting; left != 0;) {
    const std::uint64_t pc = replay_.next(static_cast<unsigned>(std::countr_zero(left)))->instruction->pc;
    LaneMask lanes = 0;
    for_each_lane(left, [&](unsigned lane) {
      if (replay_.next(lane)->instruction->pc == pc) lanes |= LaneMask{1} << lane;
    });
    left &= ~lanes;
    const PathId path = paths_.start(lanes);
    schedule_.add(path, pc, kFirstDepth);
    states_[path] = PathState{};
    states_[path].lanes = lanes;
  }
}

unsigned WarpFront::fetch(Cycle now, unsigned width) {
  begun_ = 0;
  if (const LaneMask arriving = replay_.arriving(); arriving != 0) {
    if (!window_.empty()) return 0;
    replay_.begin(arriving);
    start(arriving);
    begun_ = arriving;
  }
  if (waiting_) ask_waiting();
  while (true) {
    PathId path = schedule_.pick(now);
    if (path == kNoPath) return 0;
    const unsigned fetched = fetch_from(path, now, width);
    if (fetched != 0 || !schedule_.at(path).waits) return fetched;
  }  // the path has turned out to wait: another one
}

unsigned WarpFront::fetch_from(PathId& path, Cycle now, unsigned width) {
  unsigned fetched = 0;
  while (fetched < width && window_.has_room(1)) {
    path = converge(path, now);
    const unsigned uops = next_uops(path), slots = spec_.in_uops ? uops : 1;
    if (!window_.has_room(uops)) break;
    if (fetched != 0 && fetched + slots > width) break;
    const Step step = states_[path].lanes == 0 ? fetch_wrong(path, now) : fetch_one(path, now);
    fetched += step == Step::Nothing ? 0 : slots;
    if (step != Step::GoOn) break;
  }
  return fetched;
}

/// Of the instruction that the path comes to; 1 if that is not known.
unsigned WarpFront::next_uops(PathId path) {
  const LaneMask lanes = states_[path].lanes;
  const x86::StaticInstruction* instruction = nullptr;
  if (lanes == 0) {
    instruction = code_.at(schedule_.at(path).pc);
  } else {
    if (const WarpReplay::Recorded* const next = replay_.next(static_cast<unsigned>(std::countr_zero(lanes))))
      instruction = next->instruction;
  }
  return instruction == nullptr ? 1 : static_cast<unsigned>(instruction->uops.size());
}

/// All paths that have come to the same place go on as one, a cuop for each two.
PathId WarpFront::converge(PathId path, Cycle now) {
  while (schedule_.paths().size() > 1) {
    const PathId other = schedule_.meeting(path);
    if (other == kNoPath) break;
    const PathId created = paths_.predict_convergence(path, other);
    if (created == kNoPath) break;
    const PathState& leader = states_[path].lanes != 0 ? states_[path] : states_[other];
    const LaneMask lanes = states_[path].lanes | states_[other].lanes;
    states_[created] = leader;
    states_[created].lanes = lanes;
    enter(created, lanes, nullptr, Role::Convergence, now);
    BranchRecord& meeting = record(path);
    meeting.convergence = {path, other, created};
    schedule_.converge(meeting.convergence);
    path = created;
  }
  return path;
}

WarpFront::Step WarpFront::fetch_one(PathId& path, Cycle now) {
  ExecutedByLane recorded;
  const LaneMask lanes = states_[path].lanes;
  if (replay_.next(lanes, recorded)) {
    const LaneMask ready = replay_.pass_events(lanes);
    if (ready != lanes) return wait_or_part(path, ready, now);
  }
  const WarpReplay::Recorded& first = *recorded[static_cast<unsigned>(std::countr_zero(lanes))];
  const x86::StaticInstruction& instruction = *first.instruction;
  ScheduledPath& at = schedule_.at(path);
  bool uniform = true;
  for_each_lane(lanes, [&](unsigned lane) {
    check(recorded[lane]->instruction->pc == at.pc, [&] {
      return fmt::format("lane {} is at {:x}, its path at {:x}:\n{}", lane, recorded[lane]->instruction->pc, at.pc,
                         describe());
    });
    uniform &= recorded[lane]->next_pc == first.next_pc;
  });
  const bool sequential = uniform && first.next_pc == instruction.fall_through();
  const bool jump = uniform && instruction.branch == x86::BranchKind::Jump && first.next_pc == instruction.target;
  if (!jump && (instruction.branch != x86::BranchKind::None || !sequential))
    return fetch_branch(path, recorded, uniform, now);
  enter(path, lanes, &instruction, Role::Plain, now);
  window_.push_addresses(recorded);
  replay_.fetch(lanes);
  at.pc = first.next_pc;
  return jump ? Step::Last : Step::GoOn;
}

/// Any instruction of which a lane does not go on behind it.
WarpFront::Step WarpFront::fetch_branch(PathId& path, const ExecutedByLane& recorded, bool uniform, Cycle now) {
  PathState& state = states_[path];
  const LaneMask lanes = state.lanes;
  const WarpReplay::Recorded& first = *recorded[static_cast<unsigned>(std::countr_zero(lanes))];
  const x86::StaticInstruction& instruction = *first.instruction;
  if (uniform && first.next_pc == 0) {
    enter(path, lanes, &instruction, Role::Plain, now);
    window_.push_addresses(recorded);
    replay_.fetch(lanes);
    return fetch_end(path);
  }
  const Predictors::Outcome predicted = predict(instruction, state, recorded);
  LaneMask stays = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t next = recorded[lane]->next_pc;
    if (next != 0 && next == predicted.target) stays |= LaneMask{1} << lane;
  });
  const bool buop = becomes_buop(instruction, state, uniform, x86::may_go_two_ways(instruction.branch));
  Divergence divergence;
  if (buop) {
    divergence = {path, paths_.predict_divergence(path), kNoPath};
    if (divergence.created == kNoPath) return Step::Nothing;
  }
  enter(path, lanes, &instruction, buop ? Role::DivergentBranch : Role::Branch, now);
  window_.push_addresses(recorded);
  BranchRecord& kept = record(path);
  kept.predicted = predicted.target;
  kept.stays = stays;
  kept.divergence = divergence;
  kept.direction = predicted.direction;
  replay_.fetch(lanes);
  state.diverge_next = false;
  state.target = 0;
  if (buop) {
    states_[divergence.created] = state;
    schedule_.renew(path, divergence.created);
    path = divergence.created;
  }
  states_[path].lanes = stays;
  follow(states_[path], schedule_.at(path), instruction, predicted.target);
  const bool goes_on = predicted.target == instruction.fall_through();
  return goes_on ? Step::GoOn : Step::Last;
}

/// The path's threads have fetched their last instruction.
WarpFront::Step WarpFront::fetch_end(PathId path) {
  Fetched& last = window_.youngest();
  last.ends_path = true;
  last.depth = schedule_.at(path).depth;
  paths_.end(path);
  schedule_.remove(path);
  return Step::Last;
}

WarpFront::Step WarpFront::fetch_wrong(PathId path, Cycle now) {
  PathState& state = states_[path];
  ScheduledPath& at = schedule_.at(path);
  const x86::StaticInstruction* const instruction = code_.at(at.pc);
  if (instruction == nullptr) {
    state.lost = at.waits = true;
    return Step::Nothing;
  }
  enter(path, 0, instruction, Role::Plain, now);
  if (instruction->branch == x86::BranchKind::None) {
    at.pc = instruction->fall_through();
    return Step::GoOn;
  }
  const std::uint64_t target = predictors_.predict(*instruction, state).target;
  follow(state, at, *instruction, target);
  return target == instruction->fall_through() ? Step::GoOn : Step::Last;
}

bool WarpFront::becomes_buop(const x86::StaticInstruction& instruction, const PathState& state, bool uniform,
                             bool parts) const {
  if (state.diverge_next) return true;
  if (!parts) return !uniform;  // a gap in the recording, or some of the threads end
  switch (spec_.divergence) {
    case FrontSpec::Divergence::Never:
      return false;
    case FrontSpec::Divergence::Always:
      return true;
    case FrontSpec::Divergence::Predicted:
      return predictors_.divergence.divergent(instruction.pc);
  }
  return false;
}

/// Where to fetch next; what is left out of the recording cannot be predicted.
Predictors::Outcome WarpFront::predict(const x86::StaticInstruction& instruction, const PathState& state,
                                       const ExecutedByLane& recorded) const {
  if (!x86::may_go_two_ways(instruction.branch) &&
      (instruction.branch == x86::BranchKind::None || !any_lane_goes(state.lanes, recorded, instruction.target)))
    return {any_target(state.lanes, recorded), {}};
  return predictors_.predict(instruction, state);
}

/// The path has gone to `target`.
void WarpFront::follow(PathState& state, ScheduledPath& at, const x86::StaticInstruction& instruction,
                       std::uint64_t target) {
  switch (instruction.branch) {
    case x86::BranchKind::Conditional:
      state.history.push(instruction.pc, target != instruction.fall_through());
      break;
    case x86::BranchKind::Call:
    case x86::BranchKind::IndirectCall:
      state.returns.push(instruction.fall_through());
      ++at.depth;
      break;
    case x86::BranchKind::Return:
      state.returns.pop();
      --at.depth;
      break;
    default:
      break;
  }
  at.pc = target;
  state.lost = at.waits = target == 0;
}

void WarpFront::enter(PathId path, LaneMask lanes, const x86::StaticInstruction* instruction, Role role, Cycle now) {
  window_.push(instruction, lanes, path, role, now);
  paths_.reference(path);
}

/// Of the instruction that has entered.
BranchRecord& WarpFront::record(PathId path) {
  BranchRecord& record = window_.push_branch();
  const ScheduledPath& at = schedule_.at(path);
  record.pc = at.pc;
  record.depth = at.depth;
  record.before = states_[path];
  return record;
}

std::string WarpFront::describe() const { return paths_.describe() + schedule_.describe() + replay_.describe(); }

}  // namespace warpfork::ooo

#include "ooo/warp_front.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpfork::ooo {

namespace {

unsigned first_of(LaneMask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

WarpFront::WarpFront(const FrontSpec& spec, std::span<ThreadWindow> threads, unsigned first_lane, const x86::Code& code,
                     Predictors& predictors, Synchronisation& synchronisation)
    : spec_(spec),
      replay_(threads, first_lane, synchronisation),
      code_(code),
      prediction_(spec.divergence, predictors),
      paths_(replay_.lanes(), spec.path_entries, spec.warps),
      window_(spec.queue, spec.depth),
      resolution_(window_, paths_, replay_) {
  start(replay_.running());
}

/// Threads that begin at the same place, equally deep in calls, begin as one path.
void WarpFront::start(LaneMask starting) {
  for (LaneMask left = starting; left != 0;) {
    const WarpReplay::Recorded& first = *replay_.next(first_of(left));
    LaneMask lanes = 0;
    for_each_lane(left, [&](unsigned lane) {
      const WarpReplay::Recorded& other = *replay_.next(lane);
      if (other.instruction->pc == first.instruction->pc && other.depth == first.depth) lanes |= LaneMask{1} << lane;
    });
    left &= ~lanes;
    paths_.start(lanes, first.instruction->pc, first.depth);
  }
}

unsigned WarpFront::fetch_next(Cycle now, unsigned width) {
  if (const LaneMask arriving = replay_.arriving(); arriving != 0) {
    if (!window_.empty()) return 0;
    replay_.begin(arriving);
    start(arriving);
    begun_ = arriving;
  }
  paths_.wake([this](LaneMask lanes) { return replay_.pass_events(lanes) != 0; });
  while (true) {
    PathId path = paths_.pick(now);
    if (path == kNoPath) return 0;
    const unsigned fetched = fetch_from(path, now, width);
    if (fetched != 0 || !paths_.at(path).waits) return fetched;
  }  // the path has turned out to wait: another one
}

[[gnu::flatten]] unsigned WarpFront::fetch_from(PathId& path, Cycle now, unsigned width) {
  unsigned fetched = 0;
  while (fetched < width && window_.has_room(1)) {
    if (!paths_.alone()) path = converge(path, now);
    const unsigned uops = next_uops(path), slots = spec_.in_uops ? uops : 1;
    if (!window_.has_room(uops)) break;
    if (fetched != 0 && fetched + slots > width) break;
    const Step step = paths_.state(path).lanes == 0 ? fetch_wrong(path, now) : fetch_one(path, now);
    fetched += step == Step::Nothing ? 0 : slots;
    if (step != Step::GoOn) break;
  }
  return fetched;
}

/// Of the instruction that the path comes to; 1 if that is not known.
unsigned WarpFront::next_uops(PathId path) {
  const LaneMask lanes = paths_.state(path).lanes;
  const x86::StaticInstruction* instruction = nullptr;
  if (lanes == 0)
    instruction = code_.at(paths_.at(path).pc);
  else if (const WarpReplay::Recorded* const next = replay_.next(first_of(lanes)))
    instruction = next->instruction;
  return instruction == nullptr ? 1 : static_cast<unsigned>(instruction->uops.size());
}

/// All paths that have come to the same place go on as one, a cuop for each two.
PathId WarpFront::converge(PathId path, Cycle now) {
  while (true) {
    const Convergence convergence = paths_.converge(path);
    if (convergence.created == kNoPath) break;
    path = convergence.created;
    enter(path, paths_.state(path).lanes, nullptr, Role::Convergence, now);
    record(path).convergence = convergence;
  }
  return path;
}

WarpFront::Step WarpFront::fetch_one(PathId& path, Cycle now) {
  ExecutedByLane recorded;
  const LaneMask lanes = paths_.state(path).lanes;
  if (replay_.next(lanes, recorded)) {
    const LaneMask ready = replay_.pass_events(lanes);
    if (ready != lanes) return wait_or_part(path, ready, now);
  }
  const WarpReplay::Recorded& first = *recorded[first_of(lanes)];
  const x86::StaticInstruction& instruction = *first.instruction;
  ScheduledPath& at = paths_.at(path);
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
  PathState& state = paths_.state(path);
  const LaneMask lanes = state.lanes;
  const WarpReplay::Recorded& first = *recorded[first_of(lanes)];
  const x86::StaticInstruction& instruction = *first.instruction;
  if (uniform && first.next_pc == 0) {
    enter(path, lanes, &instruction, Role::Plain, now);
    window_.push_addresses(recorded);
    replay_.fetch(lanes);
    return fetch_end(path);
  }
  const Predictors::Outcome predicted = prediction_.predict(instruction, state, recorded);
  const LaneMask stays = predicted.target == 0 ? 0 : lanes_going_to(predicted.target, lanes, recorded);
  const bool buop = prediction_.diverges(first, state, uniform);
  Divergence divergence;
  if (buop) {
    divergence = {path, paths().predict_divergence(path), kNoPath};
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
  if (buop)
    paths_.diverge(divergence, stays), path = divergence.created;
  else
    state.lanes = stays;
  paths_.follow(path, stays == 0 ? first : *recorded[first_of(stays)], predicted.target);
  return predicted.target == instruction.fall_through() ? Step::GoOn : Step::Last;
}

/// The path's threads have fetched their last instruction.
WarpFront::Step WarpFront::fetch_end(PathId path) {
  Fetched& last = window_.youngest();
  last.ends_path = true;
  last.depth = paths_.at(path).depth;
  paths_.end(path);
  return Step::Last;
}

WarpFront::Step WarpFront::fetch_wrong(PathId path, Cycle now) {
  ScheduledPath& at = paths_.at(path);
  const x86::StaticInstruction* const instruction = code_.at(at.pc);
  if (instruction == nullptr) {
    paths_.lose(path);
    return Step::Nothing;
  }
  enter(path, 0, instruction, Role::Plain, now);
  if (instruction->branch == x86::BranchKind::None) {
    at.pc = instruction->fall_through();
    return Step::GoOn;
  }
  const std::uint64_t target = prediction_.wrong_path_target(*instruction, paths_.state(path));
  paths_.follow(path, *instruction, target);
  return target == instruction->fall_through() ? Step::GoOn : Step::Last;
}

/// None of the lanes may go on, or some must wait: those part from the others as at a branch.
WarpFront::Step WarpFront::wait_or_part(PathId& path, LaneMask ready, Cycle now) {
  if (ready == 0) {
    paths_.wait(path);
    return Step::Nothing;
  }
  const Divergence divergence{path, paths().predict_divergence(path), kNoPath};
  if (divergence.created == kNoPath) return Step::Nothing;
  enter(path, paths_.state(path).lanes, nullptr, Role::DivergentBranch, now);
  BranchRecord& kept = record(path);
  kept.predicted = kept.pc;
  kept.stays = ready;
  kept.divergence = divergence;
  paths_.diverge(divergence, ready);
  path = divergence.created;
  return Step::GoOn;
}

void WarpFront::enter(PathId path, LaneMask lanes, const x86::StaticInstruction* instruction, Role role, Cycle now) {
  window_.push(instruction, lanes, path, role, now);
  paths().reference(path);
}

/// Of the instruction that has entered.
BranchRecord& WarpFront::record(PathId path) {
  BranchRecord& record = window_.push_branch();
  paths_.record(path, record);
  return record;
}

[[gnu::flatten]] void WarpFront::commit() {
  const Fetched& fetched = window_.oldest();
  if (fetched.instruction != nullptr) {
    counts_.instructions += fetched.lanes != 0;
    counts_.thread_instructions += lane_count(fetched.lanes);
    if (fetched.role != Role::Plain && fetched.lanes != 0)
      prediction_.learn(fetched, window_.branch(fetched), replay_.oldest(first_of(fetched.lanes)));
    replay_.commit(fetched.lanes, *fetched.instruction);
  }
  if (fetched.role == Role::DivergentBranch) {
    paths().commit(window_.branch(fetched).divergence);
  } else if (fetched.role == Role::Convergence) {
    paths().commit(window_.branch(fetched).convergence);
    ++counts_.convergences;
  }
  check(paths().resolved(fetched.path) && (paths().mask(fetched.path) & fetched.lanes) == fetched.lanes,
        [&] { return fmt::format("lanes {:x} commit on another path:\n{}", fetched.lanes, describe()); });
  if (fetched.ends_path) {
    replay_.end(fetched.lanes);
    paths().commit_end(fetched.path);
  }
  paths().dereference(fetched.path);
  window_.drop_oldest();
}

FrontCounts WarpFront::counts() const {
  FrontCounts counts = counts_;
  counts += prediction_.counts();
  counts.missed_divergences += resolution_.missed_divergences();
  return counts;
}

}  // namespace warpfork::ooo

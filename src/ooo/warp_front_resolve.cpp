// WarpFront: what becomes of a branch once its outcome is known (SIMT-X 3.7.2).
#include <fmt/format.h>

#include "base/error.h"
#include "ooo/warp_front.h"

namespace warpfork::ooo {

bool WarpFront::may_resolve(std::uint64_t number) const {
  const Fetched& branch = window_[number];
  if (branch.role == Role::DivergentBranch) return paths_.resolved(window_.branch(branch).divergence.from);
  if (branch.role != Role::Convergence) return true;
  const Convergence& convergence = window_.branch(branch).convergence;
  return paths_.resolved(convergence.first) && paths_.resolved(convergence.second);
}

WarpFront::Flush WarpFront::resolve(std::uint64_t number) {
  Fetched& branch = window_[number];
  branch.resolved = true;
  switch (branch.role) {
    case Role::Plain:
      return Flush::Nothing;
    case Role::Convergence:
      paths_.resolve(window_.branch(branch).convergence);
      return Flush::Nothing;
    case Role::DivergentBranch:
      resolve_divergence(branch);
      return Flush::Nothing;
    case Role::Branch:
      break;
  }
  if (window_.branch(branch).stays == branch.lanes) return Flush::Nothing;
  restart_ = number;
  restart_path_ = branch.path;
  return restart_how_ = resolve_uniform(branch);
}

/// Predicted uniform, but not all lanes went where it was predicted.
WarpFront::Flush WarpFront::resolve_uniform(const Fetched& branch) {
  // Lanes that did not follow are where the branch left them; those that did will come back to it.
  bool uniform = window_.branch(branch).stays == 0;
  const LaneMask left = branch.lanes & ~window_.branch(branch).stays;
  const std::uint64_t target = replay_.target(static_cast<unsigned>(std::countr_zero(left)));
  for_each_lane(left, [&](unsigned lane) { uniform &= replay_.target(lane) == target; });
  return uniform ? Flush::Younger : Flush::WithBranch;
}

void WarpFront::restart() {
  PathState& state = states_[restart_path_];
  if (restart_how_ == Flush::WithBranch) {
    ++counts_.missed_divergences;
    state.diverge_next = true;
    return;
  }
  const Fetched& branch = window_[restart_];
  const BranchRecord& record = window_.branch(branch);
  const LaneMask lanes = branch.lanes;
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  ScheduledPath& at = schedule_.at(restart_path_);
  state = record.before;
  at.depth = record.depth;
  follow(state, at, *branch.instruction, replay_.target(first));
}

/// The masks of Figure 3: lanes that do not stay become the alternate path. If they do not all go to one place, that
/// path fetches the branch again, and parts there.
void WarpFront::resolve_divergence(Fetched& branch) {
  BranchRecord& record = window_.branch(branch);
  Divergence& divergence = record.divergence;
  paths_.resolve(divergence, record.stays);
  schedule_.drop_nullified(paths_);
  if (divergence.alternate == kNoPath) return;
  const LaneMask others = branch.lanes & ~record.stays;
  // Where an older branch will yet be flushed, the masks hold lanes that are not here.
  check((others & ~paths_.mask(divergence.alternate)) == 0,
        [&] { return fmt::format("the lanes that leave at {:x} are {:x}:\n{}", record.pc, others, describe()); });
  PathState& state = states_[divergence.alternate];
  state = record.before;
  state.lanes = others;
  schedule_.add(divergence.alternate, record.pc, record.depth);
  ScheduledPath& at = schedule_.at(divergence.alternate);
  if (branch.instruction == nullptr) {  // they wait at an event
    at.waits = waiting_ = true;
    return;
  }
  if (others == 0) {
    state.lost = at.waits = true;
    return;
  }
  const std::uint64_t first = replay_.target(static_cast<unsigned>(std::countr_zero(others)));
  std::uint64_t target = first;  // of one that does not end here
  bool together = true;
  for_each_lane(others, [&](unsigned lane) {
    together &= replay_.target(lane) == first;
    if (target == 0) target = replay_.target(lane);
  });
  if (together && target != 0) return follow(state, at, *branch.instruction, target);
  state.diverge_next = !together;
  state.target = target;
  branch.lanes = record.stays;
  replay_.undo_fetch(others);
}

void WarpFront::undo() {
  const Fetched& fetched = window_.youngest();
  if (fetched.instruction != nullptr) replay_.undo_fetch(fetched.lanes);
  if (fetched.ends_path) {
    paths_.undo_end(fetched.path);
    schedule_again(fetched.path, fetched.instruction->pc, fetched.depth);
  }
  paths_.dereference(fetched.path);
  if (fetched.role == Role::Plain || fetched.role == Role::Branch) {
    if (schedule_.holds(fetched.path)) {
      ScheduledPath& at = schedule_.at(fetched.path);
      at.pc = fetched.instruction->pc;
      at.waits = false;
      if (fetched.role == Role::Branch) at.depth = window_.branch(fetched).depth;
    }
    if (fetched.role == Role::Branch) states_[fetched.path] = window_.branch(fetched).before;
  } else {
    undo_paths(fetched);
  }
  window_.drop_youngest();
}

void WarpFront::undo_paths(const Fetched& fetched) {
  const BranchRecord& record = window_.branch(fetched);
  const auto unschedule = [&](PathId path) {
    if (path != kNoPath && schedule_.holds(path)) schedule_.remove(path);
  };
  if (fetched.role == Role::Convergence) {
    unschedule(record.convergence.created);
    paths_.undo(record.convergence);
    schedule_again(record.convergence.first, record.pc, record.depth);
    schedule_again(record.convergence.second, record.pc, record.depth);
    return;
  }
  unschedule(record.divergence.created);
  unschedule(record.divergence.alternate);
  paths_.undo(record.divergence);
  schedule_again(record.divergence.from, record.pc, record.depth);
  states_[record.divergence.from] = record.before;
}

void WarpFront::schedule_again(PathId path, std::uint64_t pc, std::uint32_t depth) {
  if (paths_.scheduled(path) && !schedule_.holds(path)) schedule_.add(path, pc, depth);
}

void WarpFront::commit() {
  const Fetched& fetched = window_.oldest();
  if (fetched.instruction != nullptr) {
    counts_.instructions += fetched.lanes != 0;
    counts_.thread_instructions += lane_count(fetched.lanes);
    if (fetched.role != Role::Plain) learn(fetched);
    replay_.commit(fetched.lanes, *fetched.instruction);
  }
  if (fetched.role == Role::DivergentBranch) paths_.commit(window_.branch(fetched).divergence);
  if (fetched.role == Role::Convergence) paths_.commit(window_.branch(fetched).convergence);
  counts_.convergences += fetched.role == Role::Convergence;
  check(paths_.resolved(fetched.path) && (paths_.mask(fetched.path) & fetched.lanes) == fetched.lanes,
        [&] { return fmt::format("lanes {:x} commit on another path:\n{}", fetched.lanes, describe()); });
  if (fetched.ends_path) {
    replay_.end(fetched.lanes);
    paths_.commit_end(fetched.path);
  }
  paths_.dereference(fetched.path);
  window_.drop_oldest();
}

/// The predictors learn from branches in the order in which they commit, from the first lane that took part.
void WarpFront::learn(const Fetched& branch) {
  const x86::StaticInstruction& instruction = *branch.instruction;
  const BranchRecord& record = window_.branch(branch);
  if (!x86::may_go_two_ways(instruction.branch) || branch.lanes == 0) return;
  const std::uint64_t next = replay_.oldest(static_cast<unsigned>(std::countr_zero(branch.lanes))).next_pc;
  const bool diverged = record.stays != 0 && record.stays != record.before.lanes;
  ++counts_.branches;
  counts_.divergent_branches += diverged;
  counts_.predicted_divergent += branch.role == Role::DivergentBranch;
  counts_.branch_mispredictions += record.stays == 0;
  predictors_.update(instruction, record.direction, next);
  if (spec_.divergence == FrontSpec::Divergence::Predicted) predictors_.divergence.update(instruction.pc, diverged);
}

}  // namespace warpfork::ooo

#include "ooo/branch_resolution.h"

namespace warpfork::ooo {

bool BranchResolution::may_resolve(std::uint64_t number) const {
  const Fetched& branch = window_[number];
  if (branch.role == Role::DivergentBranch) return paths_.table().resolved(window_.branch(branch).divergence.from);
  if (branch.role != Role::Convergence) return true;
  const Convergence& convergence = window_.branch(branch).convergence;
  return paths_.table().resolved(convergence.first) && paths_.table().resolved(convergence.second);
}

Flush BranchResolution::resolve(std::uint64_t number) {
  Fetched& branch = window_[number];
  branch.resolved = true;
  switch (branch.role) {
    case Role::Plain:
      return Flush::Nothing;
    case Role::Convergence:
      paths_.table().resolve(window_.branch(branch).convergence);
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
  return flush_ = resolve_uniform(branch);
}

/// Predicted uniform, but not all lanes went where it was predicted.
Flush BranchResolution::resolve_uniform(const Fetched& branch) const {
  // Lanes that did not follow are where the branch left them; those that did will come back to it.
  bool uniform = window_.branch(branch).stays == 0;
  const LaneMask left = branch.lanes & ~window_.branch(branch).stays;
  const std::uint64_t target = replay_.target(static_cast<unsigned>(std::countr_zero(left)));
  for_each_lane(left, [&](unsigned lane) { uniform &= replay_.target(lane) == target; });
  return uniform ? Flush::Younger : Flush::WithBranch;
}

void BranchResolution::restart() {
  if (flush_ == Flush::WithBranch) {
    ++missed_divergences_;
    paths_.state(restart_path_).diverge_next = true;
    return;
  }
  const Fetched& branch = window_[restart_];
  paths_.restore(restart_path_, window_.branch(branch));
  const WarpReplay::Recorded& first = replay_.latest(static_cast<unsigned>(std::countr_zero(branch.lanes)));
  paths_.follow(restart_path_, first, first.next_pc);
}

void BranchResolution::resolve_divergence(Fetched& branch) {
  BranchRecord& record = window_.branch(branch);
  const LaneMask others = branch.lanes & ~record.stays;
  const PathId alternate = paths_.resolve(record, others);
  if (alternate == kNoPath) return;
  if (branch.instruction == nullptr) return paths_.wait(alternate);  // at an event
  if (others == 0) return paths_.lose(alternate);
  follow_alternate(branch, alternate, others);
}

/// If the lanes do not all go to one place, their path fetches the branch again, and parts there.
void BranchResolution::follow_alternate(Fetched& branch, PathId alternate, LaneMask lanes) {
  const WarpReplay::Recorded& first = replay_.latest(static_cast<unsigned>(std::countr_zero(lanes)));
  std::uint64_t target = first.next_pc;  // of one that does not end here
  bool together = true;
  for_each_lane(lanes, [&](unsigned lane) {
    together &= replay_.target(lane) == first.next_pc;
    if (target == 0) target = replay_.target(lane);
  });
  if (together && target != 0) return paths_.follow(alternate, first, target);
  PathState& state = paths_.state(alternate);
  state.diverge_next = !together;
  state.target = target;
  branch.lanes &= ~lanes;
  replay_.undo_fetch(lanes);
}

void BranchResolution::undo() {
  const Fetched& fetched = window_.youngest();
  if (fetched.instruction != nullptr) replay_.undo_fetch(fetched.lanes);
  if (fetched.ends_path) paths_.undo_end(fetched.path, fetched.instruction->pc, fetched.depth);
  paths_.table().dereference(fetched.path);
  if (fetched.role == Role::Plain || fetched.role == Role::Branch)
    paths_.go_back(fetched.path, fetched.instruction->pc);
  else
    paths_.undo(window_.branch(fetched), fetched.role);
  if (fetched.role == Role::Branch) paths_.restore(fetched.path, window_.branch(fetched));
  window_.drop_youngest();
}

}  // namespace warpfork::ooo

// WarpFront: threads that must wait for others (SIMT-X 4).
#include <algorithm>

#include "ooo/warp_front.h"

namespace warpfork::ooo {

/// None of the lanes may go on, or some must wait: those part from the others as at a branch.
WarpFront::Step WarpFront::wait_or_part(PathId& path, LaneMask ready, Cycle now) {
  waiting_ = true;
  if (ready == 0) {
    schedule_.at(path).waits = true;
    return Step::Nothing;
  }
  const PathId created = paths_.predict_divergence(path);
  if (created == kNoPath) return Step::Nothing;
  enter(path, states_[path].lanes, nullptr, Role::DivergentBranch, now);
  BranchRecord& kept = record(path);
  kept.predicted = kept.pc;
  kept.stays = ready;
  kept.divergence = {path, created, kNoPath};
  states_[created] = states_[path];
  states_[created].lanes = ready;
  schedule_.renew(path, created);
  path = created;
  return Step::GoOn;
}

void WarpFront::ask_waiting() {
  waiting_ = false;
  for (const ScheduledPath& scheduled : schedule_.paths()) {
    if (!scheduled.waits || states_[scheduled.path].lost) continue;
    if (replay_.pass_events(states_[scheduled.path].lanes) != 0)
      schedule_.at(scheduled.path).waits = false;
    else
      waiting_ = true;
  }
}

bool WarpFront::waits_for_others() const {
  return !schedule_.paths().empty() && std::ranges::all_of(schedule_.paths(), [&](const ScheduledPath& scheduled) {
    return scheduled.waits && !states_[scheduled.path].lost;
  });
}

}  // namespace warpfork::ooo

// WarpFront: threads that must wait for others (SIMT-X 4: synchronisation is executed, not replayed).
#include <algorithm>

#include "ooo/warp_front.h"

namespace warpfork::ooo {

/// Lanes that have committed all before their next instruction ask whether they may pass the events before it. Returns
/// those with nothing left to pass.
LaneMask WarpFront::pass_events(LaneMask lanes) {
  LaneMask ready = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::vector<x86::SyncEvent>& events = threads_[lane].at(position_[lane])->events;
    if (passed_[lane] <= position_[lane] && !events.empty()) {
      if (committed_[lane] != position_[lane]) return;
      while (events_passed_[lane] < events.size()) {
        if (!synchronisation_.passes(first_thread_ + lane, events[events_passed_[lane]])) return;
        ++events_passed_[lane];
        ++events_;
      }
      events_passed_[lane] = 0;
      passed_[lane] = position_[lane] + 1;
    }
    ready |= LaneMask{1} << lane;
  });
  return ready;
}

/// None of the lanes may go on, or some must wait: those part from the others as at a branch.
WarpFront::Step WarpFront::wait_or_part(PathId& path, LaneMask ready, Cycle now) {
  waiting_ = true;
  if (ready == 0) {
    schedule_.at(path).waits = true;
    return Step::Nothing;
  }
  const PathId created = paths_.predict_divergence(path);
  if (created == kNoPath) return Step::Nothing;
  BranchRecord& kept = record(enter(path, states_[path].lanes, nullptr, Role::DivergentBranch, now), path);
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
    if (pass_events(states_[scheduled.path].lanes) != 0)
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

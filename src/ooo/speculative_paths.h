// The paths of one warp as its front end follows them (SIMT-X 3.3 to 3.7): masks, places, and what is predicted from.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/types.h"
#include "ooo/branch_record.h"
#include "ooo/fetched.h"
#include "ooo/path_state.h"
#include "ooo/paths/path_scheduling_table.h"
#include "ooo/paths/path_table.h"
#include "x86/instruction.h"
#include "x86/instruction_stream.h"

namespace warpfork::ooo {

/// Holds the Pathtable, the Path Scheduling Table and each path's history together: what happens to a path happens to
/// all of them. Masks in the tables are what the hardware knows; the lanes in a path's state those that really take it.
class SpeculativePaths {
 public:
  /// `warps`: of the core; `entries`: of the warp's Pathtable.
  SpeculativePaths(unsigned lanes, unsigned entries, unsigned warps)
      : table_({lanes, entries}), schedule_(lanes, warps) {}

  PathTable& table() { return table_; }
  const PathTable& table() const { return table_; }
  PathState& state(PathId path) { return states_[path]; }
  const PathState& state(PathId path) const { return states_[path]; }
  ScheduledPath& at(PathId path) { return schedule_.at(path); }

  /// There is no other path to converge with.
  bool alone() const { return schedule_.paths().size() < 2; }

  /// Threads begin at this place, so deep in calls.
  void start(LaneMask lanes, std::uint64_t pc, std::uint32_t depth);
  /// The path has fetched the last instruction of its threads; that is taken back.
  void end(PathId path);
  void undo_end(PathId path, std::uint64_t pc, std::uint32_t depth);
  /// The path to fetch from in this cycle; kNoPath if all wait.
  PathId pick(Cycle now) { return schedule_.pick(now); }
  /// Whether wake() or pick() may change anything.
  bool any_wakes_or_turns(Cycle now) const { return waiting_ || schedule_.turn_is_due(now); }
  /// Its instruction, a branch or none, led to `target`; 0: to a place that is not known.
  void follow(PathId path, const x86::StaticInstruction& instruction, std::uint64_t target);
  /// Likewise as its threads executed it: if they went there, they are as deep as they say.
  void follow(PathId path, const x86::DynamicInstruction& executed, std::uint64_t target);
  /// There is nothing to fetch until a branch is resolved.
  void lose(PathId path) { states_[path].lost = schedule_.at(path).waits = true; }

  /// Where the path is, and from what its branch is predicted.
  void record(PathId path, BranchRecord& record);
  /// It is there again.
  void restore(PathId path, const BranchRecord& record);
  /// Its youngest instruction, no branch, is fetched again.
  void go_back(PathId path, std::uint64_t pc);

  /// The path goes on as one with another that has come to the same place. `created` is kNoPath if there is none, or no
  /// room.
  Convergence converge(PathId path) {
    const PathId other = schedule_.convergent_with(path);
    return other == kNoPath ? Convergence{path, kNoPath, kNoPath} : converge(path, other);
  }
  /// The lanes of the path that stay go on under a new name, those that do not when it is resolved. Recorded before.
  void diverge(const Divergence& divergence, LaneMask stay);
  /// The masks of Figure 3: lanes that do not stay become the alternate path, at the branch once more. Returns it;
  /// kNoPath if there is none.
  PathId resolve(BranchRecord& record, LaneMask others);
  /// Takes the paths back that it created; its role is DivergentBranch or Convergence.
  void undo(const BranchRecord& record, Role role);

  /// The path waits at an event.
  void wait(PathId path) { waiting_ = schedule_.at(path).waits = true; }
  /// Asks may_go(lanes of a path) for each path that waits at an event.
  template <class MayGo>
  void wake(MayGo&& may_go);
  /// All paths wait at events.
  bool all_wait() const;

  std::string describe() const { return table_.describe() + schedule_.describe(); }

 private:
  bool waits_at_event(const ScheduledPath& scheduled) const { return scheduled.waits && !states_[scheduled.path].lost; }
  Convergence converge(PathId path, PathId other);
  void schedule_again(PathId path, std::uint64_t pc, std::uint32_t depth);
  void unschedule(PathId path);

  PathTable table_;
  PathSchedulingTable schedule_;
  std::array<PathState, PathTable::kMaxEntries> states_;  // by path
  bool waiting_ = false;                                  // some path waits at an event
};

template <class MayGo>
void SpeculativePaths::wake(MayGo&& may_go) {
  if (!waiting_) return;
  waiting_ = false;
  for (const ScheduledPath& scheduled : schedule_.paths()) {
    if (!waits_at_event(scheduled)) continue;
    if (may_go(states_[scheduled.path].lanes))
      schedule_.at(scheduled.path).waits = false;
    else
      waiting_ = true;
  }
}

}  // namespace warpfork::ooo

// The issue stage of a core: each scheduler chooses a split that can issue.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/held_back.h"
#include "gpu/issue_census.h"
#include "gpu/lane_array.h"
#include "gpu/lane_census.h"
#include "gpu/split_buffers.h"
#include "gpu/warp_scheduler.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Warp w belongs to scheduler w mod schedulers. The policy chooses the warp; splits of a warp take turns (MULTIPATH
/// section 5).
class IssueStage {
 public:
  /// `regroups`: whether threads of one warp may run in another one's place. Throws Error if there is no such policy.
  IssueStage(const CoreSpec& spec, bool regroups, const LaneArray& lanes, const BlockSlots& blocks,
             SplitBuffers& buffers);

  /// The listener hears of the core's schedulers that issue nothing and of its live warps.
  void begin_kernel(unsigned core, report::LaunchListener& listener) {
    census_.begin_kernel(core, listener);
    lane_census_.begin_kernel(listener);
    for (Scheduler& scheduler : schedulers_) scheduler.issues_from = 0;
  }

  /// One cycle: calls `dispatch` with the instruction buffer entry from which each scheduler issues, one after the
  /// other.
  template <class Dispatch>
  void cycle(Cycle now, Dispatch&& dispatch) {
    const unsigned live = live_warps();
    bool idle = true;
    unsigned number = 0;
    for (Scheduler& scheduler : schedulers_) {
      buffers_.flush_redirected(number);
      const std::optional<unsigned> entry = now < scheduler.issues_from ? std::nullopt : choose(number);
      if (entry) {
        dispatch(*entry);
        scheduler.issues_from = now + issue_interval_;
        idle = false;
      } else if (live != 0) {
        census_.stalled(number, stall_cause(number), now, 1);
      }
      ++number;
    }
    tell_of_warps(live, now, 1, idle);
  }
  /// So many cycles from this one on in which the core slept, because nothing could happen.
  void sleep(Cycle from, Cycle cycles);
  /// Whether anything may happen in the next cycle, as long as lanes and entries stay as they are.
  bool may_act() { return buffers_.any_to_issue() && (!has_temporal_lanes_ || lanes_let_act()); }
  /// Whether something may, of a core in which nothing could before the lanes' latest cycle.
  bool is_woken_by_lanes() { return has_temporal_lanes_ && !(lanes_.room() == seen_) && may_act(); }

  /// The kernel has ended, is cut off or looked at: the listener hears what it has not been told.
  void report() {
    census_.report();
    if (has_temporal_lanes_) lane_census_.report();
  }

  /// The instruction buffer entry from which the scheduler issues: of a split that is ready and whose lane can take its
  /// instruction. None if there is none.
  std::optional<unsigned> choose(unsigned scheduler) {
    if (!buffers_.any_ready(scheduler)) return std::nullopt;
    const EntrySet ready = buffers_.ready() & buffers_.of_scheduler(scheduler);
    if (lanes_.room().for_all()) return choose_from(scheduler, ready);
    const EntrySet free = with_free_lane(ready);
    if (free.none()) return std::nullopt;
    return choose_from(scheduler, free);
  }
  /// Of one that issues nothing: what held back the split nearest to issuing, whose entry is in the last of the states.
  report::StallCause stall_cause(unsigned scheduler) const {
    const EntryState last = buffers_.entries().of_scheduler(scheduler).last();
    if (regroups_ && last == EntryState::Free) return cause_without_entries(scheduler);
    return kStallCauseOf[static_cast<unsigned>(last)];
  }

 private:
  struct Scheduler {
    std::unique_ptr<WarpScheduler> policy;
    WarpSlots warps;
    Cycle issues_from = 0;  // not before this cycle
  };

  unsigned live_warps() const { return blocks_.live().count(); }
  void tell_of_warps(unsigned live, Cycle from, Cycle cycles, bool idle) {
    if (live != 0) census_.occupied(live, from, cycles, idle);
    if (has_temporal_lanes_) lane_census_.count(std::exchange(passed_over_, {}), cycles);
  }
  bool lanes_let_act() {
    seen_ = lanes_.room();
    return seen_.for_all() || buffers_.any_redirected() || with_free_lane(buffers_.ready()).any();
  }
  EntrySet with_free_lane(EntrySet ready) const;
  unsigned choose_from(unsigned scheduler, const EntrySet& issuable);
  report::StallCause cause_without_entries(unsigned scheduler) const;

  const LaneArray& lanes_;
  const BlockSlots& blocks_;
  SplitBuffers& buffers_;
  IssueCensus census_;
  LaneCensus lane_census_;
  std::vector<Scheduler> schedulers_;
  std::vector<unsigned> last_entry_;  // by warp: that issued
  Cycle issue_interval_;
  WarpSlots passed_over_;  // could have issued in this cycle, but another one did
  LaneRoom seen_;          // by lanes_let_act()
  bool has_temporal_lanes_, regroups_;
};

}  // namespace warpfork::gpu

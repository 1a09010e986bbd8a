// The issue stage of a core: each scheduler chooses a split that can issue.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/block_slots.h"
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
    core_ = core;
    listener_ = &listener;
    census_.begin_kernel(core, listener);
    lane_census_.begin_kernel();
    issues_from_.assign(issues_from_.size(), 0);
  }

  /// One cycle: calls `dispatch` with the instruction buffer entry from which each scheduler issues, one after the
  /// other.
  template <class Dispatch>
  void cycle(Cycle now, Dispatch&& dispatch) {
    const unsigned live = live_warps();
    bool idle = true;
    for (unsigned scheduler = 0; scheduler < policies_.size(); ++scheduler) {
      buffers_.flush_redirected(scheduler);
      const std::optional<unsigned> entry = now < issues_from_[scheduler] ? std::nullopt : choose(scheduler);
      if (entry) {
        dispatch(*entry);
        issues_from_[scheduler] = now + issue_interval_;
        idle = false;
      } else if (live != 0) {
        census_.stalled(scheduler, stall_cause(scheduler), now, 1);
      }
    }
    tell_of_warps(live, now, 1, idle);
  }
  /// So many cycles from this one on in which the core slept, because nothing could happen.
  void sleep(Cycle from, Cycle cycles);
  /// Whether anything may happen in the next cycle, as long as lanes and entries stay as they are.
  bool may_act() const {
    return buffers_.any_to_issue() && (!has_temporal_lanes_ || lanes_.room().for_all() || buffers_.any_redirected() ||
                                       with_free_lane(buffers_.ready()).any());
  }

  /// The kernel has ended, is cut off or looked at: the listener hears what it has not been told.
  void report(Cycle now) {
    census_.report();
    if (has_temporal_lanes_) lane_census_.report({now, core_, 0}, *listener_);
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
  /// Of one that issues nothing: what held back the split nearest to issuing.
  report::StallCause stall_cause(unsigned scheduler) const;

 private:
  unsigned live_warps() const { return blocks_.live().count(); }
  void tell_of_warps(unsigned live, Cycle from, Cycle cycles, bool idle) {
    if (live != 0) census_.occupied(live, from, cycles, idle);
    if (has_temporal_lanes_) lane_census_.count(std::exchange(passed_over_, {}), cycles);
  }
  EntrySet with_free_lane(EntrySet ready) const;
  unsigned choose_from(unsigned scheduler, const EntrySet& issuable);
  bool has_threads_elsewhere(unsigned scheduler) const;

  const LaneArray& lanes_;
  const BlockSlots& blocks_;
  SplitBuffers& buffers_;
  IssueCensus census_;
  LaneCensus lane_census_;
  std::vector<std::unique_ptr<WarpScheduler>> policies_;  // by scheduler
  std::vector<WarpSlots> warps_;                          // by scheduler
  std::vector<unsigned> last_entry_;                      // by warp: that issued
  std::vector<Cycle> issues_from_;                        // by scheduler: not before this cycle
  Cycle issue_interval_;
  WarpSlots passed_over_;  // could have issued in this cycle, but another one did
  bool has_temporal_lanes_, regroups_;
  unsigned core_ = 0;
  report::LaunchListener* listener_ = nullptr;
};

}  // namespace warpfork::gpu

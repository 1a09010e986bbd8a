#include "gpu/issue_stage.h"

namespace warpfork::gpu {

using report::StallCause;

IssueStage::IssueStage(const CoreSpec& spec, bool regroups, const LaneArray& lanes, const BlockSlots& blocks,
                       SplitBuffers& buffers)
    : lanes_(lanes),
      blocks_(blocks),
      buffers_(buffers),
      lane_census_(lanes, blocks, buffers.entries()),
      schedulers_(spec.schedulers),
      last_entry_(warp_slots(spec)),
      issue_interval_(spec.issue_interval),
      has_temporal_lanes_(lanes.lanes() != 0),
      regroups_(regroups) {
  const WarpSchedulerPolicy& policy = find_warp_scheduler_policy(spec.scheduler);
  for (Scheduler& scheduler : schedulers_) scheduler.policy = policy.make(spec);
  for (unsigned warp = 0; warp < warp_slots(spec); ++warp) schedulers_[warp % spec.schedulers].warps.insert(warp);
}

void IssueStage::sleep(Cycle from, Cycle cycles) {
  const unsigned live = live_warps();
  if (live != 0)
    for (unsigned scheduler = 0; scheduler < schedulers_.size(); ++scheduler)
      census_.stalled(scheduler, stall_cause(scheduler), from, cycles);
  tell_of_warps(live, from, cycles, true);
}

EntrySet IssueStage::with_free_lane(EntrySet ready) const {
  const InstructionBuffers& entries = buffers_.entries();
  const LaneRoom& room = lanes_.room();
  if (room.warps().none()) return {};
  for (unsigned port = 0; port < kPorts; ++port)
    if (!room.has(static_cast<Port>(port))) ready -= entries.in(kReadyStates[port]);
  return room.for_every_warp() ? ready : entries.of_warps(ready, room.warps());
}

unsigned IssueStage::choose_from(unsigned scheduler, const EntrySet& issuable) {
  const InstructionBuffers& entries = buffers_.entries();
  const WarpSlots warps = entries.warps_of(issuable);
  const unsigned warp = schedulers_[scheduler].policy->pick(warps, blocks_.ages());
  if (has_temporal_lanes_) passed_over_ |= warps - WarpSlots::single(warp);
  unsigned& last = last_entry_[warp];
  return last = entries.any_elsewhere() ? (issuable & buffers_.of_warp(warp)).next_after(last) : warp;
}

/// Of a scheduler in whose places nothing runs: live threads of its warps may wait for other warps, or run in the place
/// of another one. A place itself may be used until the block's last thread exits.
StallCause IssueStage::cause_without_entries(unsigned scheduler) const {
  const bool has_threads_elsewhere = (blocks_.live() & schedulers_[scheduler].warps).any_of([&](unsigned warp) {
    return blocks_.block_of(warp).domain().live(blocks_.in_block(warp)).any();
  });
  return has_threads_elsewhere ? StallCause::Compaction : StallCause::NoWarp;
}

}  // namespace warpfork::gpu

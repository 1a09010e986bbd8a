#include "gpu/issue_stage.h"

namespace warpfork::gpu {

using report::StallCause;

IssueStage::IssueStage(const CoreSpec& spec, bool regroups, const LaneArray& lanes, const BlockSlots& blocks,
                       SplitBuffers& buffers)
    : lanes_(lanes),
      blocks_(blocks),
      buffers_(buffers),
      lane_census_(lanes, blocks, buffers.entries()),
      warps_(spec.schedulers),
      last_entry_(warp_slots(spec)),
      regroups_(regroups) {
  const WarpSchedulerPolicy& policy = find_warp_scheduler_policy(spec.scheduler);
  for (unsigned i = 0; i < spec.schedulers; ++i) policies_.push_back(policy.make(spec));
  for (unsigned warp = 0; warp < warp_slots(spec); ++warp) warps_[warp % spec.schedulers] |= WarpSlots{1} << warp;
}

void IssueStage::sleep(Cycle from, Cycle cycles) {
  const unsigned live = live_warps();
  if (live == 0) return;
  for (unsigned scheduler = 0; scheduler < policies_.size(); ++scheduler)
    listener_->stalled({from, core_, scheduler}, stall_cause(scheduler), cycles);
  tell_of_warps(live, from, cycles, true);
}

EntrySet IssueStage::with_free_lane(EntrySet ready) const {
  const InstructionBuffers& entries = buffers_.entries();
  EntrySet found = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const WarpSlots free = lanes_.free_for(static_cast<Port>(port));
    const EntrySet of_port = entries.in(kReadyStates[port]) & ready;
    if (free == ~WarpSlots{0})
      found |= of_port;
    else
      for (EntrySet rest = free != 0 ? of_port : 0; rest != 0; rest &= rest - 1)
        if (free >> entries[lowest_entry(rest)].warp & 1) found |= rest & -rest;
  }
  return found;
}

unsigned IssueStage::choose_from(unsigned scheduler, EntrySet issuable) {
  WarpSlots warps = 0;
  for (EntrySet rest = issuable; rest != 0; rest &= rest - 1)
    warps |= WarpSlots{1} << buffers_.entries()[lowest_entry(rest)].warp;
  const unsigned warp = policies_[scheduler]->pick(warps, blocks_.ages());
  passed_over_ |= warps & ~(WarpSlots{1} << warp);
  unsigned& last = last_entry_[warp];
  const EntrySet candidates = issuable & buffers_.of_warp(warp);
  const EntrySet later = last >= 63 ? 0 : candidates & (~EntrySet{0} << (last + 1));
  return last = lowest_entry(later != 0 ? later : candidates);
}

StallCause IssueStage::stall_cause(unsigned scheduler) const {
  const EntrySet own = buffers_.of_scheduler(scheduler);
  const auto any = [&](EntryState state) { return (buffers_.entries().in(state)&own) != 0; };
  if (any(EntryState::ReadySp) || any(EntryState::ReadySfu) || any(EntryState::ReadyMemory))
    return StallCause::Pipeline;
  if (any(EntryState::BlockedRegister) || any(EntryState::ScoreboardFull)) return StallCause::Scoreboard;
  if (any(EntryState::Empty) || any(EntryState::Redirected)) return StallCause::Fetch;
  if (any(EntryState::BlockedMemory) || any(EntryState::TableMiss)) return StallCause::Memory;
  if (any(EntryState::Forming)) return StallCause::Compaction;
  if (any(EntryState::Suspended)) return StallCause::Barrier;
  return regroups_ && has_threads_elsewhere(scheduler) ? StallCause::Compaction : StallCause::NoWarp;
}

/// Of a scheduler in whose places nothing runs: whether live threads of its warps wait for other warps, or run in the
/// place of another one. A place itself may be used until the block's last thread exits.
bool IssueStage::has_threads_elsewhere(unsigned scheduler) const {
  for (WarpSlots rest = blocks_.live() & warps_[scheduler]; rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    if (blocks_.block_of(warp).domain().live(blocks_.in_block(warp)).any()) return true;
  }
  return false;
}

}  // namespace warpfork::gpu

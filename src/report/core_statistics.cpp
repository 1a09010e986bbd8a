#include "report/core_statistics.h"

#include <utility>

#include "report/record_sum.h"

namespace warpfork::report {

void CoreStatistics::block_started(const BlockEvent& event) {
  branches_.resize(code_size_);
  lost_.resize(code_size_);
  for (unsigned warp = 0; warp < event.warps; ++warp) partings_[event.at.unit + warp].restart();
}

void CoreStatistics::ran(const IssueRun& run) {
  const unsigned active = run.active.count();
  counts_.active_lanes[active] += run.instructions;
  counts_.divergent_paths.warp_instructions += run.divergent;
  counts_.divergent_paths.thread_instructions += run.divergent * active;
  counts_.executed_thread_instructions += run.executed;
  counts_.scalars.warp_instructions += run.scalar;
  counts_.lanes.add(run);
  partings_[run.warp].issued(run.active, run.live, run.instructions, lost_);
}

void CoreStatistics::branched(const BranchEvent& event) {
  Branch& branch = branches_[event.pc];
  ++branch.executions;
  branch.places += event.places;
  if (event.places < 2) return;
  ++branch.divergent;
  partings_[event.warp].part(event.pc);
}

void CoreStatistics::compacted(const CompactionEvent& event) {
  compactions_.resize(code_size_);
  CompactionCount& counted = compactions_[event.branch];
  const bool paid = event.after < event.before;
  if (event.bypassed > 0) {
    (paid ? counted.bypassed_wrong : counted.bypassed_right) += event.bypassed;
    return;
  }
  counted.waited += event.waited;
  if (!paid) counted.cycles_waited_for_nothing += event.waited_cycles;
  if (event.waited == 0) {
    ++counted.bypassed;
  } else if (!event.parted) {
    ++counted.undivided;
  } else {
    ++(paid ? counted.right : counted.wrong);
    counted.warps_before += event.before;
    counted.warps_after += event.after;
  }
}

void CoreStatistics::scheduled(const SchedulerCycles& sum) {
  for (unsigned cause = 0; cause < kStallCauses; ++cause) counts_.stalls[cause] += sum.stalls[cause];
  counts_.occupancy.warp_cycles += sum.warps;
  counts_.occupancy.core_cycles += sum.cycles;
  counts_.idle_cycles += sum.idle;
}

void CoreStatistics::threads(Stamp, const ThreadCycles& cycles) {
  for (unsigned state = 0; state < kThreadStates; ++state) counts_.thread_cycles[state] += cycles[state];
}

BranchCount CoreStatistics::branch(Pc pc) const {
  const Branch& branch = branches_[pc];
  BranchCount count;
  count.pc = pc;
  count.executions = branch.executions;
  count.divergent = branch.divergent;
  count.places = branch.places;
  if (!compactions_.empty()) count.compaction = compactions_[pc];
  return count;
}

void CoreStatistics::add_to(LaunchRecord& record) const {
  if (branches_.empty()) return;  // no block came here
  LaunchRecord counts = counts_;
  counts.timed = true;
  add(record, counts);
  if (!counts.lanes.timeline.empty()) record.lanes.timeline = counts.lanes.timeline;
  auto known = record.branches.begin();
  for (Pc pc = 0; pc < branches_.size(); ++pc) {
    BranchCount here = branch(pc);
    here.lost_lane_slots = lost_[pc];
    if (here.executions == 0 && here.compaction.empty()) continue;
    known = std::find_if(known, record.branches.end(), [&](const BranchCount& other) { return other.pc >= pc; });
    if (known != record.branches.end() && known->pc == pc)
      add(*known, here);
    else
      known = record.branches.insert(known, std::move(here));
  }
}

}  // namespace warpfork::report

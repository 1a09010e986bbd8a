#include "report/launch_statistics.h"

#include <utility>

namespace warpfork::report {

LaunchStatistics::LaunchStatistics(std::size_t code_size, unsigned cores, unsigned warps)
    : warps_(warps), branches_(code_size), lost_(code_size), partings_(std::size_t{cores} * warps) {}

void LaunchStatistics::issued(const IssueEvent& event) {
  const unsigned active = event.active.count();
  ++active_lanes_[active];
  if (event.divergent) {
    ++divergent_paths_.warp_instructions;
    divergent_paths_.thread_instructions += active;
  }
  executed_ += event.executed.count();
  lanes_.add(event);
  BranchPartings& partings = partings_[event.core * warps_ + event.warp];
  partings.issued(event.active, event.live, lost_);
  if (!event.conditional_branch) return;
  Branch& branch = branches_[event.pc];
  ++branch.executions;
  branch.places += event.places;
  if (event.places < 2) return;
  ++branch.divergent;
  partings.part(event.pc, lost_);
}

void LaunchStatistics::compacted(const CompactionEvent& event) {
  CompactionCount& counted = branches_[event.branch].compaction;
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

void LaunchStatistics::stalled(StallCause cause, Cycle cycles) { stalls_[static_cast<unsigned>(cause)] += cycles; }

void LaunchStatistics::occupied(unsigned live_warps, Cycle cycles, bool idle) {
  warp_cycles_ += live_warps * cycles;
  core_cycles_ += cycles;
  if (idle) idle_ += cycles;
}

void LaunchStatistics::threads(const ThreadCycles& cycles) {
  for (unsigned state = 0; state < kThreadStates; ++state) thread_cycles_[state] += cycles[state];
}

void LaunchStatistics::block_started(unsigned core, unsigned first, unsigned warps) {
  for (unsigned warp = first; warp < first + warps; ++warp) partings_[core * warps_ + warp].restart(lost_);
}

void LaunchStatistics::fill(LaunchRecord& record) const {
  record.active_lanes = active_lanes_;
  record.executed_thread_instructions = executed_;
  record.divergent_paths = divergent_paths_;
  record.divergent_paths.lane_slots = divergent_paths_.warp_instructions * record.warp_size;
  record.count_instructions();
  record.stalls = stalls_;
  record.scheduler_cycles = record.warp_instructions;
  for (const std::uint64_t stalled : stalls_) record.scheduler_cycles += stalled;
  record.idle_cycles = idle_;
  record.occupancy.warp_cycles = warp_cycles_;
  record.occupancy.core_cycles = core_cycles_;
  record.thread_cycles = thread_cycles_;
  record.splits = splits_;
  record.tables = tables_;
  record.lanes = lanes_;
  record.branches.clear();
  std::vector<std::uint64_t> lost = lost_;
  for (BranchPartings partings : partings_) partings.settle(lost);
  for (Pc pc = 0; pc < branches_.size(); ++pc) {
    const Branch& branch = branches_[pc];
    if (branch.executions == 0 && branch.compaction.empty()) continue;
    BranchCount count;
    count.pc = pc;
    count.executions = branch.executions;
    count.divergent = branch.divergent;
    count.places = branch.places;
    count.lost_lane_slots = lost[pc];
    count.compaction = branch.compaction;
    record.branches.push_back(std::move(count));
  }
}

}  // namespace warpfork::report

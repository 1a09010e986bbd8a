#include "gpu/sampled_run.h"

#include <utility>

#include "analysis/cfg.h"
#include "analysis/spin_wait.h"
#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/core.h"
#include "report/record_sum.h"
#include "report/sampling_error.h"

namespace warpfork::gpu {

namespace {

bool may_wait_for_others(const simt::Program& program) {
  return analysis::may_wait_for_others(*program.function, analysis::ControlFlowGraph(*program.function));
}

/// What a functional run counts is added to a record of what was simulated in detail.
void add_executed(report::LaunchRecord& record, const report::LaunchRecord& executed) {
  for (std::size_t lanes = 0; lanes < record.active_lanes.size(); ++lanes)
    record.active_lanes[lanes] += executed.active_lanes[lanes];
  record.executed_thread_instructions += executed.executed_thread_instructions;
  record.scalars.warp_instructions += executed.scalars.warp_instructions;
  record.count_instructions();
}

/// What all blocks have executed is known.
void take_executed(report::LaunchRecord& record, const report::LaunchRecord& all) {
  record.active_lanes = all.active_lanes;
  record.executed_thread_instructions = all.executed_thread_instructions;
  record.scalars.warp_instructions = all.scalars.warp_instructions;
  record.count_instructions();
}

}  // namespace

void require_sample_is_possible(const MachineSpec& machine, const SampleRequest& sample) {
  if (sample.empty()) return;
  if (find_divergence_mechanism(machine.divergence.mechanism).rehearses(machine.divergence))
    throw Error(
        "--sample: {} with the predictor {} repeats a rehearsal of all blocks\n  take another predictor "
        "(--set divergence.predictor=…), or leave --sample out",
        machine.divergence.mechanism, machine.divergence.predictor);
}

report::LaunchRecord counted_so_far(const std::vector<std::unique_ptr<Core>>& cores,
                                    const report::LaunchStatistics& statistics, unsigned warp_size,
                                    const report::MemoryCounts& memory, Cycle now) {
  report::LaunchRecord record;
  record.timed = true;
  record.warp_size = warp_size;
  record.cycles = now;
  record.memory = memory;
  for (const auto& core : cores) core->tell_so_far(now);
  statistics.fill(record);
  for (const auto& core : cores) {
    const report::ThreadCycles cycles = core->thread_cycles();
    for (unsigned state = 0; state < report::kThreadStates; ++state) record.thread_cycles[state] += cycles[state];
  }
  return record;
}

SampledRun::SampledRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                       const Occupancy& fits, const std::vector<std::unique_ptr<Core>>& cores, Counted counted)
    : masks_depend_on_time_(find_divergence_mechanism(machine.divergence.mechanism).masks_depend_on_time),
      blocks_(launch.grid.count()),
      cores_(cores),
      counted_(std::move(counted)),
      between_(machine, launch, options,
               [this](const simt::Instruction& instruction, const simt::MemoryAccess& access) {
                 core_->pass(instruction, access);
               }) {
  sample_.share = options.sample.share;
  if (may_wait_for_others(*launch.program))
    sample_.whole_because = "blocks_may_wait";
  else if (plan_ = plan_sample(blocks_, std::uint64_t{fits.block_slots} * machine.cores, options.sample); plan_.empty())
    sample_.whole_because = "few_blocks";
}

std::uint64_t SampledRun::next_block(std::uint64_t next, Cycle now) {
  if (plan_.empty()) return next;
  if (next == plan_[at_].end) {
    windows_.back().end = counted_(now);
    for (++at_; next < plan_[at_].begin; ++next) {
      core_ = cores_[next % cores_.size()].get();
      between_.run(next, next + 1);
    }
  }
  if (next == plan_[at_].begin) windows_.push_back({counted_(now), {}, {}});
  if (next == plan_[at_].counted) windows_.back().counted = counted_(now);
  return next;
}

/// What counts are in proportion to: known of all blocks, however their threads ran together.
std::uint64_t SampledRun::size(const report::LaunchRecord& record) const {
  return masks_depend_on_time_ ? record.thread_instructions : record.warp_instructions;
}

report::SampledPart SampledRun::part(const report::LaunchRecord& begin, const report::LaunchRecord& end) const {
  return {report::counts_of(report::difference(end, begin)), size(end) - size(begin)};
}

report::SampledCounts SampledRun::sampled_counts(const report::LaunchRecord& all,
                                                 const report::LaunchRecord& detailed) const {
  report::SampledCounts sampled;
  sampled.size = size(all);
  sampled.whole = part(windows_.front().counted, windows_.front().end);
  const report::SampledPart last = part(windows_.back().counted, detailed);
  sampled.whole.size += last.size;
  for (std::size_t i = 0; i < last.counts.size(); ++i) sampled.whole.counts[i] += last.counts[i];
  for (std::size_t i = 1; i + 1 < windows_.size(); ++i) {
    sampled.batches.push_back(part(windows_[i].counted, windows_[i].end));
    sampled.with_warm_up.push_back(part(windows_[i].begin, windows_[i].end));
  }
  return sampled;
}

void SampledRun::fill(report::LaunchRecord& record) const {
  report::SampleCount sample = sample_;
  sample.detailed_blocks = blocks_;
  if (!plan_.empty()) {
    sample.batches = plan_.size() - 2;
    sample.detailed_blocks = 0;
    for (const SampleBatch& batch : plan_) sample.detailed_blocks += batch.end - batch.begin;
    report::LaunchRecord executed, all = record;
    between_.fill(executed);
    add_executed(all, executed);
    const report::SampledCounts sampled = sampled_counts(all, record);
    const auto estimated = [&](const report::Counts& counts) {
      report::LaunchRecord estimate = record;
      report::put_counts(estimate, counts);
      if (!masks_depend_on_time_) take_executed(estimate, all);
      return estimate;
    };
    for (std::size_t batch = 0; batch < sample.batches; ++batch)
      sample.replicates.push_back(report::counts_of(estimated(sampled.estimate_without(batch))));
    sample.with_warm_up = report::counts_of(estimated(sampled.estimate_with_warm_up()));
    sample.sampled_part = sampled.sampled_part();
    record = estimated(sampled.estimate());
    record.branches.clear();
    record.lanes.timeline = {};
  }
  record.sample = std::move(sample);
  record.sample.half_intervals = report::SamplingError({&record, 1}).half_intervals();
}

}  // namespace warpfork::gpu

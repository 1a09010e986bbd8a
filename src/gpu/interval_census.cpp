#include "gpu/interval_census.h"

#include <algorithm>

#include "base/error.h"
#include "report/record_sum.h"

namespace warpfork::gpu {

using report::IntervalSample;

namespace {

constexpr std::size_t kMostSamples = 1 << 18;  // of a launch: as JSON they take a gigabyte

}  // namespace

IntervalSample& IntervalCensus::at(Cycle now) {
  const std::size_t number = now / window_;
  if (number >= kMostSamples)
    throw Error(
        "--interval {}: a launch takes more than {} intervals\n  take longer ones, or time fewer cycles: "
        "--max-cycles",
        window_, kMostSamples);
  while (samples_.size() <= number) {
    IntervalSample& added = samples_.emplace_back();
    added.begin = (samples_.size() - 1) * window_;
    added.cycles = window_;
    added.lane_threads.resize(lanes_);
  }
  return samples_[number];
}

template <class Add>
void IntervalCensus::spread(Cycle from, Cycle cycles, Add&& add) {
  while (cycles > 0) {
    const Cycle here = std::min(cycles, window_ - from % window_);
    add(at(from), here);
    from += here;
    cycles -= here;
  }
}

void IntervalCensus::issued(const report::IssueEvent& event) {
  ask_memory(event.cycle);
  IntervalSample& sample = at(event.cycle);
  ++sample.warp_instructions;
  sample.thread_instructions += event.active.count();
}

void IntervalCensus::stalled(report::Stamp stamp, report::StallCause cause, Cycle cycles) {
  spread(stamp.cycle, cycles,
         [&](IntervalSample& sample, Cycle here) { sample.stalls[static_cast<unsigned>(cause)] += here; });
}

void IntervalCensus::occupied(report::Stamp stamp, unsigned live_warps, Cycle cycles) {
  ask_memory(stamp.cycle);
  spread(stamp.cycle, cycles, [&](IntervalSample& sample, Cycle here) {
    sample.warp_cycles += live_warps * here;
    sample.core_cycles += here;
  });
}

void IntervalCensus::split(const report::SplitEvent& event) {
  spread(event.at.cycle, event.cycles,
         [&](IntervalSample& sample, Cycle here) { sample.split_cycles += event.threads.size() * here; });
}

void IntervalCensus::lane_entered(const report::LaneEvent& event) {
  at(event.at.cycle).lane_threads[event.lane] += event.threads.count();
}

void IntervalCensus::ask_memory(Cycle now) {
  const std::size_t number = now / window_;
  if (number <= next_) return;
  const report::MemoryCounts all = memory_();
  const report::MemoryCounts since = report::difference(all, asked_);
  IntervalSample& sample = at(next_ * window_);
  sample.l1d_accesses = since.caches.l1d.accesses;
  sample.l1d_misses = since.caches.l1d.misses;
  sample.l2_accesses = since.caches.l2.accesses;
  sample.l2_misses = since.caches.l2.misses;
  sample.dram_reads = since.dram.reads;
  sample.dram_writes = since.dram.writes;
  asked_ = all;
  next_ = number;
}

report::IntervalCounts IntervalCensus::counts(Cycle end) {
  if (end > 0) at(end - 1);
  ask_memory(samples_.size() * window_);
  if (!samples_.empty()) samples_.back().cycles = end - samples_.back().begin;
  return {window_, samples_};
}

}  // namespace warpfork::gpu

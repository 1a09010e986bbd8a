// Counts what a launch does in each stretch of its time.
#pragma once

#include <functional>

#include "report/interval_count.h"
#include "report/launch_listener.h"
#include "report/memory_counts.h"

namespace warpfork::gpu {

/// Hears all cores of one launch. What lasts over the end of an interval is parted there. Caches and DRAM are asked at
/// the first event behind the end of an interval. Throws Error for a launch of more intervals than there is room for.
class IntervalCensus final : public report::LaunchListener {
 public:
  /// `lanes`: of a core, 0 = side by side. `memory`: what caches and DRAM have done since the launch began.
  IntervalCensus(Cycle window, unsigned lanes, std::function<report::MemoryCounts()> memory)
      : window_(window), lanes_(lanes), memory_(std::move(memory)), asked_({}) {}

  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }
  void stalled(report::Stamp at, report::StallCause cause, Cycle cycles) override;
  void occupied(report::Stamp at, unsigned live_warps, Cycle cycles) override;
  bool observes_stalls() const override { return true; }
  void split(const report::SplitEvent& event) override;
  void lane_entered(const report::LaneEvent& event) override;
  bool observes_lanes(unsigned) const override { return lanes_ != 0; }

  /// Of a launch that has ended after so many cycles.
  report::IntervalCounts counts(Cycle end);

 private:
  report::IntervalSample& at(Cycle now);
  void ask_memory(Cycle now);
  /// add(sample, cycles of it) for each interval that [from, from + cycles) touches.
  template <class Add>
  void spread(Cycle from, Cycle cycles, Add&& add);

  Cycle window_;
  unsigned lanes_;
  std::function<report::MemoryCounts()> memory_;
  report::MemoryCounts asked_;  // up to the end of the intervals before `next_`
  std::size_t next_ = 0;        // interval that caches and DRAM are asked for next
  std::vector<report::IntervalSample> samples_;
};

}  // namespace warpfork::gpu

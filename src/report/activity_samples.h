// What happened in the units up to some moments of a launch, from which follows the power over its time
// (docs/energy.md).
#pragma once

#include <vector>

#include "report/activity_count.h"
#include "report/memory_counts.h"

namespace warpfork::report {

/// Since the launch began.
struct ActivitySample {
  ActivityCount activity;
  MemoryCounts memory;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.group("activity", activity, "");
    memory.visit(v);
  }
};

/// The most samples that a launch has: when there are so many, every second goes and the window doubles.
inline constexpr std::size_t kActivitySamples = 64;

/// The next sample of the launch, at the end of its next window.
void add_sample(ActivityCount& launch, const ActivitySample& sample);
/// In their order, each `launch.window` cycles behind the one before.
std::vector<ActivitySample> samples_of(const ActivityCount& launch);

}  // namespace warpfork::report

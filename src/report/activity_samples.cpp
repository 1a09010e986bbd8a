#include "report/activity_samples.h"

#include "report/record_sum.h"

namespace warpfork::report {

void add_sample(ActivityCount& launch, const ActivitySample& sample) {
  launch.samples.push_back(counts_of(sample));
  if (launch.samples.size() < kActivitySamples) return;
  for (std::size_t i = 0; i < kActivitySamples / 2; ++i) launch.samples[i] = std::move(launch.samples[2 * i + 1]);
  launch.samples.resize(kActivitySamples / 2);
  launch.window *= 2;
}

std::vector<ActivitySample> samples_of(const ActivityCount& launch) {
  std::vector<ActivitySample> samples;
  for (const std::vector<std::uint64_t>& counts : launch.samples) {
    auto next = counts.begin();
    CountVisitor visitor([&](std::uint64_t& value, bool) { value = *next++; });
    samples.emplace_back().visit(visitor);
  }
  return samples;
}

}  // namespace warpfork::report

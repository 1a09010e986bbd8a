#include "report/sample_estimate.h"

#include <cmath>

#include "report/record_sum.h"

namespace warpfork::report {

SampledPart SampledCounts::sum(const std::vector<SampledPart>& parts) const {
  SampledPart sum{Counts(whole.counts.size()), 0};
  for (const SampledPart& part : parts) {
    sum.size += part.size;
    for (std::size_t i = 0; i < sum.counts.size(); ++i) sum.counts[i] += part.counts[i];
  }
  return sum;
}

Counts SampledCounts::estimate(const SampledPart& sum) const {
  Counts counts = whole.counts;
  const double scale = static_cast<double>(size - whole.size) / static_cast<double>(sum.size);
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] += static_cast<std::uint64_t>(std::llround(scale * static_cast<double>(sum.counts[i])));
  return counts;
}

Counts SampledCounts::estimate() const { return estimate(sum(batches)); }

Counts SampledCounts::estimate_with_warm_up() const { return estimate(sum(with_warm_up)); }

Counts SampledCounts::estimate_without(std::size_t batch) const {
  SampledPart rest = sum(batches);
  rest.size -= batches[batch].size;
  for (std::size_t i = 0; i < rest.counts.size(); ++i) rest.counts[i] -= batches[batch].counts[i];
  return estimate(rest);
}

double SampledCounts::sampled_part() const {
  return static_cast<double>(sum(batches).size) / static_cast<double>(size - whole.size);
}

void put_counts(LaunchRecord& record, const Counts& counts) {
  auto next = counts.begin();
  CountVisitor visitor([&](std::uint64_t& value, bool largest) {
    if (!largest) value = *next;
    ++next;
  });
  record.visit(visitor);
}

}  // namespace warpfork::report

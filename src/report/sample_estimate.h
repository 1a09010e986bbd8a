// Counts of a whole launch from those of some batches of its blocks: ratio estimates (Cochran, Sampling Techniques,
// third edition, 6.1 and 6.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/launch_record.h"

namespace warpfork::report {

/// A launch's counts in the order of record_sum.h, or those of a part of it.
using Counts = std::vector<std::uint64_t>;

struct SampledPart {
  Counts counts;
  std::uint64_t size = 0;  // instructions: what a part's counts are in proportion to
};

struct SampledCounts {
  SampledPart whole;                               // what is known of the launch's first and last stretch
  std::vector<SampledPart> batches, with_warm_up;  // those that count, and the same with the blocks before them
  std::uint64_t size = 0;                          // of the launch

  /// The whole ones and, for all between them, the batches' by the ratio of sizes.
  Counts estimate() const;
  /// The same without this batch.
  Counts estimate_without(std::size_t batch) const;
  /// The same by all that was simulated in detail.
  Counts estimate_with_warm_up() const;
  /// How much of what is between was in batches, 0 … 1.
  double sampled_part() const;

 private:
  Counts estimate(const SampledPart& sum) const;
  SampledPart sum(const std::vector<SampledPart>& parts) const;
};

/// Gives the record these counts; `largest` ones stay.
void put_counts(LaunchRecord& record, const Counts& counts);

}  // namespace warpfork::report

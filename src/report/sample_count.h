// What is said of a sampled launch beside its numbers (docs/sampling.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpfork::report {

/// By key, "caches.l1d.misses": half of the interval in which the number of a whole run lies in 95 of 100 cases.
using HalfIntervals = std::map<std::string, double>;

struct SampleCount {
  double share = 0;  // that was asked for
  std::uint64_t detailed_blocks = 0, batches = 0;
  std::string whole_because;  // empty = was sampled
  HalfIntervals half_intervals;
  /// The record's counts (record_sum.h), each time without another batch.
  std::vector<std::vector<std::uint64_t>> replicates;
  std::vector<std::uint64_t> with_warm_up;  // what they would be if blocks that warm up counted, too
  double sampled_part = 0;                  // of what is estimated, 0 … 1: the batches' own

  /// Nobody asked for it.
  bool empty() const { return share == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kReasons[] = {"", "few_blocks", "blocks_may_wait"};
    v.fact("share", share, "0 … 1", "of its blocks, as asked for");
    v.fact("detailed_blocks", detailed_blocks, "blocks", "that were simulated in detail");
    v.fact("batches", batches, "batches", "between the launch's first and last blocks; 0 = it was simulated whole");
    v.fact("whole_because", whole_because, "text",
           "why it was simulated whole: `few_blocks`, fewer than batches need, or `blocks_may_wait`, for one another; "
           "empty = it was sampled",
           kReasons);
    v.fact(
        "half_intervals", half_intervals, "as the key's",
        "by key of the launch (`caches.l1d.misses`, `active_lanes_histogram.31`): the number of a whole run is within "
        "so much of it, up or down, with 95 % confidence. A key that is missing is exact, was alike in all batches, or "
        "is "
        "a largest one, which is that of the blocks in detail");
    v.hidden("replicates", replicates);
    v.hidden("with_warm_up", with_warm_up);
    v.hidden("sampled_part", sampled_part);
  }
};

/// Of totals.
struct SampleTotals {
  std::uint64_t launches = 0;
  HalfIntervals half_intervals;

  bool empty() const { return launches == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("launches", launches, "launches", "of these, those that were sampled");
    v.count("half_intervals", half_intervals, "as the key's", "as those of a launch, of the totals");
  }
};

}  // namespace warpfork::report

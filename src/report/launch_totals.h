// The sums over launches (docs/result-schema.md, "totals").
#pragma once

#include <cstdint>
#include <span>

#include "report/launch_record.h"

namespace warpfork::report {

/// Of `sums` the counts are sums, or the largest, as its visit() says, and rates follow from these; of its facts
/// only the warp size, the largest, is anybody's. Of no timed launch it has what was executed, and no time.
struct LaunchTotals {
  std::uint64_t launches = 0;
  LaunchRecord sums;
  CompactionCount compaction;  // over all branches
  SampleTotals sampled;

  /// In which nothing has happened.
  LaunchTotals() { sums.timed = true; }
  /// A functional launch is left out.
  void add(const LaunchRecord& launch);

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("launches", launches, "launches", "that were simulated in detail");
    sums.visit(v);
    v.group("compaction", compaction, "over branches, where the mechanism regroups threads");
    v.group("sampled", sampled, "where launches were sampled (`--sample`); see below");
  }
};

/// Whether a limit ended one of them, which then is a program's last one.
bool is_cut_off(std::span<const LaunchRecord> launches);

/// Of the timed launches; where there is none, of those that were executed only.
LaunchTotals sum_launches(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report

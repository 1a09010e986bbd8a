#include "report/launch_totals.h"

#include <algorithm>

#include "report/record_sum.h"

namespace warpfork::report {

void LaunchTotals::add(const LaunchRecord& launch) {
  if (!launch.timed) return;
  ++launches;
  sums.warp_size = std::max(sums.warp_size, launch.warp_size);
  report::add(sums, launch);
  for (const BranchCount& branch : launch.branches) report::add(compaction, branch.compaction);
}

LaunchTotals sum_launches(std::span<const LaunchRecord> launches) {
  LaunchTotals totals;
  for (const LaunchRecord& launch : launches) totals.add(launch);
  return totals;
}

}  // namespace warpfork::report

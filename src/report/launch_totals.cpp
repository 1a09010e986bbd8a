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

namespace {

/// Of launches that were executed only: what they count, in the form of timed ones, whose other counts are 0.
LaunchRecord sum_executed(std::span<const LaunchRecord> launches) {
  LaunchRecord sums;
  for (const LaunchRecord& launch : launches) {
    sums.warp_size = std::max(sums.warp_size, launch.warp_size);
    add(sums, launch);
  }
  sums.timed = true;
  return sums;
}

}  // namespace

bool is_cut_off(std::span<const LaunchRecord> launches) {
  return std::ranges::any_of(launches, [](const LaunchRecord& launch) { return !launch.cut_off.empty(); });
}

LaunchTotals sum_launches(std::span<const LaunchRecord> launches) {
  LaunchTotals totals;
  for (const LaunchRecord& launch : launches) totals.add(launch);
  if (totals.launches == 0) totals.sums = sum_executed(launches);
  return totals;
}

}  // namespace warpfork::report

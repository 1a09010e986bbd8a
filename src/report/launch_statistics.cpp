#include "report/launch_statistics.h"

#include <numeric>

namespace warpfork::report {

LaunchStatistics::LaunchStatistics(std::size_t code_size, unsigned cores, unsigned warps, LaunchListener* other) {
  cores_.reserve(cores);
  for (unsigned core = 0; core < cores; ++core) cores_.emplace_back(code_size, warps);
  if (other == nullptr) return;
  for (CoreStatistics& core : cores_) pairs_.emplace_back(core, *other);
}

LaunchListener& LaunchStatistics::of_core(unsigned core) {
  if (pairs_.empty()) return cores_[core];
  return pairs_[core];
}

void LaunchStatistics::fill(LaunchRecord& record) const {
  for (const CoreStatistics& core : cores_) core.add_to(record);
  record.divergent_paths.lane_slots = record.divergent_paths.warp_instructions * record.warp_size;
  record.count_instructions();
  record.scheduler_cycles = std::accumulate(record.stalls.begin(), record.stalls.end(), record.warp_instructions);
}

}  // namespace warpfork::report

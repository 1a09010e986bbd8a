#include "report/lane_count.h"

namespace warpfork::report {

void LaneCount::add(const LaneCycles& cycles) {
  lanes = cycles.lanes;
  width = cycles.width;
  core_cycles += cycles.cycles;
  warps += cycles.warps;
  holding += cycles.holding;
  available += cycles.available;
  for (std::size_t i = 0; i < conflicts.size(); ++i) conflicts[i] += cycles.conflicts[i];
}

}  // namespace warpfork::report

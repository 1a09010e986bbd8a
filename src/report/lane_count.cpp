#include "report/lane_count.h"

#include <algorithm>

namespace warpfork::report {

void LaneCount::add(const LaneCycles& cycles) {
  lanes = cycles.lanes;
  width = cycles.width;
  core_cycles += cycles.cycles;
  holding += cycles.holding * cycles.cycles;
  available += cycles.available * cycles.cycles;
  if (cycles.conflicts != 0) conflicts[std::min(cycles.conflicts, 3u) - 1] += cycles.cycles;
}

}  // namespace warpfork::report

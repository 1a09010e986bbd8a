#include "gpu/lane_census.h"

#include <algorithm>
#include <utility>

namespace warpfork::gpu {

void LaneCensus::follow_changes() {
  changes_ = buffers_.changes();
  const WarpSlots live = blocks_.live(), able = buffers_.warps_of(buffers_.able_to_go_on());
  if (live == live_ && able == able_) return;  // most often
  count_lanes();
  live_ = live, able_ = able;
  holding_ = lanes_.lanes_of(live);
  available_ = lanes_.lanes_of(able);
}

void LaneCensus::count_lanes() {
  const Cycle cycles = sum_.cycles - std::exchange(counted_, sum_.cycles);
  sum_.holding += holding_ * cycles;
  sum_.available += available_ * cycles;
}

void LaneCensus::count_conflicts(WarpSlots passed_over, Cycle cycles) {
  if (const WarpSlots in_conflict = passed_over & lanes_.room().warps(); in_conflict.any())
    sum_.conflicts[std::min(lanes_.lanes_of(in_conflict), 3u) - 1] += cycles;
}

void LaneCensus::report(report::Stamp at, report::LaunchListener& listener) {
  count_lanes();
  sum_.lanes = lanes_.lanes();
  sum_.width = lanes_.width();
  sum_.at = at;
  listener.lanes(sum_);
  sum_ = {};
  counted_ = 0;
}

}  // namespace warpfork::gpu

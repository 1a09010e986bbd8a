#include "gpu/lane_census.h"

#include <algorithm>
#include <utility>

namespace warpfork::gpu {

void LaneCensus::follow_changes() {
  changes_ = changes();
  const WarpSlots placed = blocks_.placed(), able = buffers_.warps_of(buffers_.able_to_go_on());
  if (placed == placed_ && able == able_) return;  // most often
  count_lanes();
  placed_ = placed, able_ = able;
  holding_ = lanes_.lanes_of(placed);
  available_ = lanes_.lanes_of(able);
}

void LaneCensus::count_lanes() {
  const Cycle cycles = sum_.cycles - std::exchange(counted_, sum_.cycles);
  sum_.warps += placed_.count() * cycles;
  sum_.holding += holding_ * cycles;
  sum_.available += available_ * cycles;
}

void LaneCensus::count_conflicts(WarpSlots passed_over, Cycle cycles) {
  if (const WarpSlots in_conflict = passed_over & lanes_.room().warps(); in_conflict.any())
    sum_.conflicts[std::min(lanes_.lanes_of(in_conflict), 3u) - 1] += cycles;
}

void LaneCensus::report() {
  count_lanes();
  sum_.lanes = lanes_.lanes();
  sum_.width = lanes_.width();
  listener_->lanes(sum_);
  sum_ = {};
  counted_ = 0;
}

}  // namespace warpfork::gpu

#include "gpu/lane_census.h"

#include <algorithm>

namespace warpfork::gpu {

void LaneCensus::count(WarpSlots passed_over, Cycle cycles) {
  if (buffers_.changes() != changes_) {
    changes_ = buffers_.changes();
    const WarpSlots live = blocks_.live(), able = buffers_.warps_of(buffers_.able_to_go_on());
    if (live != live_ || able != able_) {  // seldom
      live_ = live, able_ = able;
      holding_ = lanes_.lanes_of(live);
      available_ = lanes_.lanes_of(able);
    }
  }
  sum_.cycles += cycles;
  sum_.holding += holding_ * cycles;
  sum_.available += available_ * cycles;
  if (passed_over.none()) return;
  if (const WarpSlots in_conflict = passed_over & lanes_.room().warps(); in_conflict.any())
    sum_.conflicts[std::min(lanes_.lanes_of(in_conflict), 3u) - 1] += cycles;
}

void LaneCensus::report(report::Stamp at, report::LaunchListener& listener) {
  sum_.lanes = lanes_.lanes();
  sum_.width = lanes_.width();
  sum_.at = at;
  listener.lanes(sum_);
  sum_ = {};
}

}  // namespace warpfork::gpu

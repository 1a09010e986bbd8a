// The lanes of an in-order core's warp for which something waits to be issued.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/paths/lane_mask.h"

namespace warpfork::ooo {

/// Each lane issues in order: once every lane that is here has an instruction that does not issue, nothing that was
/// fetched later needs to be looked at. Instructions without lanes, on wrong paths, are kept up by nobody.
class WaitingLanes {
 public:
  /// An instruction has been fetched.
  void enter(LaneMask lanes) {
    wrong_ += lanes == 0;
    for_each_lane(lanes, [this](unsigned lane) { ++instructions_[lane]; });
    lanes_ |= lanes;
  }
  /// One that has been fetched issues.
  void issue(LaneMask lanes) {
    wrong_ -= lanes == 0;
    for_each_lane(lanes, [this](unsigned lane) {
      if (--instructions_[lane] == 0) lanes_ &= ~(LaneMask{1} << lane);
    });
  }
  bool are_all(LaneMask blocked) const { return wrong_ == 0 && covers(blocked, lanes_); }

 private:
  std::array<std::uint32_t, kMaxLanes> instructions_{};  // by lane, that have not issued
  std::uint32_t wrong_ = 0;                              // likewise, without lanes
  LaneMask lanes_ = 0;
};

}  // namespace warpfork::ooo

// What temporal lanes make known of the threads that pass through them.
#pragma once

#include "gpu/in_flight.h"

namespace warpfork::gpu {

class LaneListener {
 public:
  virtual ~LaneListener() = default;
  /// Threads of the warp instruction enter the lane's arithmetic units, or its address generation, in this cycle.
  virtual void entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) = 0;
};

}  // namespace warpfork::gpu

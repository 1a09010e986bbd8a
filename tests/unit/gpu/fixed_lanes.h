// Lanes that take what a test says, and do nothing.
#pragma once

#include "gpu/lane_array.h"

namespace warpfork::gpu {

struct FixedLanes final : LaneArray {
  /// Warps of which an instruction for the port can be taken.
  void let(Port port, WarpSlots warps) {
    free_[static_cast<unsigned>(port)] = warps;
    all_free_ = free_[0].full() && free_[1].full() && free_[2].full();
  }

  void begin_kernel(const simt::Program&) override {}
  void end_kernel() override {}
  void take(InFlightId, Cycle) override {}
  void cycle(LoadStoreUnit&, Cycle) override {}
  Cycle next_event(Cycle) const override { return kNever; }
};

}  // namespace warpfork::gpu

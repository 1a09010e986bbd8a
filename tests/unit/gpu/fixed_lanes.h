// Lanes that take what a test says, and do nothing.
#pragma once

#include "gpu/lane_array.h"

namespace warpfork::gpu {

struct FixedLanes final : LaneArray {
  LaneRoom& room() { return room_; }

  void begin_kernel(const KernelTables&) override {}
  void end_kernel() override {}
  void take(InFlightId, Cycle) override {}
  void cycle(LoadStoreUnit&, Cycle) override {}
  Cycle next_event(Cycle) const override { return kNever; }
};

}  // namespace warpfork::gpu

#include "gpu/lane_census.h"

namespace warpfork::gpu {

void LaneCensus::tell(WarpSlots passed_over, report::Stamp at, Cycle cycles, report::LaunchListener& listener) const {
  listener.lanes({.lanes = lanes_.lanes(),
                  .width = lanes_.width(),
                  .holding = lanes_.lanes_of(blocks_.live()),
                  .available = lanes_.lanes_of(able_to_go_on()),
                  .conflicts = lanes_.lanes_of(passed_over & lanes_.free_for(Port::Sp)),
                  .cycles = cycles,
                  .at = at});
}

/// Warps with a split that waits neither for memory nor at a barrier.
WarpSlots LaneCensus::able_to_go_on() const {
  const EntrySet held_back = buffers_.in(EntryState::Free) | buffers_.in(EntryState::Suspended) |
                             buffers_.in(EntryState::BlockedMemory) | buffers_.in(EntryState::TableMiss);
  WarpSlots warps;
  (buffers_.all() - held_back).for_each([&](unsigned entry) { warps.insert(buffers_[entry].warp); });
  return warps;
}

}  // namespace warpfork::gpu

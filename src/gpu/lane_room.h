// What the lanes of a core can take in a cycle.
#pragma once

#include "gpu/in_flight.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// An instruction of one of these warps (slots), if it is for one of these ports.
class LaneRoom {
 public:
  const WarpSlots& warps() const { return warps_; }
  void set_warps(const WarpSlots& warps) {
    warps_ = warps;
    set_shut(kPorts, !warps.full());
  }

  bool has(Port port) const { return (shut_ >> static_cast<unsigned>(port) & 1u) == 0; }
  void set(Port port, bool has) { set_shut(static_cast<unsigned>(port), !has); }
  /// Warps of which an instruction for this port can be taken.
  WarpSlots of(Port port) const { return has(port) ? warps_ : WarpSlots(); }
  bool for_every_warp() const { return shut_ >> kPorts == 0; }
  /// Of any warp, for any port.
  bool for_all() const { return shut_ == 0; }
  bool operator==(const LaneRoom&) const = default;

 private:
  void set_shut(unsigned bit, bool shut) { shut_ = (shut_ & ~(1u << bit)) | unsigned{shut} << bit; }

  WarpSlots warps_ = WarpSlots::first(WarpSlots::kCapacity);
  unsigned shut_ = 0;  // a bit for each port, and one for warps: asked for in every cycle
};

}  // namespace warpfork::gpu

// What the lanes of a core can take in a cycle.
#pragma once

#include <cstdint>

#include "gpu/in_flight.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// An instruction of one of these warps (slots), if it is for one of these ports.
class LaneRoom {
 public:
  WarpSlots warps = WarpSlots::first(WarpSlots::kCapacity);

  bool has(Port port) const { return (ports_ >> static_cast<unsigned>(port) & 1u) != 0; }
  void set(Port port, bool has) {
    const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(port));
    ports_ = static_cast<std::uint8_t>(has ? ports_ | bit : ports_ & ~bit);
  }
  /// Warps of which an instruction for this port can be taken.
  WarpSlots of(Port port) const { return has(port) ? warps : WarpSlots(); }
  bool for_every_port() const { return ports_ == kEveryPort; }
  /// Of any warp, for any port.
  bool for_all() const { return for_every_port() && warps.full(); }

 private:
  static constexpr std::uint8_t kEveryPort = (1u << kPorts) - 1;
  std::uint8_t ports_ = kEveryPort;
};

}  // namespace warpfork::gpu

// Which loads and atomics under way a split waits for.
#pragma once

#include <span>
#include <vector>

#include "base/types.h"
#include "gpu/in_flight_pool.h"
#include "gpu/instruction_buffers.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Of one core in one cycle, then of another.
class AwaitedLoads {
 public:
  /// Those of the core whose answers are not back are looked at from now on.
  void look_at(const InFlightPool& in_flight);

  /// The PCs of those that the entry's split, which is held back by memory, waits for: that write a register of its
  /// next instruction, or are atomics of its warp. Where some do so for its own lanes, these alone. As long as nobody
  /// asks again.
  std::span<const Pc> of(const InstructionBufferEntry& waiting, const simt::Program& program);

 private:
  std::vector<const InFlight*> loads_;
  std::vector<Pc> of_lanes_, of_warp_;
};

}  // namespace warpfork::gpu

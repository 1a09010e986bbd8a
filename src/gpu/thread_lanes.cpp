#include "gpu/thread_lanes.h"

#include <algorithm>

#include "divergence/registry.h"

namespace warpfork::gpu {

simt::LanePermutation lane_permutation(const MachineSpec& machine) {
  const simt::LanePermutation named = simt::find_lane_permutation(machine.divergence.lane_permutation);
  return find_divergence_mechanism(machine.divergence.mechanism).regroups ? named : simt::LanePermutation::Identity;
}

unsigned used_lanes(const MachineSpec& machine, unsigned threads) {
  const bool lie_together = lane_permutation(machine) == simt::LanePermutation::Identity;
  return lie_together ? std::min(machine.core.warp_size, threads) : machine.core.warp_size;
}

}  // namespace warpfork::gpu

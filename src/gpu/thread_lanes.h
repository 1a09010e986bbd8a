// Which lanes the threads of a machine's warps have.
#pragma once

#include "gpu/machine_spec.h"
#include "simt/lane_permutation.h"

namespace warpfork::gpu {

/// Only where threads are regrouped does it matter, so that others have the lanes of their numbers.
/// Throws Error if the machine names a permutation that there is not.
simt::LanePermutation lane_permutation(const MachineSpec& machine);

/// The lowest lanes of a warp in which there may be any of so many threads, if these are fewer than it has.
unsigned used_lanes(const MachineSpec& machine, unsigned threads);

}  // namespace warpfork::gpu

// Barriers of a cluster, which is always one block (PTX ISA, "barrier.cluster").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Leaves out barrier.cluster.arrive: whoever waits then waits until all threads of the block that have not ended wait,
/// too. A thread that between the two needs what another does behind its wait would never get there; it is told as a
/// deadlock.
void forget_cluster_arrivals(ptx::Function& function);

}  // namespace warpfork::lower

// How a launch is to be run.
#pragma once

#include "base/types.h"

namespace warpfork::gpu {

struct LaunchOptions {
  bool functional_only = false;
  Cycle max_cycles = 0;  // of one launch, 0 = no limit; warp instructions of one block's warps in a functional run
};

}  // namespace warpfork::gpu

// How a launch is to be run.
#pragma once

#include <functional>
#include <string>

#include "base/types.h"

namespace warpfork::gpu {

/// Where a run stands, for people who wait.
struct Progress {
  std::string kernel;
  Cycle cycle = 0;  // 0 in a functional run
  std::uint64_t blocks_done = 0, blocks = 0;
};

struct LaunchOptions {
  bool functional_only = false;
  Cycle max_cycles = 0;  // of one launch, 0 = no limit; warp instructions of one block's warps in a functional run
  std::function<void(const Progress&)> progress;  // called now and then; may be empty
};

}  // namespace warpfork::gpu

// What executing one warp instruction did, for the units of a core that go on from there.
#pragma once

#include <span>

#include "base/active_mask.h"
#include "divergence/divergence_domain.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// What one warp instruction did.
struct Step {
  const simt::Instruction* instruction = nullptr;
  Pc pc = 0;
  WarpId warp = 0;
  ActiveMask active;    // lanes of the split that issued it
  ActiveMask executed;  // of these, those whose guard was true
  ActiveMask exited;    // of these, those that left the program
  unsigned places = 1;  // number of different places at which the lanes go on
  /// Of a compacted split: its lanes by home warp. Until the next execute().
  std::span<const HomeLanes> homes;
  WarpSet changed;  // warps whose runnable splits may be others now
};

}  // namespace warpfork::gpu

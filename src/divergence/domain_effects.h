// What a call of a divergence domain has done to its block: what a mechanism says to the core.
#pragma once

#include <vector>

#include "divergence/compaction.h"
#include "divergence/warp_split.h"

namespace warpfork {

struct DomainEffects {
  WarpSet changed;                      // warps whose runnable() may be others now
  WarpSet formed;                       // places whose warps the compaction unit has formed, the lowest first
  std::vector<Compaction> compactions;  // what was done at branches by a mechanism that regroups threads, in order

  void clear() {
    changed = formed = WarpSet();
    compactions.clear();
  }
};

}  // namespace warpfork

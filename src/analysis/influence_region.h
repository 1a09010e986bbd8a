// What a branch at which threads part decides: the code between it and the place where they meet again (Coutinho et
// al., "Divergence Analysis and Optimizations", 2011, "influence region"; STSIMT section 4.2, step 4).
#pragma once

#include <optional>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"

namespace warpfork::analysis {

/// What the threads run that go one way at the branch, until they come to where all meet.
struct BranchSide {
  BlockId start = 0;  // may be the block where they meet: then `blocks` is empty
  std::vector<BlockId> blocks;
  RegisterSet written, mentioned;
};

struct InfluenceRegion {
  Pc branch = 0;
  std::optional<BlockId> meets;   // nothing if only the exit
  std::vector<BranchSide> sides;  // in the order of the block's successors; leaving the kernel is none
};

/// For each successor of the block what control can come to from there without passing the place where all meet.
std::vector<std::vector<BlockId>> blocks_of_sides(const ControlFlowGraph& graph, const Postdominators& postdominators,
                                                  BlockId block);

/// Of the last instruction of a block.
InfluenceRegion influence_region(const ControlFlowGraph& graph, const Postdominators& postdominators,
                                 const Liveness& liveness, std::size_t registers, BlockId block);

}  // namespace warpfork::analysis

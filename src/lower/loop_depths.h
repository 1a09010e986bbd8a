// How deep the blocks of a function lie in loops.
#pragma once

#include <vector>

#include "analysis/cfg.h"

namespace warpfork::lower {

/// By block, of how many branches back it lies between target and branch: what compilers write keeps a loop's blocks
/// together. Good enough to tell what is cheap from what is dear; nothing may be wrong if it is.
inline std::vector<unsigned> loop_depths(const analysis::ControlFlowGraph& graph) {
  std::vector<int> change(graph.blocks().size() + 1, 0);
  for (analysis::BlockId id = 0; id < graph.blocks().size(); ++id)
    for (const analysis::BlockId successor : graph.blocks()[id].successors)
      if (successor <= id) ++change[successor], --change[id + 1];
  std::vector<unsigned> depths;
  int depth = 0;
  for (analysis::BlockId id = 0; id < graph.blocks().size(); ++id)
    depths.push_back(static_cast<unsigned>(depth += change[id]));
  return depths;
}

}  // namespace warpfork::lower

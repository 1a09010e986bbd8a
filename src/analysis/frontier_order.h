// In which order blocks should run where threads have parted, so that these meet early (Diamos et al. 2011, "SIMD
// re-convergence at thread frontiers").
#pragma once

#include <span>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/postdominators.h"
#include "base/frontier_place.h"

namespace warpfork::analysis {

inline constexpr BlockId kNoBlock = ~BlockId{0};

/// By block. A block's number is above those of the blocks that lead to it, branches back apart, and the blocks of a
/// loop lie together, so that threads that have left it are behind those that have not. Blocks that are not reachable
/// come last. Of loops with several entries the order is some order. Bodies that several calls share come before all
/// that calls them.
///
/// `postdominators`: by block, the immediate one, or kNoBlock where that is the exit.
std::vector<FrontierPlace> frontier_order(std::span<const Block> blocks, std::span<const BlockId> postdominators);
std::vector<FrontierPlace> frontier_order(const ControlFlowGraph& graph, const Postdominators& postdominators);

}  // namespace warpfork::analysis

// What a kernel's ways are where calls of a function share one body.
#pragma once

#include <vector>

#include "analysis/cfg.h"

namespace warpfork::analysis {

/// The graph's blocks with edges as if each call had a body of its own, as all do but in large kernels and recursion:
/// threads that call come back behind the call and nowhere else, so that a branch round the call has its place to meet
/// there. A block that calls goes on there, and what is true of a block of the body is true of it, too (Block::exits,
/// meets …). The body goes on behind its first call, which leads into it by no branch.
std::vector<Block> blocks_with_matched_calls(const ControlFlowGraph& graph);

/// Likewise, but a body's end goes on behind each of its calls: what may follow for threads that are in it, whoever
/// called. Calls that they come to then are matched.
std::vector<Block> blocks_that_follow(const ControlFlowGraph& graph);

/// By block: in how many such bodies threads are there, at most, that call one another. Those of a circle count once.
std::vector<unsigned> call_depths(const ControlFlowGraph& graph);

}  // namespace warpfork::analysis

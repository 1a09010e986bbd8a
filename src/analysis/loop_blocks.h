// The blocks of a loop.
#pragma once

#include <span>
#include <vector>

#include "analysis/cfg.h"

namespace warpfork::analysis {

/// By block: whether control can come from it to one of the `ends`, or it is one, without passing `begin`. `begin` is
/// among them if control can come from there: then it is a loop that the ends' branches close.
std::vector<bool> loop_blocks(std::span<const Block> blocks, BlockId begin, std::vector<BlockId> ends);

}  // namespace warpfork::analysis

// Loops in which threads may wait for what others do, as at a lock.
#pragma once

#include <span>
#include <vector>

#include "analysis/cfg.h"

namespace warpfork::analysis {

/// By block: whether such a loop (some Block::polls) begins there, which is where a branch back of the text leads.
std::vector<bool> begin_polling_loops(std::span<const Block> blocks);

}  // namespace warpfork::analysis

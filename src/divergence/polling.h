// Loops in which threads of a warp may wait for others of it, and how long a mechanism lets them.
#pragma once

#include <span>

#include "base/frontier_place.h"

namespace warpfork {

/// Turns of a split in such a loop, while others of its warp could run, after which it makes way for them.
inline constexpr unsigned kPollingTurns = 1024;

/// Whether such a loop begins at this instruction; `order`: by instruction, as DivergenceDomain::begin_kernel() has it.
inline bool begins_polling(std::span<const FrontierPlace> order, Pc pc) {
  return !order.empty() && order[pc].begins_polling;
}

}  // namespace warpfork

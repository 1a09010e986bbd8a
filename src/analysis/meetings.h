// Where threads of a warp or a block wait for each other.
#pragma once

#include "ptx/module.h"

namespace warpfork::analysis {

/// Whether threads wait there for others: at all barriers, of a block or a warp, but those that they only arrive at.
bool waits_at_barrier(const ptx::Instruction& instruction);

/// Likewise, for all of the thread block: a number of threads that it names may be fewer.
bool waits_for_block(const ptx::Instruction& instruction);

/// Whether the instruction waits for other threads, or names threads that must be there (.sync).
bool is_meeting(const ptx::Instruction& instruction);

}  // namespace warpfork::analysis

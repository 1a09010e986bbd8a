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

/// Whether it tells of other threads of the warp, or depends on which of them execute it.
bool reads_other_lanes(const ptx::Instruction& instruction);

/// Likewise, and names those that must execute it as well.
bool names_threads(const ptx::Instruction& instruction);

/// Whether it reads what others may have written in the meantime: an atomic operation with a result, or a strong load
/// (PTX ISA, "Memory Consistency Model": volatile, relaxed, acquire). Loads that are neither may be taken out of a loop
/// by a compiler: nobody can wait by them.
bool reads_of_others(const ptx::Instruction& instruction);

}  // namespace warpfork::analysis

// Which instructions older GPUs do not have (PTX ISA, "Target ISA Notes" of each).
#pragma once

#include <string_view>

#include "ptx/instruction.h"

namespace warpfork::ptx {

/// Whether the instruction, or a word of it, came with sm_90 or later: what speaks of clusters of blocks, copies by
/// bulk, groups of warps and tensor memory.
bool is_of_sm_90(const Instruction& instruction);

/// What to do about one that is not supported, with a line break before it; empty if it is older.
std::string_view remedy_for_age(const Instruction& instruction);

}  // namespace warpfork::ptx

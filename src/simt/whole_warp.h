// Instructions that all lanes of a warp execute together (PTX ISA, ".aligned" of "mma", "ldmatrix", "movmatrix" …):
// each lane holds a part of every matrix.
#pragma once

#include <string_view>

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// Throws Error unless `lanes` are all 32 of the row, or none: a lane that has gone another way, has exited or has no
/// thread has a part that the others need.
void check_whole_warp(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

/// Throws Error, naming the first place, if the kernel has such instructions, with what this machine has instead of 32
/// threads in the lanes of their numbers, and a remedy.
void refuse_whole_warps(const Program& program, std::string_view machine, std::string_view remedy);

}  // namespace warpfork::simt

// Instructions that all lanes of a warp execute together (PTX ISA, ".aligned" of "mma", "ldmatrix", "movmatrix" …):
// each lane holds a part of every matrix.
#pragma once

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// Throws Error unless `lanes` are all 32 of the row, or none: a lane that has gone another way, has exited or has no
/// thread has a part that the others need.
void check_whole_warp(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

/// Throws Error, naming the first place, if the kernel has such instructions: the machine's warps have so many threads,
/// which are not 32.
void refuse_whole_warps(const Program& program, unsigned warp_size);

}  // namespace warpfork::simt

// Warps of more threads than PTX knows: what a kernel may not say of them (PTX ISA, "vote", "shfl", "%lanemask_eq" …).
#pragma once

#include "simt/program.h"

namespace warpfork::simt {

/// Throws Error, naming the first place, if the kernel names lanes of its warp by the bits of a 32-bit word or by five
/// bits: it has none for the lanes 32 … 63 of warps of so many threads, which are more than 32.
void refuse_lane_words(const Program& program, unsigned warp_size);

}  // namespace warpfork::simt

// A warp of a core's blocks that has run.
#pragma once

#include "gpu/block_slots.h"

namespace warpfork::gpu {

/// All threads of the warp in this slot exit.
inline void end_warp(BlockSlots& blocks, unsigned warp) {
  DivergenceDomain& domain = blocks.block_of(warp).domain();
  domain.advance(domain.runnable(blocks.in_block(warp)).front(), {}, kNoPc);
  blocks.note_end(warp);
}

}  // namespace warpfork::gpu

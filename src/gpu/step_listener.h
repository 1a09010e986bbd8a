// What a timed launch makes known of its blocks, step by step, with their tables in reach.
#pragma once

#include "gpu/in_flight.h"
#include "gpu/resident_block.h"

namespace warpfork::gpu {

/// `block` stands for a place of a core: another block of the grid may start in the same object later.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void block_started(const ResidentBlock& block, Dim3 index, unsigned core, Cycle now) = 0;
  /// The block's domain and barriers are as the step has left them.
  virtual void stepped(const ResidentBlock& block, const Step& step, Cycle now) = 0;
  /// Threads of an instruction of the block's warp enter a temporal lane.
  virtual void entered(const ResidentBlock& block, WarpId warp, const InFlight& record, unsigned lane,
                       ActiveMask threads, Cycle now) {
    (void)block, (void)warp, (void)record, (void)lane, (void)threads, (void)now;
  }
};

}  // namespace warpfork::gpu

// What a core's temporal lanes hold and wait for, counted (STSIMT Table IV).
#pragma once

#include <optional>

#include "gpu/block_slots.h"
#include "gpu/instruction_buffers.h"
#include "gpu/lane_array.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

class LaneCensus {
 public:
  LaneCensus(const LaneArray& lanes, const BlockSlots& blocks, const InstructionBuffers& buffers)
      : lanes_(lanes), blocks_(blocks), buffers_(buffers) {}

  /// A kernel begins.
  void begin_kernel() { counted_.reset(); }

  /// Tells of so many cycles in which nothing changed, of temporal lanes. `passed_over`: warps that could have issued,
  /// but another one was chosen.
  void tell(WarpSlots passed_over, report::Stamp at, Cycle cycles, report::LaunchListener& listener);

 private:
  /// Lanes that hold warps, and of which one can go on.
  struct Counted {
    WarpSlots live, able;  // of which this is said: that are live, and that can go on
    unsigned holding = 0, available = 0;
  };

  const Counted& counted();

  const LaneArray& lanes_;
  const BlockSlots& blocks_;
  const InstructionBuffers& buffers_;
  std::optional<Counted> counted_;
};

}  // namespace warpfork::gpu

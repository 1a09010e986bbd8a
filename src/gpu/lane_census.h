// What a core's temporal lanes hold and wait for, counted (STSIMT Table IV).
#pragma once

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
  void begin_kernel(report::LaunchListener& listener) {
    listener_ = &listener;
    sum_ = {}, changes_ = 0, placed_ = able_ = {}, holding_ = available_ = 0, counted_ = 0;
  }

  /// So many cycles in which nothing changed; they count if a warp has a place. `passed_over`: warps that could have
  /// issued, but another one was chosen.
  void count(WarpSlots passed_over, Cycle cycles) {
    if (changes() != changes_) follow_changes();
    if (holding_ == 0) return;
    sum_.cycles += cycles;
    if (passed_over.any()) count_conflicts(passed_over, cycles);
  }
  /// Tells of what has been counted since the last time.
  void report();

 private:
  /// Another number whenever other warps have a place or can go on.
  std::uint64_t changes() const { return buffers_.changes() + blocks_.placements(); }
  void follow_changes();
  void count_conflicts(WarpSlots passed_over, Cycle cycles);
  void count_lanes();

  const LaneArray& lanes_;
  const BlockSlots& blocks_;
  const InstructionBuffers& buffers_;
  report::LaunchListener* listener_ = nullptr;
  report::LaneCycles sum_;
  std::uint64_t changes_ = 0;             // as of which the following is said:
  WarpSlots placed_, able_;               // of which the following is said: that have a place, and that can go on
  unsigned holding_ = 0, available_ = 0;  // lanes that hold warps, and of which one can go on:
  Cycle counted_ = 0;                     // they are in the sum up to this number of its cycles
};

}  // namespace warpfork::gpu

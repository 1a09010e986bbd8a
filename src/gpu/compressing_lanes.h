// Lanes side by side that skip what no thread executes: basic and swizzled cycle compression (Vaidya et al. 2013, as
// STSIMT section 2 describes it).
#pragma once

#include <vector>

#include "gpu/group_threads.h"
#include "gpu/lane_array.h"
#include "gpu/spatial_lanes.h"

namespace warpfork::gpu {

/// Which threads go through a unit together.
enum class CycleCompression : std::uint8_t {
  Basic,    // neighbours, aligned: groups of which no thread executes are skipped
  Swizzled  // any that execute: crossbars in front of the units and behind them move the others' operands and results
};

/// A warp takes a unit for its class's interval, as in SpatialLanes: in as many steps as there are cycles, or threads
/// if they are fewer, and a power of two. An instruction takes the steps that its threads need, one at least, and its
/// result is there as much earlier. Operands are read, and results written, for the whole warp. The way to memory is
/// that of SpatialLanes.
class CompressingLanes final : public LaneArray {
 public:
  CompressingLanes(const CoreSpec& spec, CycleCompression compression, InFlightPool& pool, WarpEvents& events);

  void begin_kernel(const KernelTables& kernel) override { lanes_.begin_kernel(kernel); }
  void end_kernel() override { lanes_.end_kernel(); }
  void take(InFlightId id, Cycle now) override;
  void cycle(LoadStoreUnit& load_store, Cycle now) override {
    lanes_.cycle(load_store, now);
    room_ = lanes_.room();
  }
  Cycle next_event(Cycle now) const override { return lanes_.next_event(now); }

  bool compacts() const override { return true; }
  /// Of loads and stores the whole warp's.
  unsigned thread_slots(const InFlight& record) const override;

 private:
  /// Of a class of instructions.
  struct Steps {
    ThreadGroups groups;
    unsigned width;  // threads of a step
    unsigned count;  // of a whole warp
  };
  const Steps& steps_of(const InFlight& record) const {
    return steps_[static_cast<unsigned>(record.instruction->timing)];
  }
  unsigned needed(const Steps& steps, ActiveMask threads) const;

  InFlightPool& pool_;
  CycleCompression compression_;
  unsigned warp_size_;
  std::vector<Steps> steps_;  // by timing class
  SpatialLanes lanes_;
};

}  // namespace warpfork::gpu

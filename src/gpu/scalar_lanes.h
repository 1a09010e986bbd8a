// Lanes side by side with a scalar datapath of its own (AMD's GCN; STSIMT section 5.9, "SIMT_SCALAR"): register file,
// arithmetic units, and a broadcast of its values to the lanes.
#pragma once

#include <array>
#include <vector>

#include "gpu/completion_wheel.h"
#include "gpu/core_spec.h"
#include "gpu/lane_array.h"
#include "gpu/spatial_lanes.h"
#include "gpu/warp_events.h"

namespace warpfork::gpu {

/// A scalar instruction goes to a scalar unit, of which each scheduler has one: it takes an instruction a cycle, and
/// neither collectors nor banks nor units of the lanes. Operands are read in the cycle after issue, the unit is entered
/// in the next, and the result is written two cycles after the latency of one thread (that of the class without the
/// cycles for which a whole warp enters). Scalar loads and stores take the lanes' way to memory. What the lanes read
/// of or write to the scalar file costs no bank: it comes over the broadcast.
class ScalarLanes final : public LaneArray {
 public:
  ScalarLanes(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events);

  void begin_kernel(const KernelTables& kernel) override;
  void end_kernel() override {
    vector_.end_kernel();
    wheel_.end_kernel();
  }
  void take(InFlightId id, Cycle now) override;
  void cycle(LoadStoreUnit& load_store, Cycle now) override;
  Cycle next_event(Cycle now) const override;

 private:
  void write_back(Cycle now);
  void note_room();

  InFlightPool& pool_;
  WarpEvents& events_;
  SpatialLanes vector_;
  CompletionWheel wheel_;            // of the scalar units
  bool tells_of_reads_ = false;      // of this kernel
  std::vector<InFlightId> reading_;  // by the scalar units in the cycle after they were taken
};

}  // namespace warpfork::gpu

// Lanes side by side (spatial SIMT): a warp instruction takes the same time whatever its mask.
#pragma once

#include <array>

#include "gpu/completion_wheel.h"
#include "gpu/core_spec.h"
#include "gpu/execution_units.h"
#include "gpu/lane_array.h"
#include "gpu/operand_collector.h"
#include "gpu/warp_events.h"

namespace warpfork::gpu {

/// Three ways for all warps: a stage register, operand collectors, a second stage register and the units of each kind
/// (gtx480.md, "Operand collectors and register file", "Execution units").
class SpatialLanes final : public LaneArray {
 public:
  SpatialLanes(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events);

  void begin_kernel(const KernelTables& kernel) override;
  void end_kernel() override {
    units_.end_kernel();
    wheel_.end_kernel();
  }
  void take(InFlightId id, Cycle now) override;
  void cycle(LoadStoreUnit& load_store, Cycle now) override;
  Cycle next_event(Cycle now) const override;

 private:
  void write_back(InFlightId done, Cycle now);
  void go_on(Cycle now);
  void note_room();

  InFlightPool& pool_;
  WarpEvents& events_;
  bool tells_of_reads_ = false;                  // of this kernel
  std::array<StageRegister, kPorts> issued_;     // between issue and collectors
  std::array<StageRegister, kPorts> collected_;  // between collectors and units
  OperandCollector collector_;
  ExecutionUnits units_;
  CompletionWheel wheel_;
};

}  // namespace warpfork::gpu

// The second half of the issue stage: the chosen instruction is executed functionally and sets out on its way.
#pragma once

#include "gpu/block_slots.h"
#include "gpu/divergence_effects.h"
#include "gpu/in_flight_pool.h"
#include "gpu/instruction_timings.h"
#include "gpu/lane_array.h"
#include "gpu/lane_listener.h"
#include "gpu/outstanding_operations.h"
#include "gpu/register_hazards.h"
#include "gpu/split_buffers.h"
#include "gpu/step_listener.h"
#include "gpu/transaction_generator.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Its registers are reserved, its record goes to the lanes, and what it does to the warps' splits takes effect.
class DispatchStage final : private LaneListener {
 public:
  /// Of the core with this number.
  DispatchStage(const CoreSpec& spec, unsigned core, const InstructionTimings& timings, InFlightPool& pool,
                LaneArray& lanes, BlockSlots& blocks, RegisterHazards& registers, OutstandingOperations& operations,
                SplitBuffers& buffers, DivergenceEffects& effects)
      : core_(core),
        timings_(timings),
        transactions_(spec, core, lanes.lanes() != 0),
        pool_(pool),
        lanes_(lanes),
        blocks_(blocks),
        registers_(registers),
        operations_(operations),
        buffers_(buffers),
        effects_(effects) {}

  /// A kernel begins whose local memory takes so many bytes of each core.
  void begin_kernel(std::uint64_t local_bytes, report::LaunchListener& listener, StepListener* steps = nullptr) {
    transactions_.begin_kernel(local_bytes);
    listener_ = &listener;
    hear_steps(steps);
  }
  /// From now on; null = nobody.
  void hear_steps(StepListener* steps) {
    steps_ = steps;
    lanes_.hear(steps != nullptr || listener_->hears_lanes(core_) ? this : nullptr);
  }
  /// Block `index` of the grid has come to the slot.
  void started(unsigned slot, Dim3 index, Cycle now) {
    listener_->block_started(core_, blocks_.first_warp(slot), blocks_.warps_per_block());
    if (steps_ != nullptr) steps_->block_started(blocks_.block(slot), index, core_, now);
  }

  /// The instruction of the entry's split, which is ready, in this cycle.
  void dispatch(unsigned entry, Cycle now);

 private:
  void entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) override;
  void tell(const Step& step, const InFlight& record, ActiveMask live);
  void fill(InFlight& record, const Step& step, unsigned warp);
  void fill_homes(InFlight& record, std::span<const HomeLanes> homes, unsigned first_warp) const;

  unsigned core_;
  const InstructionTimings& timings_;
  TransactionGenerator transactions_;
  InFlightPool& pool_;
  LaneArray& lanes_;
  BlockSlots& blocks_;
  RegisterHazards& registers_;
  OutstandingOperations& operations_;
  SplitBuffers& buffers_;
  DivergenceEffects& effects_;
  report::LaunchListener* listener_ = nullptr;
  StepListener* steps_ = nullptr;
};

}  // namespace warpfork::gpu

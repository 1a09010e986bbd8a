// The second half of the issue stage: the chosen instruction is executed functionally and sets out on its way.
#pragma once

#include <optional>

#include "gpu/block_slots.h"
#include "gpu/divergence_effects.h"
#include "gpu/in_flight_pool.h"
#include "gpu/instruction_timings.h"
#include "gpu/lane_array.h"
#include "gpu/lane_listener.h"
#include "gpu/outstanding_operations.h"
#include "gpu/register_hazards.h"
#include "gpu/split_buffers.h"
#include "gpu/transaction_generator.h"
#include "report/listener_pair.h"

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
  void begin_kernel(std::uint64_t local_bytes, report::LaunchListener& listener) {
    transactions_.begin_kernel(local_bytes);
    usual_ = &listener;
    hear(nullptr);
  }
  /// The other listener hears of blocks and instructions, too, from now on; null = none.
  void hear(report::LaunchListener* other) {
    if (other != nullptr) with_other_.emplace(*usual_, *other);
    listener_ = other != nullptr ? &*with_other_ : usual_;
    lanes_.hear(listener_->hears_lanes(core_) ? this : nullptr);
  }
  /// Block `index` of the grid has come to the slot.
  void started(unsigned slot, Dim3 index, Cycle now) {
    listener_->block_started(
        {{now, core_, blocks_.first_warp(slot)}, blocks_.warps_per_block(), index, &blocks_.block(slot)});
  }

  /// The instruction of the entry's split, which is ready, in this cycle.
  void dispatch(unsigned entry, Cycle now);

 private:
  void entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) override;
  void tell(const Step& step, const InFlight& record, ActiveMask live, Cycle now);
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
  report::LaunchListener* usual_ = nullptr;
  std::optional<report::ListenerPair> with_other_;
};

}  // namespace warpfork::gpu

// The second half of the issue stage: the chosen instruction is executed functionally and sets out on its way.
#pragma once

#include <optional>

#include "gpu/block_slots.h"
#include "gpu/divergence_effects.h"
#include "gpu/in_flight_pool.h"
#include "gpu/instruction_timings.h"
#include "gpu/issue_tally.h"
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
        is_temporal_(lanes.lanes() != 0),
        compacts_(lanes.compacts()),
        timings_(timings),
        transactions_(spec, core, is_temporal_),
        tally_(core, warp_slots(spec)),
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
    tally_.begin_kernel(listener);
    usual_ = &listener;
    also_tell(nullptr);
    lanes_.count_entries(listener.lane_timeline(core_));
  }
  /// The kernel has ended, is cut off or looked at: tells what has been counted of its instructions before this cycle.
  void report(Cycle now) {
    tally_.tell_all();
    lanes_.settle_entries(now);
  }
  /// The other listener hears of blocks and instructions, too, from now on; null = none.
  void also_tell(report::LaunchListener* other) {
    if (other != nullptr) with_other_.emplace(*usual_, *other);
    listener_ = other != nullptr ? &*with_other_ : usual_;
    lanes_.set_listener(listener_->observes_lanes(core_) ? this : nullptr);
    observes_issues_ = listener_->observes_issues();
  }
  /// As TransactionGenerator's.
  void set_local_place(unsigned warp, unsigned place) { transactions_.set_local_place(warp, place); }
  /// Block `index` of the grid has come to the slot.
  void started(unsigned slot, Dim3 index, Cycle now);

  /// The instruction of the entry's split, which is ready, in this cycle.
  void dispatch(unsigned entry, Cycle now);

 private:
  void entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) override;
  void count(const Step& step, const InFlight& record, const ResidentBlock& block, ActiveMask live);
  void tell_of_branch(const Step& step, unsigned warp);
  void tell(const Step& step, const InFlight& record, const ResidentBlock& block, Cycle now);
  void fill(InFlight& record, const Step& step, unsigned warp);
  void fill_homes(InFlight& record, std::span<const HomeLanes> homes, unsigned first_warp) const;

  unsigned core_;
  bool is_temporal_;  // lanes execute thread by thread
  bool compacts_;     // LaneArray::compacts()
  const InstructionTimings& timings_;
  TransactionGenerator transactions_;
  IssueTally tally_;
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
  bool observes_issues_ = false;  // the listener
};

}  // namespace warpfork::gpu

// Lanes that execute one warp each, over time: temporal SIMT, and spatio-temporal SIMT where a lane is several threads
// wide (STSIMT sections 3.1 to 3.7).
#pragma once

#include <algorithm>
#include <vector>

#include "gpu/core_spec.h"
#include "gpu/group_threads.h"
#include "gpu/group_timings.h"
#include "gpu/lane_array.h"
#include "gpu/register_write_port.h"
#include "gpu/temporal_lane.h"

namespace warpfork::gpu {

/// The warp in slot w lives in lane w mod lanes unless it is placed in another: its registers are there, and no other
/// lane executes it.
///
/// All lanes share what is behind address generation: the load/store unit takes one instruction at a time from a stage
/// register, and shared memory and the special-function units serve the lanes of one cycle one after the other.
class TemporalLanes final : public LaneArray, private RegisterWritePort {
 public:
  /// `locked`: as above; else every lane executes any warp (the ideal of STSIMT section 5.6).
  TemporalLanes(const CoreSpec& spec, unsigned width, bool locked, InFlightPool& pool, WarpEvents& events);

  void begin_kernel(const KernelTables& kernel) override;
  void end_kernel() override;
  void place(unsigned first_warp, std::span<const unsigned> lanes) override;
  void take(InFlightId id, Cycle now) override;
  void cycle(LoadStoreUnit& load_store, Cycle now) override;
  Cycle next_event(Cycle now) const override;
  unsigned lanes() const override { return static_cast<unsigned>(lanes_.size()); }
  unsigned width() const override { return width_; }
  unsigned lanes_of(WarpSlots warps) const override;
  unsigned thread_slots(const InFlight& record) const override {
    return width_ * std::max(groups_.count(record.executed), 1u);
  }
  Cycle held_cycles(unsigned lane) const override { return lanes_[lane].held_cycles(); }
  /// Of groups that it has let pass in streams it does not hear.
  void set_listener(LaneListener* listener) override { listener_ = listener; }
  void count_entries(report::LaneTimeline* timeline) override;
  void settle_entries(Cycle until) override;

 private:
  void write_back(Cycle now);
  unsigned write(const InFlight& record, bool wait) override;
  unsigned lane_for(unsigned warp) const;
  void move(unsigned warp, unsigned lane);
  void end_warp(unsigned warp);
  /// One even if no thread executes.
  std::uint64_t groups_of(const InFlight& record) const {
    return record.executed.none() ? 1 : groups_.of(record.executed);
  }
  BankSet banks_of(const TemporalLane& lane, const InFlight& record, std::uint16_t reg) const;
  LaneInstruction lane_instruction(InFlightId id, const TemporalLane& lane) const;
  void wake_lanes(Cycle now);
  void set_free(unsigned number);
  std::uint64_t awake_lanes() const { return busy_lanes_ & ~sleeping_lanes_; }  // that need a cycle()
  void cycle_lanes(Cycle now);
  bool cycle_lane(unsigned number, Cycle now);
  std::uint64_t end_streams(std::uint64_t lanes, Cycle now);
  void note_sleep(unsigned number, Cycle now);
  void note_room();

  InFlightPool& pool_;
  WarpEvents& events_;
  unsigned width_, shared_latency_;
  ThreadGroups groups_;
  bool locked_;
  GroupTimings timings_;
  std::span<const std::uint16_t> numbers_;  // by ptx::RegisterId: what chooses the bank
  SharedUnits shared_;
  std::vector<TemporalLane> lanes_;
  std::vector<WarpSlots> warps_;                   // by lane
  std::vector<std::uint8_t> lane_of_;              // by warp slot
  std::uint64_t free_lanes_ = 0, busy_lanes_ = 0;  // that can take an instruction; that have something to do
  std::uint64_t sleeping_lanes_ = 0;               // of the busy ones, those that need no cycle() yet
  std::uint64_t waiting_lanes_ = 0;                // of the others, those that wait for the special-function units
  Cycle first_wakes_ = kNever;                     // when the first of them may need one
  Cycle due_ = kNever;                             // the earliest of all lanes
  Cycle cycled_ = 0;                               // the latest cycle
  LaneListener* listener_ = nullptr;
};

}  // namespace warpfork::gpu

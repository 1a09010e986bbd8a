// What takes a core's warp instructions from issue to writeback: the contract of every lane organisation.
#pragma once

#include <span>

#include "base/types.h"
#include "gpu/in_flight_pool.h"
#include "gpu/kernel_tables.h"
#include "gpu/lane_room.h"
#include "gpu/warp_slots.h"

namespace warpfork::report {
class LaneTimeline;
}

namespace warpfork::gpu {

class LaneListener;
class LoadStoreUnit;

/// The lanes of one core with what lies in front of and behind them: stage registers, operand collectors, register
/// banks, arithmetic units, and the front of the load/store unit. It owns what is in flight there and tells WarpEvents
/// of results; the core asks it before it chooses what to issue.
class LaneArray {
 public:
  virtual ~LaneArray() = default;

  /// A kernel begins, with all lanes empty. The tables stay until it has ended.
  virtual void begin_kernel(const KernelTables& kernel) = 0;
  /// It has ended; the next one counts its cycles from 0.
  virtual void end_kernel() = 0;

  /// Warps come to the slots from `first_warp` on, and to these lanes: where registers are freed warp by warp. Without
  /// that the warp of slot w lives in lane w mod lanes.
  virtual void place(unsigned first_warp, std::span<const unsigned> lanes) { (void)first_warp, (void)lanes; }

  /// What can be taken in this cycle.
  const LaneRoom& room() const { return room_; }
  /// A warp's instruction comes from the scheduler; it was free for it.
  virtual void take(InFlightId id, Cycle now) = 0;

  /// One cycle: results are written back, then the stages move. What is taken comes later in the cycle.
  virtual void cycle(LoadStoreUnit& load_store, Cycle now) = 0;

  /// Lanes that each execute an instruction of their own, thread by thread; 0 where all units work on one instruction.
  virtual unsigned lanes() const { return 0; }
  /// Threads that such a lane executes side by side.
  virtual unsigned width() const { return 0; }
  /// How many lanes there are to execute these warps.
  virtual unsigned lanes_of(WarpSlots warps) const { return (void)warps, 0; }
  /// Whether an instruction takes less time where fewer threads execute.
  virtual bool compacts() const { return lanes() != 0; }
  /// Then: places for threads in the cycles that the instruction takes of its lane.
  virtual unsigned thread_slots(const InFlight& record) const { return (void)record, 0; }
  /// Cycles for which groups of threads kept such a lane, since the kernel began.
  virtual Cycle held_cycles(unsigned lane) const { return (void)lane, 0; }
  /// From now on; null = nobody.
  virtual void set_listener(LaneListener* listener) { (void)listener; }
  /// Threads that enter such lanes in this kernel are added to the timeline; null = nobody wants to know.
  virtual void count_entries(report::LaneTimeline* timeline) { (void)timeline; }
  /// Those that entered before this cycle have been.
  virtual void settle_entries(Cycle until) { (void)until; }

  /// Earliest cycle after `now` in which there is something to do; kNever if nothing is in flight.
  virtual Cycle next_event(Cycle now) const = 0;

 protected:
  LaneRoom room_;
};

}  // namespace warpfork::gpu

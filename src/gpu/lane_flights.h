// The instructions of a temporal lane until their last result is written.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/group_stream.h"
#include "gpu/in_flight_pool.h"
#include "gpu/lane_instruction.h"
#include "gpu/warp_events.h"
#include "memory/ring.h"

namespace warpfork::gpu {

/// Numbered in the order in which the lane took them. Dependents may issue so early that each of their groups finds its
/// result; groups that are late (a bank, a conflict in shared memory) make them wait as long, unless they were told.
/// When an instruction is done matters to nobody but a warp that ends, so that others are told of it later.
class LaneFlights {
 public:
  explicit LaneFlights(InFlightPool& pool) : pool_(pool) {}

  /// `to_forward`: cycles from the first group's entry to when dependents may issue. Returns its number.
  std::uint32_t take(const LaneInstruction& instruction, Cycle to_forward);
  const LaneInstruction& instruction(std::uint32_t flight) const { return of(flight).instruction; }
  InFlight& record(std::uint32_t flight) const { return pool_[of(flight).instruction.id]; }

  /// A group enters the arithmetic units in this cycle.
  void entered(const ThreadGroup& group, Cycle now);
  /// Groups will, as a stream says. Returns when dependents could issue before.
  Cycle will_enter(const GroupStream& stream);
  /// They will not, but for the first so many of them.
  void take_back(const GroupStream& stream, unsigned kept);
  /// The instruction has gone on to the load/store unit, which writes its results.
  void leave(std::uint32_t flight);
  /// The warp has issued what may end it, and is told in time when its instructions are done.
  void end_warp(unsigned warp);

  /// Tells of results and of instructions that are done; call it when due() has come, at the latest.
  void write_back(WarpEvents& events, Cycle now);
  Cycle due() const { return due_; }

 private:
  struct Flight {
    LaneInstruction instruction;
    Cycle to_forward = 0;
    Cycle forward = kNever;  // when dependents may issue
    Cycle done = kNever;     // when the last result is written
    bool forwarded = false, left = false;
    bool ends = false;  // its warp may end

    /// When somebody is to be told.
    Cycle due() const { return std::min(forwarded ? kNever : forward, ends ? done : kNever); }
  };

  Flight& of(std::uint32_t flight) { return flights_[flight - first_]; }
  const Flight& of(std::uint32_t flight) const { return flights_[flight - first_]; }
  void forget_left();

  InFlightPool& pool_;
  memory::Ring<Flight> flights_;  // oldest first; those that have left go when they are in front
  std::uint32_t first_ = 0;
  Cycle due_ = kNever;
};

inline void LaneFlights::entered(const ThreadGroup& group, Cycle now) {
  Flight& flight = of(group.flight);
  if (!flight.forwarded) flight.forward = now - group.ordinal * Cycle{group.interval} + flight.to_forward;
  if (group.last) flight.done = now + group.to_result;
  due_ = std::min(due_, flight.due());
}

}  // namespace warpfork::gpu

// One lane of temporal SIMT: it takes a warp instruction and executes it one group of threads after the other
// (STSIMT section 3.1, Figure 2a).
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/group_collector.h"
#include "gpu/group_stream.h"
#include "gpu/lane_entries.h"
#include "gpu/lane_flights.h"
#include "gpu/lane_instruction.h"
#include "gpu/lane_listener.h"
#include "gpu/load_results.h"
#include "gpu/register_banks.h"
#include "gpu/shared_units.h"

namespace warpfork::gpu {

/// Instruction and mask register, operand collector, register banks and one pipeline.
///
/// Timing, of an instruction taken in cycle t: group k goes from the instruction register to the collector in cycle
/// t + 1 + k · interval, its operands are read from the next cycle on, it enters the arithmetic units two cycles after
/// the last read, and its result is written interval + depth + 2 cycles later. The instruction register is free again
/// when the last group has left it and kept its place for `interval` cycles. Results go to the next instruction thread
/// by thread: a dependent instruction may issue so early that each of its groups finds that group's result
/// (written_back), which is when the first result is there if interval is 1.
class TemporalLane {
 public:
  struct Shape {
    unsigned number = 0;
    unsigned width = 1;
    unsigned banks = 8, collector_groups = 4;
    unsigned horizon = 0;  // the longest that a result can be under way
  };

  TemporalLane(const Shape& shape, InFlightPool& pool, SharedUnits& shared);

  const RegisterBanks& banks() const { return banks_; }
  bool can_take(Cycle now) const { return waiting_groups_ == 0 && now >= register_free_; }
  /// `observed`: a listener is told of each group, so that none passes in a stream.
  void take(const LaneInstruction& instruction, Cycle now, bool observed);

  /// Whether the result of a load can begin to go to the banks, a group a cycle, and that it does.
  bool write_load(BankSet first_group, std::uint64_t groups) { return loads_.add(first_group, groups); }

  /// The warp has issued what may end it.
  void end_warp(unsigned warp) { flights_.end_warp(warp); }

  /// Tells of results and of instructions that are done; call it when due() has come, at the latest.
  void write_back(WarpEvents& events, Cycle now) { flights_.write_back(events, now); }
  Cycle due() const { return flights_.due(); }

  /// Whether nothing but streams passes through the lane, and cycle() need not be called before wakes_at().
  bool asleep(Cycle now) const { return now < wakes_at_ && loads_.empty(); }
  Cycle wakes_at() const { return wakes_at_; }
  /// Whether all but the oldest group, which what lanes share has refused in this cycle, has gone as far as it can.
  bool waits(Cycle now) const {
    return loads_.empty() && collector_.all_read() &&
           (waiting_groups_ == 0 ? can_take(now) : !collector_.has_room() && !streams_.any_unsettled(now));
  }
  /// One cycle.
  void cycle(LaneListener* listener, Cycle now);
  /// From this cycle on groups in streams that are not settled, and all that are behind them, go through all their
  /// cycles.
  void end_streams(Cycle now);
  /// Whether cycle() has anything to do.
  bool busy(Cycle now) const {
    return waiting_groups_ != 0 || !collector_.empty() || !loads_.empty() || !can_take(now);
  }

  /// Cycles for which groups keep their place in the instruction register, of all instructions since the kernel began.
  Cycle held_cycles() const { return held_cycles_; }
  void end_kernel();

  /// Threads that enter; those of groups in streams once settle() has been called in a later cycle.
  LaneEntries& entries() { return entries_; }

 private:
  const auto& reads(const ThreadGroup& group) const { return flights_.instruction(group.flight).reads; }
  void enter(ThreadGroup& group, LaneListener* listener, Cycle now);
  bool admitted(ThreadGroup& group, Cycle now);
  void leave(const ThreadGroup& group);
  void sequence(Cycle now);
  void begin_streams(Cycle now);
  bool begin_stream(Cycle now);
  bool find_steps(GroupStream& stream, unsigned present, Cycle now);
  /// The collector has room for its groups that have come and have not entered.
  bool fits(const GroupStream& stream) const { return stream.enters <= stream.sequenced + collector_.room(); }
  bool pass_unhindered(const GroupStream& stream, Cycle now);
  unsigned groups_to_come() const;
  unsigned book(const GroupStream& stream, unsigned present);
  SharedMemoryPorts::Stream to_shared_memory(const GroupStream& stream) const;
  void pass(GroupStream& stream, unsigned present);
  bool comes_behind_unsettled(Cycle now) const;
  void take_back(const GroupStream& stream, unsigned kept, Cycle now);
  void put_back(const GroupStream& stream, unsigned kept, Cycle now);
  void tell(LaneListener* listener, const ThreadGroup& group, Cycle now);
  ActiveMask threads_of(const ThreadGroup& group) const { return threads_of(group.flight, group.number); }
  ActiveMask threads_of(std::uint32_t flight, unsigned number) const {
    return flights_.record(flight).executed & group_threads(number, shape_.width);
  }

  Shape shape_;
  SharedUnits& shared_;
  RegisterBanks banks_;
  LaneFlights flights_;
  std::uint64_t waiting_groups_ = 0;  // of the latest, still in the instruction register
  Cycle register_free_ = 0, units_free_ = 0, next_group_ = 0;
  ThreadGroup next_;          // to come from there, in banks as of group 0
  bool may_stream_ = false;   // groups of that instruction
  GroupCollector collector_;  // without the groups of streams
  GroupStreams streams_;
  Cycle streams_from_ = 0;  // another begins: before, it would come to a word that shared memory cannot give it
  unsigned streams_begun_ = 0;
  Cycle wakes_at_ = 0;
  LoadResults loads_;
  LaneEntries entries_;
  Cycle held_cycles_ = 0;
};

}  // namespace warpfork::gpu

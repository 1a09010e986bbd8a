// One lane of temporal SIMT: it takes a warp instruction and executes it one group of threads after the other
// (STSIMT section 3.1, Figure 2a).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/group_collector.h"
#include "gpu/in_flight_pool.h"
#include "gpu/lane_listener.h"
#include "gpu/register_banks.h"
#include "gpu/shared_memory_ports.h"
#include "gpu/special_function_units.h"
#include "gpu/stage_register.h"
#include "gpu/warp_events.h"
#include "memory/ring.h"

namespace warpfork::gpu {

/// A warp instruction as a lane sees it. A group is `width` neighbouring threads, aligned.
struct LaneInstruction {
  enum class Way : std::uint8_t { Arithmetic, Special, Shared, Memory };
  static constexpr unsigned kMaxReads = simt::Instruction::kMaxSources;

  InFlightId id = kNoInFlight;
  Way way = Way::Arithmetic;
  std::uint64_t groups = 1;  // with a thread that executes, bit g; one even if there is none
  unsigned interval = 1;     // cycles for which a group keeps the arithmetic units
  unsigned depth = 0;        // cycles from there to its result
  unsigned special = 0;      // for which a warp keeps the special-function units
  BankSet writes = 0;        // of group 0, likewise:
  /// Banks that are read; those read twice; three times …: registers of one group in one bank are read in turn.
  std::array<BankSet, kMaxReads> reads{};
};

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
  /// What a core's lanes share.
  struct Shared {
    SharedMemoryPorts banks;
    SpecialFunctionUnits special;
    StageRegister memory;  // between address generation and the load/store unit
    bool refused = false;  // a thread that came to the banks or to the special-function units
  };
  struct Shape {
    unsigned number = 0;
    unsigned width = 1;
    unsigned banks = 8, collector_groups = 4;
    unsigned horizon = 0;  // the longest that a result can be under way
  };

  TemporalLane(const Shape& shape, InFlightPool& pool);

  const RegisterBanks& banks() const { return banks_; }
  bool can_take(Cycle now) const { return waiting_groups_ == 0 && now >= register_free_; }
  void take(const LaneInstruction& instruction);

  /// Whether the result of a load can begin to go to the banks, a group a cycle, and that it does: as many results at
  /// a time as there are banks (STSIMT 3.7: writes of several instructions overlap).
  bool write_load(BankSet first_group, std::uint64_t groups);

  /// Tells of results and of instructions that are done; call it when due() has come.
  void write_back(WarpEvents& events, Cycle now);
  Cycle due() const { return due_; }

  /// Whether nothing but groups of one instruction, each a cycle behind the one before, passes through the lane, and
  /// cycle() need not be called for anyone but a listener.
  bool in_burst(Cycle now) const { return now < burst_until_ && loads_.empty(); }
  Cycle burst_until() const { return burst_until_; }
  /// One cycle.
  void cycle(Shared& shared, LaneListener* listener, Cycle now);
  /// Whether cycle() has anything to do.
  bool busy(Cycle now) const {
    return waiting_groups_ != 0 || !collector_.empty() || !loads_.empty() || !can_take(now);
  }

  /// Cycles for which groups keep their place in the instruction register, of all instructions since the kernel began.
  Cycle held_cycles() const { return held_cycles_; }
  void end_kernel();

 private:
  struct Flight {
    LaneInstruction instruction;
    Cycle to_forward = 0;    // from the first group's entry to when dependents may issue
    Cycle forward = kNever;  // when that is
    Cycle done = kNever;     // when the last result is written
    bool forwarded = false, left = false;
  };
  /// A load's result on its way to the banks.
  struct LoadResult {
    BankSet banks = 0;         // of group 0
    std::uint64_t groups = 0;  // still to be written
  };

  Flight& flight(const ThreadGroup& group) { return flights_[group.flight - first_flight_]; }
  const auto& reads(const ThreadGroup& group) { return flight(group).instruction.reads; }
  void write_loads(Cycle now);
  void enter(ThreadGroup& group, Shared& shared, LaneListener* listener, Cycle now);
  bool admitted(ThreadGroup& group, Shared& shared, Cycle now);
  void leave(const ThreadGroup& group, Shared& shared);
  static bool served(ThreadGroup& group, const Flight& of, const InFlight& record, Shared& shared, Cycle now);
  void start(const ThreadGroup& group, Cycle now);
  void sequence(Cycle now);
  void begin_burst(Cycle from);
  unsigned cycles_in_step(Cycle from);
  void end_burst(Cycle now);
  void tell(LaneListener& listener, const ThreadGroup& group, Cycle now);
  ActiveMask threads_of(const ThreadGroup& group, const InFlight& record) const;
  void forget_left();

  Shape shape_;
  InFlightPool& pool_;
  RegisterBanks banks_;
  memory::Ring<Flight> flights_;  // oldest first; those that have left go when they are in front
  std::uint32_t first_flight_ = 0;
  std::uint64_t waiting_groups_ = 0;  // of the latest, still in the instruction register
  Cycle register_free_ = 0, units_free_ = 0, next_group_ = 0;
  ThreadGroup next_;              // to come from there, in banks as of group 0
  bool comes_in_bursts_ = false;  // that instruction
  GroupCollector collector_;
  std::vector<LoadResult> loads_;           // oldest first
  Cycle burst_from_ = 0, burst_until_ = 0;  // until: 0 = there is none
  Cycle due_ = kNever;
  Cycle held_cycles_ = 0;
};

}  // namespace warpfork::gpu

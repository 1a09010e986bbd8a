// The arithmetic units of a core and the result buses they share (gtx480.md, "Execution units").
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gpu/completion_wheel.h"
#include "gpu/operand_collector.h"
#include "gpu/result_bookings.h"
#include "gpu/unit_timing_spec.h"

namespace warpfork::gpu {

/// Pipelined units. An instruction enters when the unit's entry is free, its place at the end of the pipeline is not
/// taken by another one, and a result bus is free at its arrival; it writes back two cycles after its latency has
/// passed (pipeline to writeback register, writeback).
class ExecutionUnits {
 public:
  ExecutionUnits(const ExecutionSpec& spec, InFlightPool& pool);

  /// One cycle: each unit takes the oldest instruction waiting at its port if it can; `wheel` gets their writebacks.
  void cycle(std::span<StageRegister, kPorts> waiting, CompletionWheel& wheel, Cycle now) {
    for (unsigned kind = 0; kind < kKinds; ++kind)
      if (!waiting[kind].empty()) enter(kind, waiting[kind], wheel, now);
  }
  /// A launch ends, all units are empty: the next one counts its cycles from 0.
  void end_kernel();

 private:
  static constexpr unsigned kKinds = 2;  // Port::Sp, Port::Sfu

  void enter(unsigned kind, StageRegister& waiting, CompletionWheel& wheel, Cycle now) {
    for (unsigned unit = first_[kind]; unit != first_[kind + 1]; ++unit) {
      if (entry_free_[unit] > now) continue;
      const InFlightId id = waiting.front();
      const InFlight& record = pool_[id];
      if (!results_.book(unit, now, now + record.latency)) continue;
      entry_free_[unit] = now + record.interval;
      wheel.schedule(pool_, id, now, now + record.latency + kToWriteback);
      waiting.pop();
      if (waiting.empty()) return;
    }
  }

  InFlightPool& pool_;
  std::array<unsigned, kKinds + 1> first_;  // unit of each kind, and behind the last
  std::vector<Cycle> entry_free_;           // of each unit: from when on
  ResultBookings results_;
};

}  // namespace warpfork::gpu

// The arithmetic units of a core and the result buses they share (gtx480.md, "Execution units").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/completion_wheel.h"
#include "gpu/operand_collector.h"
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
  static constexpr unsigned kSlots = CompletionWheel::kSlots;
  static constexpr unsigned kKinds = 2;  // Port::Sp, Port::Sfu
  /// What arrives in a cycle.
  struct Arrival {
    Cycle cycle = 0;
    std::array<std::uint64_t, kKinds> units{};  // at whose pipelines' ends, a bit each
    unsigned results = 0;
  };

  void enter(unsigned kind, StageRegister& waiting, CompletionWheel& wheel, Cycle now) {
    Cycle* const entry_free = entry_free_[kind].data();
    for (unsigned unit = 0, count = static_cast<unsigned>(entry_free_[kind].size()); unit != count; ++unit) {
      if (entry_free[unit] > now) continue;
      const InFlightId id = waiting.front();
      const InFlight& record = pool_[id];
      if (!book(kind, unit, now + record.latency)) continue;
      entry_free[unit] = now + record.interval;
      wheel.schedule(pool_, id, now, now + record.latency + kToWriteback);
      waiting.pop();
      if (waiting.empty()) return;
    }
  }
  /// The end of the unit's pipeline and a result bus in that cycle, if both are free.
  bool book(unsigned kind, unsigned unit, Cycle arrival) {
    Arrival& booked = arrivals_[arrival % kSlots];
    if (booked.cycle != arrival) {
      booked.cycle = arrival;
      booked.units = {};
      booked.results = 0;
    }
    const std::uint64_t bit = std::uint64_t{1} << unit;
    if (booked.results == bus_count_ || (booked.units[kind] & bit) != 0) return false;
    ++booked.results;
    booked.units[kind] |= bit;
    return true;
  }

  InFlightPool& pool_;
  unsigned bus_count_;
  std::array<std::vector<Cycle>, kKinds> entry_free_;  // of each unit: from when on
  std::array<Arrival, kSlots> arrivals_;               // by cycle mod kSlots
};

}  // namespace warpfork::gpu

// The arithmetic units of a core and the result buses they share (gtx480.md, "Execution units").
#pragma once

#include <array>
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
    if (StageRegister& sp = waiting[0]; !sp.empty()) enter({units_.data(), sp_units_}, sp, wheel, now);
    if (StageRegister& sfu = waiting[1]; !sfu.empty())
      enter({units_.data() + sp_units_, units_.size() - sp_units_}, sfu, wheel, now);
  }
  /// A launch ends, all units are empty: the next one counts its cycles from 0.
  void end_kernel();

 private:
  static constexpr unsigned kSlots = CompletionWheel::kSlots;
  struct Unit {
    Cycle entry_free = 0;
    std::array<Cycle, kSlots> arrival{};  // by cycle mod kSlots: the cycle for which the pipeline's end is taken
  };
  struct Buses {
    Cycle cycle = 0;
    unsigned taken = 0;
  };

  void enter(std::span<Unit> units, StageRegister& waiting, CompletionWheel& wheel, Cycle now);
  bool enter(Unit& unit, const InFlight& record, Cycle now);

  InFlightPool& pool_;
  unsigned bus_count_, sp_units_;
  std::vector<Unit> units_;            // for Port::Sp, then those for Port::Sfu
  std::array<Buses, kSlots> buses_{};  // by cycle mod kSlots
};

}  // namespace warpfork::gpu

#include "gpu/execution_units.h"

#include <algorithm>

namespace warpfork::gpu {

ExecutionUnits::ExecutionUnits(const ExecutionSpec& spec, InFlightPool& pool)
    : pool_(pool),
      bus_count_(spec.result_buses),
      sp_units_(spec.sp_units),
      units_(std::size_t{spec.sp_units} + spec.sfu_units) {}

void ExecutionUnits::end_kernel() {
  std::fill(units_.begin(), units_.end(), Unit{});
  buses_.fill({});
}

void ExecutionUnits::enter(std::span<Unit> units, StageRegister& waiting, CompletionWheel& wheel, Cycle now) {
  for (Unit& unit : units) {
    if (unit.entry_free > now) continue;
    const InFlightId id = waiting.front();
    const InFlight& record = pool_[id];
    if (!enter(unit, record, now)) continue;
    wheel.schedule(pool_, id, now, now + record.latency + kToWriteback);
    waiting.pop();
    if (waiting.empty()) return;
  }
}

inline bool ExecutionUnits::enter(Unit& unit, const InFlight& record, Cycle now) {
  const Cycle arrival = now + record.latency;
  Cycle& place = unit.arrival[arrival % kSlots];
  Buses& buses = buses_[arrival % kSlots];
  if (place == arrival) return false;
  if (buses.cycle != arrival) buses = {arrival, 0};
  if (buses.taken == bus_count_) return false;
  ++buses.taken;
  place = arrival;
  unit.entry_free = now + record.interval;
  return true;
}

}  // namespace warpfork::gpu

#include "gpu/execution_units.h"

namespace warpfork::gpu {

ExecutionUnits::ExecutionUnits(const ExecutionSpec& spec, InFlightPool& pool)
    : pool_(pool), bus_count_(spec.result_buses) {
  for (unsigned i = 0; i < spec.sp_units; ++i) units_.push_back({Port::Sp, 0, {}});
  for (unsigned i = 0; i < spec.sfu_units; ++i) units_.push_back({Port::Sfu, 0, {}});
}

void ExecutionUnits::cycle(std::span<StageRegister, kPorts> waiting, CompletionWheel& wheel, Cycle now) {
  for (Unit& unit : units_) {
    StageRegister& port = waiting[static_cast<unsigned>(unit.port)];
    if (!port.empty() && enter(unit, port.front(), wheel, now)) port.pop();
  }
}

void ExecutionUnits::end_kernel() {
  for (Unit& unit : units_) unit = {unit.port, 0, {}};
  buses_.fill({});
}

bool ExecutionUnits::enter(Unit& unit, InFlightId id, CompletionWheel& wheel, Cycle now) {
  const InFlight& record = pool_[id];
  const Cycle arrival = now + record.latency;
  Cycle& place = unit.arrival[arrival % kSlots];
  Buses& buses = buses_[arrival % kSlots];
  if (now < unit.entry_free || place == arrival) return false;
  if (buses.cycle != arrival) buses = {arrival, 0};
  if (buses.taken == bus_count_) return false;
  ++buses.taken;
  place = arrival;
  unit.entry_free = now + record.interval;
  wheel.schedule(pool_, id, now, arrival + kToWriteback);
  return true;
}

}  // namespace warpfork::gpu

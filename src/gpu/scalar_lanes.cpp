#include "gpu/scalar_lanes.h"

#include <algorithm>

namespace warpfork::gpu {

namespace {
constexpr Cycle kToUnits = 2;  // issue → scalar file → unit
}  // namespace

ScalarLanes::ScalarLanes(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events)
    : pool_(pool), events_(events), vector_(spec, pool, events) {}

void ScalarLanes::begin_kernel(const KernelTables& kernel) {
  vector_.begin_kernel(kernel);
  tells_of_reads_ = kernel.program.allocation.has_value();
}

void ScalarLanes::take(InFlightId id, Cycle now) {
  const InFlight& record = pool_[id];
  if (!record.instruction->scalar || record.port == Port::Memory) {
    vector_.take(id, now);
    note_room();
    return;
  }
  const Cycle latency = std::max(1, record.latency - record.interval + 1);
  wheel_.schedule(pool_, id, now, now + kToUnits + latency + kToWriteback);
  if (tells_of_reads_) reading_.push_back(id);
}

void ScalarLanes::write_back(Cycle now) {
  for (InFlightId id = wheel_.take(now); id != kNoInFlight;) {
    const InFlight& record = pool_[id];
    const InFlightId next = record.next;
    events_.completed(record);
    pool_.release(id);
    id = next;
  }
}

void ScalarLanes::cycle(LoadStoreUnit& load_store, Cycle now) {
  write_back(now);
  for (const InFlightId id : reading_) events_.operands_read(pool_[id]);
  reading_.clear();
  vector_.cycle(load_store, now);
  note_room();
}

void ScalarLanes::note_room() { room_ = vector_.room(); }

Cycle ScalarLanes::next_event(Cycle now) const {
  if (!reading_.empty()) return now + 1;
  return std::min(vector_.next_event(now), wheel_.next(now));
}

}  // namespace warpfork::gpu

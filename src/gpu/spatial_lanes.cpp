#include "gpu/spatial_lanes.h"

#include "gpu/load_store_unit.h"

namespace warpfork::gpu {

namespace {

std::array<StageRegister, kPorts> stage_registers(const ExecutionSpec& spec) {
  return {StageRegister(spec.sp_issue_slots), StageRegister(spec.sfu_issue_slots),
          StageRegister(spec.memory_issue_slots)};
}

}  // namespace

SpatialLanes::SpatialLanes(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events)
    : pool_(pool),
      events_(events),
      issued_(stage_registers(spec.execution)),
      collected_(stage_registers(spec.execution)),
      collector_(spec.collector, pool),
      units_(spec.execution, pool) {}

void SpatialLanes::begin_kernel(const KernelTables& kernel) {
  collector_.begin_kernel(kernel.banks);
  tells_of_reads_ = kernel.program.allocation.has_value();
}

void SpatialLanes::take(InFlightId id, Cycle) {
  const Port port = pool_[id].port;
  StageRegister& issued = issued_[static_cast<unsigned>(port)];
  issued.push(id);
  if (!issued.has_room()) room_.set(port, false);
}

void SpatialLanes::write_back(InFlightId done, Cycle now) {
  for (InFlightId id = done; id != kNoInFlight;) {
    InFlight& record = pool_[id];
    const InFlightId next = record.next;
    const unsigned cycles = record.is_written ? 1 : collector_.write(record, false);
    if (cycles == 1) {
      events_.completed(record);
      pool_.release(id);
    } else {
      record.is_written = true;
      wheel_.schedule(pool_, id, now, now + cycles - 1);
    }
    id = next;
  }
}

void SpatialLanes::cycle(LoadStoreUnit& load_store, Cycle now) {
  if (const InFlightId done = wheel_.take(now); done != kNoInFlight) write_back(done, now);
  load_store.write_back(collector_, now);
  collector_.take_in(issued_);
  if (tells_of_reads_) collector_.for_each_read([&](InFlightId id) { events_.operands_read(pool_[id]); });
  if (!room_.for_all()) note_room();  // only take() makes a register full
  load_store.cycle(now);
  StageRegister& memory_port = collected_[static_cast<unsigned>(Port::Memory)];
  if (!memory_port.empty() && load_store.can_accept()) {
    load_store.accept(memory_port.front());
    memory_port.pop();
  }
  go_on(now);
}

/// What has its operands is sent on in the next cycle and enters a unit in the one after that: nothing that happens
/// until then changes who does, so it is done at once.
inline void SpatialLanes::go_on(Cycle now) {
  collector_.send(collected_);
  units_.cycle(collected_, wheel_, now + 2);
}

void SpatialLanes::note_room() {
  for (unsigned port = 0; port < kPorts; ++port) room_.set(static_cast<Port>(port), issued_[port].has_room());
}

Cycle SpatialLanes::next_event(Cycle now) const {
  for (unsigned port = 0; port < kPorts; ++port)
    if (!issued_[port].empty() || !collected_[port].empty()) return now + 1;
  return collector_.idle() ? wheel_.next(now) : now + 1;
}

}  // namespace warpfork::gpu

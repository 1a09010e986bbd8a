#include "gpu/compressing_lanes.h"

#include <algorithm>
#include <bit>

#include "gpu/instruction_timings.h"

namespace warpfork::gpu {

namespace {
unsigned divided_up(unsigned number, unsigned by) { return (number + by - 1) / by; }
}  // namespace

CompressingLanes::CompressingLanes(const CoreSpec& spec, CycleCompression compression, InFlightPool& pool,
                                   WarpEvents& events)
    : pool_(pool), compression_(compression), warp_size_(spec.warp_size), lanes_(spec, pool, events) {
  const InstructionTimings timings(spec.execution, warp_size_);
  for (unsigned i = 0; i < static_cast<unsigned>(simt::TimingClass::kCount); ++i) {
    const unsigned cycles = timings.of(static_cast<simt::TimingClass>(i)).interval;
    const unsigned width = divided_up(warp_size_, std::bit_floor(std::min(cycles, warp_size_)));
    steps_.push_back({ThreadGroups(width), width, divided_up(warp_size_, width)});
  }
}

unsigned CompressingLanes::needed(const Steps& steps, ActiveMask threads) const {
  const unsigned needed =
      compression_ == CycleCompression::Basic ? steps.groups.count(threads) : divided_up(threads.count(), steps.width);
  return std::max(1u, needed);
}

void CompressingLanes::take(InFlightId id, Cycle now) {
  InFlight& record = pool_[id];
  if (record.port != Port::Memory) {
    const Steps& steps = steps_of(record);
    const unsigned cycles = divided_up(record.interval * needed(steps, record.executed), steps.count);
    const int latency = record.latency + static_cast<int>(cycles) - record.interval;
    record.latency = static_cast<std::uint16_t>(std::max(1, latency));
    record.interval = static_cast<std::uint16_t>(cycles);
  }
  lanes_.take(id, now);
  room_ = lanes_.room();
}

unsigned CompressingLanes::thread_slots(const InFlight& record) const {
  if (record.port == Port::Memory) return warp_size_;
  const Steps& steps = steps_of(record);
  return needed(steps, record.executed) * steps.width;
}

}  // namespace warpfork::gpu

#include "gpu/temporal_lanes.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "gpu/load_store_unit.h"
#include "gpu/source_registers.h"

namespace warpfork::gpu {

namespace {

unsigned validated(unsigned width, const CoreSpec& spec) {
  const LaneSpec& lanes = spec.lanes;
  if (width == 0 || spec.warp_size % width != 0)
    throw Error("core.lanes.width is {}; it must divide core.warp_size = {}", width, spec.warp_size);
  if (lanes.alus % width != 0 || lanes.alus / width > 64)
    throw Error("core.lanes.alus is {}; lanes of {} need a multiple of that, for at most 64 lanes", lanes.alus, width);
  return width;
}

std::uint64_t bit(unsigned index) { return std::uint64_t{1} << index; }

}  // namespace

TemporalLanes::TemporalLanes(const CoreSpec& spec, unsigned width, bool locked, InFlightPool& pool, WarpEvents& events)
    : pool_(pool),
      events_(events),
      width_(validated(width, spec)),
      shared_latency_(spec.shared.latency),
      groups_(width_),
      locked_(locked),
      timings_(spec),
      shared_{SharedMemoryPorts(spec.shared.banks),
              SpecialFunctionUnits(spec.execution.warp_threads * spec.execution.sfu_units),
              StageRegister(spec.execution.memory_issue_slots)} {
  const unsigned lanes = shared_.lanes = spec.lanes.alus / width;
  const unsigned horizon = std::max(spec.shared.latency, timings_.longest()) + 2;
  lanes_.reserve(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    lanes_.emplace_back(TemporalLane::Shape{lane, width, spec.lanes.banks, spec.lanes.collector_groups, horizon}, pool,
                        shared_);
  }
  warps_.resize(lanes);
  lane_of_.resize(WarpSlots::kCapacity);
  for (unsigned warp = 0; warp < lane_of_.size(); ++warp) move(warp, warp % lanes);
}

void TemporalLanes::begin_kernel(const KernelTables& kernel) {
  numbers_ = kernel.program.register_numbers;
  free_lanes_ = bit(lanes() - 1) | (bit(lanes() - 1) - 1);
  room_ = {};
}

void TemporalLanes::place(unsigned first_warp, std::span<const unsigned> lanes) {
  for (unsigned i = 0; i < lanes.size(); ++i) move(first_warp + i, lanes[i]);
  if (!locked_) return;
  WarpSlots warps;
  for (std::uint64_t rest = free_lanes_; rest != 0; rest &= rest - 1) warps |= warps_[std::countr_zero(rest)];
  room_.set_warps(warps);
}

void TemporalLanes::move(unsigned warp, unsigned lane) {
  warps_[lane_of_[warp]].erase(warp);
  warps_[lane].insert(warp);
  lane_of_[warp] = static_cast<std::uint8_t>(lane);
}

void TemporalLanes::end_kernel() {
  for (TemporalLane& lane : lanes_) lane.end_kernel();
  shared_.banks.forget();
  shared_.special.forget();
  shared_.first = 0;
  cycled_ = 0;
}

unsigned TemporalLanes::lane_for(unsigned warp) const {
  return locked_ ? lane_of_[warp] : static_cast<unsigned>(std::countr_zero(free_lanes_));
}

void TemporalLanes::take(InFlightId id, Cycle now) {
  const unsigned number = lane_for(pool_[id].warp);
  TemporalLane& lane = lanes_[number];
  lane.take(lane_instruction(id, lane), now, listener_ != nullptr);
  if (pool_[id].instruction->kind == simt::InstructionKind::Exit) end_warp(pool_[id].warp);
  busy_lanes_ |= bit(number);
  waiting_lanes_ &= ~bit(number);
  note_sleep(number, now);
  free_lanes_ &= ~bit(number);
  room_.set_warps(room_.warps() - warps_[number]);
  note_room();
}

void TemporalLanes::end_warp(unsigned warp) {
  for (TemporalLane& lane : lanes_) {
    lane.end_warp(warp);
    due_ = std::min(due_, lane.due());
  }
}

void TemporalLanes::count_entries(report::LaneTimeline* timeline) {
  for (TemporalLane& lane : lanes_) lane.entries().count_in(timeline);
}

void TemporalLanes::settle_entries(Cycle until) {
  for (TemporalLane& lane : lanes_) lane.entries().settle(until);
}

BankSet TemporalLanes::banks_of(const TemporalLane& lane, const InFlight& record, std::uint16_t reg) const {
  return lane.banks().bank(numbers_[reg] + record.warp);
}

LaneInstruction TemporalLanes::lane_instruction(InFlightId id, const TemporalLane& lane) const {
  const InFlight& record = pool_[id];
  const simt::Instruction& instruction = *record.instruction;
  LaneInstruction made{.id = id, .groups = groups_of(record)};
  if (record.space == simt::MemorySpace::Shared) {
    made.way = LaneInstruction::Way::Shared;
    made.depth = instruction.destination_count == 0 ? 0 : std::max(shared_latency_, 2u) - 2;
  } else if (record.port == Port::Memory) {
    made.way = LaneInstruction::Way::Memory;
  } else {
    const GroupTimings::Timing& timing = timings_.of(instruction.timing);
    if (timing.special != 0) made.way = LaneInstruction::Way::Special;
    made.special = timing.special * instruction.steps;
    made.interval = timing.interval * instruction.steps;
    made.depth = timing.depth;
  }
  if (record.executed.none()) return made;
  for_each_source(instruction, numbers_, [&](std::uint16_t source) {
    const BankSet bank = banks_of(lane, record, source);
    unsigned round = 0;
    while ((made.reads[round] & bank) != 0) ++round;
    made.reads[round] |= bank;
  });
  for (unsigned i = 0; i < instruction.destination_count; ++i)
    made.writes |= banks_of(lane, record, instruction.destinations[i]);
  return made;
}

/// A load's data go to its warp's lane one group a cycle. Dependents may issue when they begin to: they follow in the
/// same order.
unsigned TemporalLanes::write(const InFlight& record, bool) {
  TemporalLane& lane = lanes_[lane_of_[record.warp]];
  busy_lanes_ |= bit(lane_of_[record.warp]);
  waiting_lanes_ &= ~bit(lane_of_[record.warp]);
  if (sleeping_lanes_ != 0) first_wakes_ = 0;
  BankSet banks = 0;
  for (unsigned i = 0; i < record.instruction->destination_count; ++i)
    banks |= banks_of(lane, record, record.instruction->destinations[i]);
  return lane.write_load(banks, groups_of(record)) ? 1 : 0;
}

void TemporalLanes::write_back(Cycle now) {
  due_ = kNever;
  for (TemporalLane& lane : lanes_) {
    if (lane.due() <= now) lane.write_back(events_, now);
    due_ = std::min(due_, lane.due());
  }
}

void TemporalLanes::cycle(LoadStoreUnit& load_store, Cycle now) {
  if (due_ <= now) write_back(now);
  load_store.write_back(*this, now);
  if (now >= first_wakes_ || awake_lanes() != 0) cycle_lanes(now);
  load_store.cycle(now);
  if (!shared_.memory.empty() && load_store.can_accept()) {
    load_store.accept(shared_.memory.front());
    shared_.memory.pop();
  }
  note_room();
}

/// Lanes that need a cycle() again, or are free.
void TemporalLanes::wake_lanes(Cycle now) {
  first_wakes_ = kNever;
  for (std::uint64_t rest = sleeping_lanes_; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(rest));
    const TemporalLane& lane = lanes_[number];
    if (lane.asleep(now)) {
      first_wakes_ = std::min(first_wakes_, lane.wakes_at());
      continue;
    }
    sleeping_lanes_ &= ~bit(number);
    if (lane.busy(now)) continue;
    busy_lanes_ &= ~bit(number);
    set_free(number);
  }
}

void TemporalLanes::set_free(unsigned number) {
  free_lanes_ |= bit(number);
  room_.set_warps(room_.warps() | warps_[number]);
}

/// The first that was refused by what they share is the first in the next cycle; if none was, the next one: so the turn
/// goes on while the core sleeps.
void TemporalLanes::cycle_lanes(Cycle now) {
  if (now >= first_wakes_) wake_lanes(now);
  if (const Cycle slept = now - cycled_ - 1; slept != 0)
    shared_.first = static_cast<unsigned>((shared_.first + slept) % lanes_.size());
  cycled_ = now;
  unsigned next = shared_.first + 1 == lanes() ? 0 : shared_.first + 1;
  bool refused = false;
  for (std::uint64_t rest = awake_lanes(); rest != 0;) {
    const std::uint64_t from_first = rest & ~std::uint64_t{0} << shared_.first;
    const auto number = static_cast<unsigned>(std::countr_zero(from_first != 0 ? from_first : rest));
    rest &= ~bit(number);
    const bool is_refused_again = (waiting_lanes_ & bit(number)) != 0 && !shared_.special.has_room(now);
    if (is_refused_again) rest &= ~waiting_lanes_;  // as are all others that wait for the same
    const bool was_refused = is_refused_again || cycle_lane(number, now);
    if (shared_.displaced != 0) rest |= end_streams(std::exchange(shared_.displaced, 0), now);
    if (!was_refused || refused) continue;
    next = number;
    refused = true;
  }
  shared_.first = next;
}

/// These lanes, whose turn in this cycle is to come, have to go through it; whether they are free is said then. Returns
/// them.
std::uint64_t TemporalLanes::end_streams(std::uint64_t lanes, Cycle now) {
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(rest));
    lanes_[number].end_streams(now);
    room_.set_warps(room_.warps() - warps_[number]);
  }
  free_lanes_ &= ~lanes;
  busy_lanes_ |= lanes;
  sleeping_lanes_ &= ~lanes;
  waiting_lanes_ &= ~lanes;
  return lanes;
}

/// True if it was refused.
bool TemporalLanes::cycle_lane(unsigned number, Cycle now) {
  waiting_lanes_ &= ~bit(number);
  TemporalLane& lane = lanes_[number];
  lane.cycle(listener_, now);
  note_sleep(number, now);
  if (lane.can_take(now)) {
    if ((free_lanes_ & bit(number)) == 0) set_free(number);
    if (!lane.busy(now)) busy_lanes_ &= ~bit(number);
  }
  const SharedUnits::Refusal refusal = std::exchange(shared_.refusal, SharedUnits::Refusal::None);
  if (refusal == SharedUnits::Refusal::Special && lane.waits(now)) waiting_lanes_ |= bit(number);
  return refusal != SharedUnits::Refusal::None;
}

void TemporalLanes::note_sleep(unsigned number, Cycle now) {
  const TemporalLane& lane = lanes_[number];
  due_ = std::min(due_, lane.due());
  if (!lane.asleep(now + 1)) return;
  sleeping_lanes_ |= bit(number);
  first_wakes_ = std::min(first_wakes_, lane.wakes_at());
}

void TemporalLanes::note_room() {
  if (!locked_) room_.set_warps(free_lanes_ != 0 ? LaneRoom().warps() : WarpSlots());
  room_.set(Port::Memory, shared_.memory.has_room());
}

unsigned TemporalLanes::lanes_of(WarpSlots warps) const {
  if (!locked_) return std::min(lanes(), warps.count());
  unsigned count = 0;
  for (WarpSlots rest = warps; rest.any(); ++count) rest -= warps_[lane_of_[rest.lowest()]];
  return count;
}

Cycle TemporalLanes::next_event(Cycle now) const {
  if (awake_lanes() != 0 || !shared_.memory.empty()) return now + 1;
  return std::max(std::min(due_, first_wakes_), now + 1);
}

}  // namespace warpfork::gpu

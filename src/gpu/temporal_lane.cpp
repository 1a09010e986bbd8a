#include "gpu/temporal_lane.h"

#include <algorithm>
#include <bit>

namespace warpfork::gpu {

namespace {
constexpr Cycle kReadToUnits = 2, kReadToMemory = 1;  // collector to arithmetic units, to address generation
constexpr Cycle kToWriteback = 2;                     // pipeline end → writeback register → register file
}  // namespace

TemporalLane::TemporalLane(const Shape& shape, InFlightPool& pool)
    : shape_(shape), pool_(pool), banks_(shape.banks, shape.horizon) {
  loads_.reserve(shape.banks);
}

bool TemporalLane::write_load(BankSet first_group, std::uint64_t groups) {
  if (loads_.size() == shape_.banks) return false;
  if (first_group != 0) loads_.push_back({first_group, groups});
  return true;
}

void TemporalLane::write_back(WarpEvents& events, Cycle now) {
  due_ = kNever;
  for (std::uint32_t i = 0; i < flights_.size(); ++i) {
    Flight& flight = flights_[i];
    if (flight.left) continue;
    if (!flight.forwarded && flight.forward <= now) {
      flight.forwarded = true;
      events.written_back(pool_[flight.instruction.id]);
    }
    if (flight.done <= now) {
      flight.left = true;
      events.left_pipeline(pool_[flight.instruction.id].warp);
      pool_.release(flight.instruction.id);
      continue;
    }
    due_ = std::min(due_, flight.forwarded ? flight.done : std::min(flight.forward, flight.done));
  }
  forget_left();
}

void TemporalLane::cycle(Shared& shared, LaneListener* listener, Cycle now) {
  if (!loads_.empty()) write_loads(now);
  if (gathering_ != 0) {
    enter(shared, listener, now);
    read_operands(now);
  }
  if (waiting_groups_ != 0) sequence(now);
}

void TemporalLane::write_loads(Cycle now) {
  for (LoadResult& load : loads_) {
    const auto group = static_cast<unsigned>(std::countr_zero(load.groups));
    if (banks_.book_write(banks_.shifted(load.banks, group), now)) load.groups &= load.groups - 1;
  }
  std::erase_if(loads_, [](const LoadResult& load) { return load.groups == 0; });
}

/// Of each group what the banks can serve, the oldest first.
void TemporalLane::read_operands(Cycle now) {
  BankSet taken = banks_.written(now);
  for (unsigned i = read_; i < gathering_; ++i) {
    Group& group = gathered(i);
    if (group.enters != kNever) continue;
    const BankSet served = group.missing & ~taken;
    taken |= served;
    group.missing &= ~served;
    if (group.missing != 0) continue;
    const LaneInstruction& instruction = flight(group).instruction;
    const BankSet again = ++group.round < LaneInstruction::kMaxReads ? instruction.reads[group.round] : 0;
    if (again == 0)
      group.enters = now + (instruction.way == LaneInstruction::Way::Memory ? kReadToMemory : kReadToUnits);
    else
      group.missing = banks_.shifted(again, group.number);
  }
  while (read_ < gathering_ && gathered(read_).enters != kNever) ++read_;
}

/// The oldest group goes to the arithmetic units or to address generation, if it can.
void TemporalLane::enter(Shared& shared, LaneListener* listener, Cycle now) {
  Group& group = gathered(0);
  if (group.enters > now || now < units_free_) return;
  Flight& of = flight(group);
  const bool is_memory = of.instruction.way == LaneInstruction::Way::Memory;
  const InFlight& record = pool_[of.instruction.id];
  if (is_memory && group.last && !shared.memory.has_room()) return;
  if (group.threads != 0 && !served(group, of, record, shared, now)) return;
  if (!is_memory && of.instruction.writes != 0 &&
      !banks_.book_write(banks_.shifted(of.instruction.writes, group.number),
                         now + of.instruction.interval + of.instruction.depth + kToWriteback))
    return;
  if (listener) listener->entered(record, shape_.number, threads_of(group, record), now);
  if (!is_memory) {
    start(group, of, now);
  } else if (group.last) {
    shared.memory.push(of.instruction.id);
    of.left = true;
  }
  units_free_ = now + of.instruction.interval;
  head_ = (head_ + 1) % kMaxGathering;
  --gathering_;
  --read_;
  if (of.left) forget_left();
}

/// True if all threads of the group have got their word, or have entered a special-function unit.
bool TemporalLane::served(Group& group, const Flight& of, const InFlight& record, Shared& shared, Cycle now) {
  const bool special = of.instruction.way == LaneInstruction::Way::Special;
  for (std::uint64_t rest = group.threads; rest != 0; rest &= rest - 1)
    if (special ? shared.special.serve(of.instruction.special, now)
                : shared.banks.serve(record.transaction[std::countr_zero(rest)].address, now))
      group.threads &= ~(rest & -rest);
  shared.refused |= group.threads != 0;
  return group.threads == 0;
}

/// Later groups that are late (a bank, a conflict in shared memory) make dependents wait as long.
void TemporalLane::start(const Group& group, Flight& of, Cycle now) {
  const LaneInstruction& instruction = of.instruction;
  const Cycle result = now + instruction.interval + instruction.depth + kToWriteback;
  if (!of.forwarded) {
    const Cycle first = result - group.ordinal * Cycle{instruction.interval};  // the first one's, were it as late
    of.forward = first + (instruction.interval - 1) * (static_cast<Cycle>(std::popcount(instruction.groups)) - 1);
    due_ = std::min(due_, of.forward);
  }
  if (group.last) {
    of.done = result;
    due_ = std::min(due_, of.done);
  }
}

/// A group goes from the instruction register to the collector.
void TemporalLane::sequence(Cycle now) {
  if (gathering_ == shape_.collector_groups || now < next_group_) return;
  const std::uint32_t newest = flights_.size() - 1;
  const Flight& of = flights_[newest];
  const auto number = static_cast<unsigned>(std::countr_zero(waiting_groups_));
  waiting_groups_ &= waiting_groups_ - 1;
  Group& group = gathered(gathering_++);
  group = {first_flight_ + newest, static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(ordinal_++), 0,
           waiting_groups_ == 0};
  group.missing = banks_.shifted(of.instruction.reads[0], number);
  if (of.instruction.way == LaneInstruction::Way::Shared || of.instruction.way == LaneInstruction::Way::Special)
    group.threads = threads_of(group, pool_[of.instruction.id]).bits();
  held_cycles_ += of.instruction.interval;
  next_group_ = now + of.instruction.interval;
  if (!group.last) return;
  register_free_ = next_group_ - 1;
  ordinal_ = 0;
}

ActiveMask TemporalLane::threads_of(const Group& group, const InFlight& record) const {
  const std::uint64_t group_lanes = shape_.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << shape_.width) - 1;
  return record.executed & ActiveMask(group_lanes << group.number * shape_.width);
}

void TemporalLane::forget_left() {
  for (; !flights_.empty() && flights_.front().left; ++first_flight_) flights_.pop();
}

void TemporalLane::end_kernel() {
  banks_.forget();
  register_free_ = units_free_ = next_group_ = 0;
  held_cycles_ = 0;
}

}  // namespace warpfork::gpu

#include "gpu/temporal_lane.h"

#include <algorithm>
#include <bit>

namespace warpfork::gpu {

namespace {
constexpr std::uint8_t kReadToUnits = 2, kReadToMemory = 1;  // collector to arithmetic units, to address generation
constexpr unsigned kShortestBurst = 2;                       // of cycles: a shorter one is no less work than they are
}  // namespace

TemporalLane::TemporalLane(const Shape& shape, InFlightPool& pool)
    : shape_(shape), pool_(pool), banks_(shape.banks, shape.horizon), collector_(shape.collector_groups) {
  loads_.reserve(shape.banks);
}

void TemporalLane::take(const LaneInstruction& instruction) {
  using Way = LaneInstruction::Way;
  const bool is_memory = instruction.way == Way::Memory;
  const Cycle behind_first = static_cast<Cycle>(std::popcount(instruction.groups)) - 1;
  const unsigned to_result = instruction.interval + instruction.depth + kToWriteback;
  next_ = {.flight = first_flight_ + flights_.size(),
           .to_enter = is_memory ? kReadToMemory : kReadToUnits,
           .reads_again = instruction.reads[1] != 0,
           .shares = instruction.way == Way::Shared || instruction.way == Way::Special,
           .is_memory = is_memory,
           .missing = instruction.reads[0],
           .writes = is_memory ? 0 : instruction.writes,
           .interval = instruction.interval,
           .to_result = to_result};
  flights_.push({.instruction = instruction, .to_forward = to_result + (instruction.interval - 1) * behind_first});
  comes_in_bursts_ = instruction.interval == 1 && !next_.shares;
  waiting_groups_ = instruction.groups;
  held_cycles_ += (behind_first + 1) * instruction.interval;
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

void TemporalLane::write_loads(Cycle now) {
  for (LoadResult& load : loads_) {
    const auto group = static_cast<unsigned>(std::countr_zero(load.groups));
    if (banks_.book_write(banks_.shifted(load.banks, group), now)) load.groups &= load.groups - 1;
  }
  std::erase_if(loads_, [](const LoadResult& load) { return load.groups == 0; });
}

/// Later groups that are late (a bank, a conflict in shared memory) make dependents wait as long.
inline void TemporalLane::start(const ThreadGroup& group, Cycle now) {
  Flight& of = flight(group);
  if (!of.forwarded) {
    of.forward = now - group.ordinal * Cycle{group.interval} + of.to_forward;
    due_ = std::min(due_, of.forward);
  }
  if (group.last) {
    of.done = now + group.to_result;
    due_ = std::min(due_, of.done);
  }
}

/// The oldest group, which is ready, goes to the arithmetic units or to address generation, if it can.
inline void TemporalLane::enter(ThreadGroup& group, Shared& shared, LaneListener* listener, Cycle now) {
  if (group.shares && !admitted(group, shared, now)) return;
  if (group.writes != 0 && !banks_.book_write(group.writes, now + group.to_result)) return;
  if (listener) tell(*listener, group, now);
  units_free_ = now + group.interval;
  if (!group.is_memory)
    start(group, now);
  else if (group.last)
    leave(group, shared);
  collector_.pop();
}

/// Whether what lanes share is there for the group.
bool TemporalLane::admitted(ThreadGroup& group, Shared& shared, Cycle now) {
  if (group.is_memory) return shared.memory.has_room();
  if (group.threads == 0) return true;
  const Flight& of = flight(group);
  return served(group, of, pool_[of.instruction.id], shared, now);
}

/// With the last group the instruction goes on to the load/store unit.
void TemporalLane::leave(const ThreadGroup& group, Shared& shared) {
  Flight& of = flight(group);
  shared.memory.push(of.instruction.id);
  of.left = true;
  forget_left();
}

void TemporalLane::tell(LaneListener& listener, const ThreadGroup& group, Cycle now) {
  const InFlight& record = pool_[flight(group).instruction.id];
  listener.entered(record, shape_.number, threads_of(group, record), now);
}

/// True if all threads of the group have got their word, or have entered a special-function unit.
bool TemporalLane::served(ThreadGroup& group, const Flight& of, const InFlight& record, Shared& shared, Cycle now) {
  const bool special = of.instruction.way == LaneInstruction::Way::Special;
  for (std::uint64_t rest = group.threads; rest != 0; rest &= rest - 1)
    if (special ? shared.special.serve(of.instruction.special, now)
                : shared.banks.serve(record.transaction[std::countr_zero(rest)].address, now))
      group.threads &= ~(rest & -rest);
  shared.refused |= group.threads != 0;
  return group.threads == 0;
}

/// A group goes from the instruction register to the collector.
inline void TemporalLane::sequence(Cycle now) {
  const auto number = static_cast<unsigned>(std::countr_zero(waiting_groups_));
  waiting_groups_ &= waiting_groups_ - 1;
  ThreadGroup& group = collector_.add(next_);
  group.number = static_cast<std::uint8_t>(number);
  group.missing = banks_.shifted(next_.missing, number);
  group.writes = banks_.shifted(next_.writes, number);
  ++next_.ordinal;
  if (group.shares) group.threads = threads_of(group, pool_[flight(group).instruction.id]).bits();
  next_group_ = now + group.interval;
  if (waiting_groups_ != 0) return;
  group.last = true;
  group.shares |= group.is_memory;
  register_free_ = next_group_ - 1;
}

/// In a burst a group goes to the collector, others read operands, and the oldest enters, cycle by cycle, without the
/// last group of the instruction. What that changes is reckoned at its end, which is when the groups are through or a
/// load brings its result: only the banks that this writes can hold up a group.
void TemporalLane::begin_burst(Cycle from) {
  const unsigned cycles = cycles_in_step(from);
  if (cycles < kShortestBurst) return;
  const ThreadGroup& oldest = collector_.oldest();
  if (!oldest.is_memory && flight(oldest).forward > from) start(oldest, from);  // a result told of is not put off
  burst_from_ = from;
  burst_until_ = from + cycles;
}

/// For how many cycles groups will pass in step if no load comes, of an instruction of which one has just left the
/// register, and which alone is in the collector.
unsigned TemporalLane::cycles_in_step(Cycle from) {
  if (units_free_ > from) return 0;
  const ThreadGroup& oldest = collector_.oldest();
  const auto first = static_cast<unsigned>(std::countr_zero(waiting_groups_));
  const auto reads_of = [this](const ThreadGroup& group) -> auto& { return reads(group); };
  if (oldest.number + collector_.size() != first || !collector_.in_step(banks_, from, reads_of)) return 0;
  auto cycles =
      static_cast<unsigned>(std::min(std::countr_one(waiting_groups_ >> first), std::popcount(waiting_groups_) - 1));
  cycles = banks_.steady_cycles(collector_.missing(), from, cycles, oldest.writes, oldest.to_result);
  return banks_.free_cycles(oldest.writes, from + oldest.to_result, cycles);
}

void TemporalLane::end_burst(Cycle now) {
  const auto cycles = static_cast<unsigned>(now - burst_from_);
  const ThreadGroup& oldest = collector_.oldest();
  const unsigned written = cycles - std::min(cycles, oldest.to_result);  // so many results have been
  if (oldest.writes != 0)
    banks_.book_writes(banks_.shifted(oldest.writes, written), burst_from_ + written + oldest.to_result,
                       cycles - written);
  collector_.advance(cycles, banks_);
  waiting_groups_ &= ~std::uint64_t{0} << std::countr_zero(waiting_groups_) << cycles;
  next_.ordinal = static_cast<std::uint8_t>(next_.ordinal + cycles);
  units_free_ = next_group_ = now;
  burst_until_ = 0;
}

void TemporalLane::cycle(Shared& shared, LaneListener* listener, Cycle now) {
  if (burst_until_ != 0) end_burst(now);
  if (!loads_.empty()) write_loads(now);
  if (!collector_.empty()) {
    if (ThreadGroup& oldest = collector_.oldest(); now >= oldest.enters && now >= units_free_)
      enter(oldest, shared, listener, now);
    collector_.read(
        banks_, now, [&](const ThreadGroup& group) -> auto& { return flight(group).instruction.reads; });
  }
  if (waiting_groups_ == 0 || now < next_group_ || !collector_.has_room()) return;
  sequence(now);
  if (comes_in_bursts_ && waiting_groups_ != 0 && next_.ordinal >= collector_.size() && listener == nullptr)
    begin_burst(now + 1);
}

ActiveMask TemporalLane::threads_of(const ThreadGroup& group, const InFlight& record) const {
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

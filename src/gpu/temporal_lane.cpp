#include "gpu/temporal_lane.h"

#include <algorithm>
#include <bit>

namespace warpfork::gpu {

namespace {
constexpr std::uint8_t kReadToUnits = 2, kReadToMemory = 1;  // collector to arithmetic units, to address generation
constexpr unsigned kShortestStream = 2;                      // of groups to try: for one it is no less work

std::uint64_t first_bits(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

TemporalLane::TemporalLane(const Shape& shape, InFlightPool& pool, SharedUnits& shared)
    : shape_(shape),
      shared_(shared),
      banks_(shape.banks, shape.horizon),
      flights_(pool),
      collector_(shape.collector_groups),
      loads_(shape.banks),
      entries_(shape.number) {}

void TemporalLane::take(const LaneInstruction& instruction, Cycle now, bool observed) {
  using Way = LaneInstruction::Way;
  const bool is_memory = instruction.way == Way::Memory;
  const Cycle behind_first = static_cast<Cycle>(std::popcount(instruction.groups)) - 1;
  const unsigned to_result = instruction.interval + instruction.depth + kToWriteback;
  next_ = {.flight = flights_.take(instruction, to_result + (instruction.interval - 1) * behind_first),
           .to_enter = is_memory ? kReadToMemory : kReadToUnits,
           .reads_again = instruction.reads[1] != 0,
           .shares = instruction.way == Way::Shared || instruction.way == Way::Special,
           .is_memory = is_memory,
           .missing = instruction.reads[0],
           .writes = is_memory ? 0 : instruction.writes,
           .interval = instruction.interval,
           .to_result = to_result};
  streams_from_ = 0;
  may_stream_ = instruction.interval == 1 && instruction.way != Way::Special && !observed;
  waiting_groups_ = instruction.groups;
  held_cycles_ += (behind_first + 1) * instruction.interval;
  if (may_stream_ && collector_.empty()) begin_streams(now);
}

/// The oldest group, which is ready, goes to the arithmetic units or to address generation, if it can.
inline void TemporalLane::enter(ThreadGroup& group, LaneListener* listener, Cycle now) {
  if (group.shares && !admitted(group, now)) return;
  if (group.writes != 0 && !banks_.book_write(group.writes, now + group.to_result)) return;
  if (listener != nullptr || entries_.counts()) tell(listener, group, now);
  units_free_ = now + group.interval;
  if (!group.is_memory)
    flights_.entered(group, now);
  else if (group.last)
    leave(group);
  collector_.pop();
}

/// Whether what lanes share is there for the group.
bool TemporalLane::admitted(ThreadGroup& group, Cycle now) {
  if (group.is_memory) return shared_.memory.has_room();
  if (group.threads != 0)
    shared_.serve(group.threads, flights_.instruction(group.flight), flights_.record(group.flight), shape_.number, now);
  return group.threads == 0;
}

/// With the last group the instruction goes on to the load/store unit.
void TemporalLane::leave(const ThreadGroup& group) {
  shared_.memory.push(flights_.instruction(group.flight).id);
  flights_.leave(group.flight);
}

void TemporalLane::tell(LaneListener* listener, const ThreadGroup& group, Cycle now) {
  entries_.entered(threads_of(group).bits(), now);
  if (listener != nullptr) listener->entered(flights_.record(group.flight), shape_.number, threads_of(group), now);
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
  if (group.shares) group.threads = threads_of(group).bits();
  next_group_ = now + group.interval;
  if (waiting_groups_ != 0) return;
  group.last = true;
  group.shares |= group.is_memory;
  register_free_ = next_group_ - 1;
}

/// Groups go in streams from the next cycle on, in which the next of them leaves the register: those of the collector
/// and neighbours that are to come, and as long as these all do, those behind the next gap.
void TemporalLane::begin_streams(Cycle now) {
  if (groups_to_come() < kShortestStream || (!collector_.empty() && collector_.oldest().flight != next_.flight)) return;
  banks_.forget_past(now);
  streams_.forget_settled(now + 1);
  entries_.settle(now);
  if (next_.shares) shared_.banks.forget_past(now);
  while (waiting_groups_ != 0 && begin_stream(now)) now = next_group_ - 1;
}

/// As far as nothing changes how the groups pass. True if another stream may follow: behind a gap, or where only these
/// groups are held up, or no longer.
bool TemporalLane::begin_stream(Cycle now) {
  const unsigned present = collector_.size(), groups = present + groups_to_come();
  if (groups < present + kShortestStream) return false;
  const auto next = static_cast<unsigned>(std::countr_zero(waiting_groups_));
  GroupStream stream(next_, groups, now + 1 - present, units_free_);
  if (present != 0) {
    const ThreadGroup& oldest = collector_.oldest();
    if (oldest.number + present != next) return false;
    if (oldest.shares && oldest.threads != threads_of(oldest).bits()) return false;  // it has been served
    stream.first.number = oldest.number;
    stream.first.ordinal = oldest.ordinal;
  } else {
    stream.first.number = static_cast<std::uint8_t>(next);
  }
  if (!find_steps(stream, present, now)) return false;
  if (next_.shares) {
    stream.groups = shared_.banks.clear_groups(to_shared_memory(stream), flights_.record(next_.flight));
    if (stream.groups < present + kShortestStream) {
      streams_from_ = stream.enters + stream.groups;
      return false;
    }
  }
  stream.groups = book(stream, present);
  if (stream.groups != 0) pass(stream, present);
  return stream.groups == groups || (present == 0 && stream.groups != 0);
}

/// How the groups read, in steps, and when the first enters. False if they do not do it alike.
bool TemporalLane::find_steps(GroupStream& stream, unsigned present, Cycle now) {
  const auto& reads = flights_.instruction(next_.flight).reads;
  stream.find_steps(banks_, reads, present == 0);
  stream.enters = std::max({now + 1, units_free_, stream.sequenced + stream.steps + next_.to_enter});
  if (present == 0) return fits(stream);
  if (fits(stream) && pass_unhindered(stream, now)) return true;
  if (units_free_ > now + 1) return false;
  const auto reads_of = [&](const ThreadGroup&) -> auto& { return reads; };
  stream.steps = collector_.passes_in_step(banks_, now + 1, reads_of, stream.step);
  stream.enters = now + 1;
  return stream.steps != 0;
}

/// Those of the collector are where they would be if nothing had ever held them up.
bool TemporalLane::pass_unhindered(const GroupStream& stream, Cycle now) {
  const Cycle ready = collector_.oldest().enters;
  return (ready == kNever || std::max({now + 1, units_free_, ready}) == stream.enters) &&
         collector_.passes_unhindered(banks_, std::span(stream.step).first(stream.steps), stream.enters);
}

/// Neighbours that leave the register one after the other, without a last group that goes on to memory.
unsigned TemporalLane::groups_to_come() const {
  const int run = std::countr_one(waiting_groups_ >> std::countr_zero(waiting_groups_));
  const bool has_last = run == std::popcount(waiting_groups_);
  return static_cast<unsigned>(run) - (next_.is_memory && has_last ? 1 : 0);
}

SharedMemoryPorts::Stream TemporalLane::to_shared_memory(const GroupStream& stream) const {
  return {shape_.number, stream.enters, stream.groups, stream.first.number, shape_.width};
}

/// How many of its groups pass like that.
unsigned TemporalLane::book(const GroupStream& stream, unsigned present) {
  using Use = RegisterBanks::Use;
  std::array<RegisterBanks::Access, 1 + 2 * GroupCollector::kMaxGroups> accesses;
  unsigned count = 0;
  if (next_.writes != 0)
    accesses[count++] = {Use::Write, banks_.shifted(next_.writes, stream.first.number), stream.enters + next_.to_result,
                         0};
  for (unsigned step = stream.steps; step-- != 0;) {
    const unsigned skipped = present > step + 1 ? present - 1 - step : 0;  // groups that are beyond this step
    const Cycle from = stream.sequenced + skipped + 1 + step;
    const auto add = [&](Use use, BankSet banks) {
      if (banks != 0) accesses[count++] = {use, banks_.shifted(banks, skipped), from, skipped};
    };
    add(Use::Refused, stream.step[step].refused);
    add(Use::Read, stream.step[step].read);
  }
  return banks_.add_stream(streams_begun_, std::span(accesses).first(count), stream.groups, present + 1);
}

/// As if its groups had gone through all their cycles.
void TemporalLane::pass(GroupStream& stream, unsigned present) {
  const unsigned to_come = stream.groups - present;
  waiting_groups_ &= ~(first_bits(to_come) << std::countr_zero(waiting_groups_));
  collector_.clear();
  next_.ordinal = static_cast<std::uint8_t>(next_.ordinal + to_come);
  next_group_ = stream.sequenced + stream.groups;
  units_free_ = stream.enters + stream.groups;
  stream.has_last = waiting_groups_ == 0;
  if (stream.has_last) register_free_ = next_group_ - 1;
  wakes_at_ = next_group_ - 1;
  stream.forward_before = flights_.will_enter(stream);
  stream.number = streams_begun_++;
  if (next_.shares) shared_.banks.add_tried(stream.number, stream.groups);
  entries_.will_enter(
      stream, [&](unsigned group) { return threads_of(stream.first.flight, stream.first.number + group).bits(); });
  streams_.add(stream);
}

/// Whether a group leaves the register while what comes of groups in streams can change: it must not be before them.
bool TemporalLane::comes_behind_unsettled(Cycle now) const {
  return waiting_groups_ != 0 && now >= next_group_ && streams_.any_unsettled(now);
}

void TemporalLane::end_streams(Cycle now) {
  streams_.forget_settled(now);
  for (unsigned i = streams_.size(); i-- != 0;)
    take_back(streams_[i], i == 0 ? streams_[i].settled_before(now) : 0, now);
  for (unsigned i = 0; i < streams_.size(); ++i)
    put_back(streams_[i], i == 0 ? streams_[i].settled_before(now) : 0, now);
  collector_.count_read();
  banks_.end_reads();
  streams_.clear();
  wakes_at_ = 0;
}

/// What was known of the stream but for so many groups. Those that have not come are in the register again.
void TemporalLane::take_back(const GroupStream& stream, unsigned kept, Cycle now) {
  banks_.end_writes(stream.number, kept);
  units_free_ = kept == 0 ? stream.units_free_before : stream.enters + kept;
  if (const unsigned come = stream.sequenced_before(now); come != stream.groups) {
    waiting_groups_ |= first_bits(stream.groups - come) << (stream.first.number + come);
    next_.ordinal = static_cast<std::uint8_t>(stream.first.ordinal + come);
    next_group_ = stream.sequenced + come;
  }
  flights_.take_back(stream, kept);
  entries_.take_back(stream, kept);
  if (stream.first.shares) shared_.banks.end_stream(shape_.number, stream.number, kept);
}

/// Those that have come are in the collector again.
void TemporalLane::put_back(const GroupStream& stream, unsigned kept, Cycle now) {
  const unsigned come = stream.sequenced_before(now);
  for (unsigned i = kept; i < come; ++i) {
    ThreadGroup& group = collector_.add(stream.first);
    group.number = static_cast<std::uint8_t>(group.number + i);
    group.ordinal = static_cast<std::uint8_t>(group.ordinal + i);
    group.writes = banks_.shifted(group.writes, group.number);
    group.last = stream.has_last && i + 1 == stream.groups;
    if (group.shares) group.threads = threads_of(group).bits();
    if (const Cycle steps = now - 1 - (stream.sequenced + i); steps < stream.steps) {
      group.round = stream.step[steps].round;
      group.missing = banks_.shifted(stream.step[steps].missing, i);
    } else {
      group.enters = stream.sequenced + i + stream.steps + group.to_enter;
    }
  }
}

void TemporalLane::cycle(LaneListener* listener, Cycle now) {
  if (!loads_.empty() && (loads_.write(banks_, now) & banks_.read_by_streams(now)) != 0) end_streams(now);
  if (comes_behind_unsettled(now)) end_streams(now);
  if (!collector_.empty()) {
    if (ThreadGroup& oldest = collector_.oldest(); now >= oldest.enters && now >= units_free_)
      enter(oldest, listener, now);
    collector_.read(
        banks_, now, [&](const ThreadGroup& group) -> auto& { return reads(group); });
  }
  if (waiting_groups_ == 0) return;
  if (now >= next_group_ && collector_.has_room()) sequence(now);
  if (may_stream_ && waiting_groups_ != 0 && next_group_ == now + 1 && now >= streams_from_) begin_streams(now);
}

void TemporalLane::end_kernel() {
  banks_.forget();
  streams_.clear();
  register_free_ = units_free_ = next_group_ = wakes_at_ = 0;
  held_cycles_ = 0;
  entries_.count_in(nullptr);
}

}  // namespace warpfork::gpu

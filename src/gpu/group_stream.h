// Groups of a warp instruction that pass through a temporal lane one cycle behind the other.
#pragma once

#include <algorithm>

#include "base/types.h"
#include "gpu/group_collector.h"
#include "memory/ring.h"

namespace warpfork::gpu {

/// Neighbouring groups, the first one of which comes to the collector in cycle `sequenced`, reads its operands in so
/// many `steps`, a cycle each, and enters in cycle `enters`; each other one does all that a cycle after the one before.
/// Until they have read all their operands a load that writes to the banks can change it, and until they enter another
/// lane that comes to shared memory, if they do; then nothing can: what comes of them is known, and nobody need go
/// through their cycles.
struct GroupStream {
  ThreadGroup first;  // `writes` as of group 0
  unsigned groups = 0;
  Cycle sequenced = 0, enters = 0;
  unsigned steps = 0;
  GroupCollector::ReadSteps step;  // the first of them
  Cycle forward_before = kNever;   // when dependents of the instruction could issue
  Cycle units_free_before = 0;     // of the lane
  unsigned number = 0;             // by which the banks know it
  bool has_last = false;           // of the instruction's groups

  GroupStream() = default;
  GroupStream(const ThreadGroup& first, unsigned groups, Cycle sequenced, Cycle units_free)
      : first(first), groups(groups), sequenced(sequenced), units_free_before(units_free) {}

  /// The cycle from which on nothing can change any of them.
  Cycle settled() const { return groups + (first.shares ? enters : sequenced + steps) - 1; }
  unsigned settled_before(Cycle now) const { return passed(first.shares ? enters : sequenced + steps, now); }
  /// Groups that have come to the collector before this cycle.
  unsigned sequenced_before(Cycle now) const { return passed(sequenced, now); }

  /// Steps in which its first group reads these banks, round by round. `with_refusals`: held up by what the banks do
  /// for older groups, which may hold up all others likewise, as it moves from bank to bank with them.
  template <class Reads>
  void find_steps(const RegisterBanks& banks, const Reads& reads, bool with_refusals) {
    std::uint8_t round = 0;
    BankSet missing = banks.shifted(reads[0], first.number);
    steps = 0;
    do {
      const BankSet refused = with_refusals ? missing & banks.taken(sequenced + 1 + steps) : 0;
      step[steps] = {missing, missing & ~refused, refused, round};
      missing = refused;
      if (refused == 0 && ++round < reads.size()) missing = banks.shifted(reads[round], first.number);
    } while (++steps < step.size() && missing != 0);
  }

 private:
  unsigned passed(Cycle first_at, Cycle now) const {
    return now <= first_at ? 0 : static_cast<unsigned>(std::min<Cycle>(now - first_at, groups));
  }
};

/// The streams of a lane, oldest first.
class GroupStreams {
 public:
  void add(const GroupStream& stream) {
    streams_.push(stream);
    settled_ = std::max(settled_, stream.settled());
  }
  void clear() {
    while (!streams_.empty()) streams_.pop();
    settled_ = 0;
  }
  unsigned size() const { return streams_.size(); }
  const GroupStream& operator[](unsigned index) const { return streams_[index]; }

  bool any_unsettled(Cycle now) const { return settled_ > now; }
  /// Those that are settled before this cycle; but one that is behind others changes with them.
  void forget_settled(Cycle now) {
    while (!streams_.empty() && streams_.front().settled() < now) streams_.pop();
  }

 private:
  memory::Ring<GroupStream> streams_;
  Cycle settled_ = 0;  // the last of them
};

}  // namespace warpfork::gpu

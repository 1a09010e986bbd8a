// Groups of a warp instruction that pass through a temporal lane one cycle behind the other.
#pragma once

#include <algorithm>

#include "base/types.h"
#include "gpu/group_collector.h"

namespace warpfork::gpu {

/// Neighbouring groups, the first one of which comes to the collector in cycle `sequenced`, reads its operands in so
/// many `steps`, a cycle each, and enters in cycle `enters`; each other one does all that a cycle after the one before.
/// Nothing but a load that writes to the banks can change it, and for those that have read all their operands nothing
/// at all: what comes of them is known, and nobody need go through their cycles.
struct GroupStream {
  ThreadGroup first;  // `writes` as of group 0
  unsigned groups;
  Cycle sequenced, enters = 0;
  unsigned steps = 0;
  GroupCollector::ReadSteps step;  // the first of them
  Cycle forward_before = kNever;   // when dependents of the instruction could issue
  Cycle units_free_before;         // of the lane
  unsigned number = 0;             // by which the banks know it
  bool has_last = false;           // of the instruction's groups

  GroupStream(const ThreadGroup& first, unsigned groups, Cycle sequenced, Cycle units_free)
      : first(first), groups(groups), sequenced(sequenced), units_free_before(units_free) {}

  Cycle last_read() const { return sequenced + groups - 1 + steps; }
  /// Groups that have come to the collector before this cycle.
  unsigned sequenced_before(Cycle now) const { return passed(sequenced, now); }
  /// Groups that have read all their operands before this cycle.
  unsigned read_before(Cycle now) const { return passed(sequenced + steps, now); }

 private:
  unsigned passed(Cycle first_at, Cycle now) const {
    return now <= first_at ? 0 : static_cast<unsigned>(std::min<Cycle>(now - first_at, groups));
  }
};

}  // namespace warpfork::gpu

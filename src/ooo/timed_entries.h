// Entries that are each taken until a cycle that is known beforehand: MSHRs, a store buffer.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"

namespace warpfork::ooo {

/// So many entries, or, if that is 0, as many as are asked for.
class TimedEntries {
 public:
  explicit TimedEntries(unsigned entries) : until_(entries) {}

  /// The first cycle from `now` on in which an entry is free.
  Cycle free_at(Cycle now) const { return until_.empty() ? now : std::max(now, *std::ranges::min_element(until_)); }
  /// Takes the entry that is free first.
  void take(Cycle until) {
    if (!until_.empty()) *std::ranges::min_element(until_) = until;
  }

 private:
  std::vector<Cycle> until_;  // by entry: the cycle from which it is free
};

}  // namespace warpfork::ooo

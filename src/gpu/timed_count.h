// A number that changes now and then, and its sum over the cycles.
#pragma once

#include "base/types.h"

namespace warpfork::gpu {

/// Nothing is done in cycles in which the number stays: who comes at cycle s and goes at cycle t adds t - s.
class TimedCount {
 public:
  /// From cycle `now` on there are so many more.
  void add(unsigned more, Cycle now) {
    count_ += more;
    past_ -= more * now;  // modulo 2^64, as count_ * until is
  }
  /// From cycle `now` on there are so many fewer.
  void remove(unsigned fewer, Cycle now) {
    count_ -= fewer;
    past_ += fewer * now;
  }
  unsigned count() const { return count_; }
  /// The sum over the cycles before this one.
  Cycle sum(Cycle until) const { return past_ + count_ * until; }

 private:
  unsigned count_ = 0;
  Cycle past_ = 0;
};

}  // namespace warpfork::gpu

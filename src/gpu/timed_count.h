// A number that changes now and then, and its sum over the cycles.
#pragma once

#include "base/types.h"

namespace warpfork::gpu {

/// Nothing is done in cycles in which the number stays: who comes at cycle s and goes at cycle t adds t - s.
class TimedCount {
 public:
  /// From cycle `now` on there are so many more or, below 0, fewer.
  void add(int more, Cycle now) {
    count_ += static_cast<unsigned>(more);
    past_ -= static_cast<Cycle>(more) * now;  // modulo 2^64, as count_ * until is
  }
  unsigned count() const { return count_; }
  /// The sum over the cycles before this one.
  Cycle sum(Cycle until) const { return past_ + count_ * until; }

 private:
  unsigned count_ = 0;
  Cycle past_ = 0;
};

}  // namespace warpfork::gpu

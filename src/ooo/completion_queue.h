// What has issued and is not done yet, by the cycle in which it will be.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/types.h"
#include "ooo/by_age.h"
#include "ooo/uop_in_flight.h"

namespace warpfork::ooo {

/// Within a cycle the older comes first. Nothing may be pushed for a cycle before the last pop_done().
///
/// A wheel has a place for each of the next cycles; what comes later, misses when memory is busy, waits beside it.
class CompletionQueue {
 public:
  void push(Cycle at, const UopId& uop) {
    next_ = std::min(next_, at);
    if (at - now_ < kNear)
      place(at, uop);
    else
      far_.push({at, uop});
  }
  /// When the next will be done; kNever: nothing has issued.
  Cycle next() const { return next_; }
  /// Calls complete(uop) for each that is done by now.
  template <class Complete>
  void pop_done(Cycle now, Complete&& complete);

 private:
  static constexpr unsigned kNear = 256;  // cycles

  struct Completion {
    Cycle at;
    UopId uop;
    bool operator>(const Completion& other) const { return at > other.at; }
  };
  void place(Cycle at, const UopId& uop);
  Cycle next_near() const;

  std::array<std::vector<UopId>, kNear> near_;     // by cycle, those from now_ on
  std::array<std::uint64_t, kNear / 64> taken_{};  // a bit for each that holds something
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> far_;
  Cycle now_ = 0, next_ = kNever;
  std::vector<UopId> due_;  // scratch of pop_done()
};

inline void CompletionQueue::place(Cycle at, const UopId& uop) {
  std::vector<UopId>& uops = near_[at % kNear];
  uops.push_back(uop);
  place_by_age(uops, 0, uops.size() - 1, uop);
  taken_[at % kNear / 64] |= std::uint64_t{1} << at % 64;
}

inline Cycle CompletionQueue::next_near() const {
  for (Cycle at = now_; at < now_ + kNear + 64; at = (at / 64 + 1) * 64)
    if (const std::uint64_t later = taken_[at % kNear / 64] >> at % 64; later != 0)
      return at + static_cast<Cycle>(std::countr_zero(later));
  return kNever;
}

template <class Complete>
void CompletionQueue::pop_done(Cycle now, Complete&& complete) {
  while (next_ <= now) {
    for (; !far_.empty() && far_.top().at == next_; far_.pop()) place(next_, far_.top().uop);
    std::swap(due_, near_[next_ % kNear]);
    taken_[next_ % kNear / 64] &= ~(std::uint64_t{1} << next_ % 64);
    now_ = next_;
    next_ = std::min(next_near(), far_.empty() ? kNever : far_.top().at);
    for (const UopId& done : due_) complete(done);
    due_.clear();
  }
  now_ = now;
}

}  // namespace warpfork::ooo

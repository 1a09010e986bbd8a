// What has issued and is not done yet, by the cycle in which it will be.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "base/types.h"
#include "ooo/uop_in_flight.h"

namespace warpfork::ooo {

/// Within a cycle the older comes first.
class CompletionQueue {
 public:
  void push(Cycle at, const UopId& uop) { queue_.push({at, uop}); }
  /// When the next will be done; kNever: nothing has issued.
  Cycle next() const { return queue_.empty() ? kNever : queue_.top().at; }
  /// Calls complete(uop) for each that is done by now.
  template <class Complete>
  void pop_done(Cycle now, Complete&& complete) {
    while (next() <= now) {
      const UopId done = queue_.top().uop;
      queue_.pop();
      complete(done);
    }
  }

 private:
  struct Completion {
    Cycle at;
    UopId uop;
    bool operator>(const Completion& other) const {
      return at != other.at ? at > other.at : uop.order > other.uop.order;
    }
  };
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> queue_;
};

}  // namespace warpfork::ooo

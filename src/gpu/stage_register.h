// A short first-in first-out register between two stages of a core.
#pragma once

#include <bit>
#include <vector>

#include "gpu/in_flight.h"

namespace warpfork::gpu {

/// Oldest first. push() needs has_room(), front() and pop() need that it is not empty().
class StageRegister {
 public:
  explicit StageRegister(unsigned room) : room_(room), last_(std::bit_ceil(room) - 1), slots_(last_ + 1) {}
  bool has_room() const { return tail_ - head_ < room_; }
  bool empty() const { return head_ == tail_; }
  void push(InFlightId id) { slots_[tail_++ & last_] = id; }
  InFlightId front() const { return slots_[head_ & last_]; }
  void pop() { ++head_; }

 private:
  unsigned room_, last_;          // index of a slot
  unsigned head_ = 0, tail_ = 0;  // count on and wrap around
  std::vector<InFlightId> slots_;
};

}  // namespace warpfork::gpu

// A short first-in first-out register between two stages of a core.
#pragma once

#include "gpu/in_flight.h"
#include "memory/ring.h"

namespace warpfork::gpu {

/// Oldest first.
class StageRegister {
 public:
  explicit StageRegister(unsigned room) : room_(room) {}
  bool has_room() const { return waiting_.size() < room_; }
  /// For how many more.
  unsigned room() const { return room_ - waiting_.size(); }
  bool empty() const { return waiting_.empty(); }
  void push(InFlightId id) { waiting_.push(id); }
  InFlightId front() const { return waiting_.front(); }
  void pop() { waiting_.pop(); }

 private:
  unsigned room_;
  memory::Ring<InFlightId> waiting_;
};

}  // namespace warpfork::gpu

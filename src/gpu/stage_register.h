// A short first-in first-out register between two stages of a core.
#pragma once

#include <vector>

#include "gpu/in_flight.h"

namespace warpfork::gpu {

/// Oldest first.
class StageRegister {
 public:
  explicit StageRegister(unsigned room) : room_(room) {}
  bool has_room() const { return waiting_.size() < room_; }
  bool empty() const { return waiting_.empty(); }
  void push(InFlightId id) { waiting_.push_back(id); }
  InFlightId front() const { return waiting_.front(); }
  void pop() { waiting_.erase(waiting_.begin()); }

 private:
  unsigned room_;
  std::vector<InFlightId> waiting_;
};

}  // namespace warpfork::gpu

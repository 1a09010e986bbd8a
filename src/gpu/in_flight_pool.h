// All warp instructions in flight in one core, by index; slots are reused.
#pragma once

#include <vector>

#include "gpu/in_flight.h"

namespace warpfork::gpu {

class InFlightPool {
 public:
  InFlightId take() {
    if (free_ == kNoInFlight) {
      records_.emplace_back();
      return static_cast<InFlightId>(records_.size() - 1);
    }
    const InFlightId id = free_;
    free_ = records_[id].next;
    return id;
  }
  void release(InFlightId id) {
    records_[id].next = free_;
    free_ = id;
  }
  InFlight& operator[](InFlightId id) { return records_[id]; }
  const InFlight& operator[](InFlightId id) const { return records_[id]; }
  /// Loads and atomics with transactions whose answers are not back: looks at all records.
  template <class Visit>
  void for_each_awaited(Visit&& visit) const {
    for (const InFlight& record : records_)
      if (record.outstanding != 0) visit(record);
  }
  /// Of all, these transactions.
  unsigned awaited() const {
    unsigned sum = 0;
    for_each_awaited([&](const InFlight& record) { sum += record.outstanding; });
    return sum;
  }

 private:
  std::vector<InFlight> records_;
  InFlightId free_ = kNoInFlight;
};

}  // namespace warpfork::gpu

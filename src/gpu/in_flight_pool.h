// All warp instructions in flight in one core, by index; slots are reused.
#pragma once

#include <numeric>
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
  /// Transactions of loads and atomics whose answer is not back: looks at all records.
  unsigned awaited() const {
    return std::accumulate(records_.begin(), records_.end(), 0u,
                           [](unsigned sum, const InFlight& record) { return sum + record.outstanding; });
  }

 private:
  std::vector<InFlight> records_;
  InFlightId free_ = kNoInFlight;
};

}  // namespace warpfork::gpu

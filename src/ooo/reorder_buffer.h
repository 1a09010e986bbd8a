// The reorder buffer (SIMT-X Table I): the µops of all warps in program order, from rename to commit.
#pragma once

#include <cstdint>
#include <vector>

#include "ooo/numbered_queue.h"
#include "ooo/uop_in_flight.h"

namespace warpfork::ooo {

/// Each warp has a queue. Their entries are one part for all, or an equal part for each. Free µops take none.
class ReorderBuffer {
 public:
  ReorderBuffer(unsigned warps, unsigned entries, unsigned parts)
      : entries_(entries / parts), parts_(parts), used_(parts), queues_(warps) {}

  /// That one warp may have.
  unsigned entries() const { return entries_; }
  /// For one more µop of the warp.
  bool has_room(unsigned warp) const { return used_[part(warp)] < entries_; }
  UopInFlight& push(unsigned warp, std::uint64_t instruction, bool free) {
    NumberedQueue<UopInFlight>& queue = queues_[warp];
    UopInFlight& uop = queue.push_new();
    uop.number = queue.end() - 1;
    uop.order = order_++;
    uop.instruction = instruction;
    uop.warp = static_cast<std::uint8_t>(warp);
    uop.free = free;
    uop.takes_width = !free;
    used_[part(warp)] += !free;
    return uop;
  }

  bool empty(unsigned warp) const { return queues_[warp].empty(); }
  const UopInFlight& oldest(unsigned warp) const { return queues_[warp][queues_[warp].begin()]; }
  UopInFlight& youngest(unsigned warp) { return queues_[warp][queues_[warp].end() - 1]; }
  UopInFlight& at(unsigned warp, std::uint64_t number) { return queues_[warp][number]; }
  /// It has neither been flushed nor committed.
  UopInFlight& at(const UopId& id) { return queues_[id.warp][id.number]; }
  /// Null: it has been flushed. It must not have committed.
  UopInFlight* find(const UopId& id) {
    UopInFlight& uop = queues_[id.warp][id.number];
    return uop.order == id.order ? &uop : nullptr;
  }

  void drop_oldest(unsigned warp) {
    used_[part(warp)] -= !oldest(warp).free;
    queues_[warp].drop_before(queues_[warp].begin() + 1);
  }
  void drop_youngest(unsigned warp) {
    used_[part(warp)] -= !youngest(warp).free;
    youngest(warp).order = UopInFlight::kNobody;
    queues_[warp].drop_from(queues_[warp].end() - 1);
  }

 private:
  unsigned part(unsigned warp) const { return parts_ == 1 ? 0 : warp; }

  unsigned entries_, parts_;                        // of a part; parts
  std::vector<unsigned> used_;                      // entries, by part
  std::vector<NumberedQueue<UopInFlight>> queues_;  // by warp
  std::uint64_t order_ = 0;                         // of the next µop
};

}  // namespace warpfork::ooo

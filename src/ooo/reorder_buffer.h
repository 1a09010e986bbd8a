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
  ReorderBuffer(unsigned warps, unsigned entries, unsigned parts);

  /// For one more µop of the warp.
  bool has_room(unsigned warp) const { return (used_[part(warp)] + 1) * used_.size() <= entries_; }
  UopInFlight& push(unsigned warp, std::uint64_t instruction, bool free);

  bool empty(unsigned warp) const { return queues_[warp].empty(); }
  const UopInFlight& oldest(unsigned warp) const { return queues_[warp][queues_[warp].begin()]; }
  UopInFlight& youngest(unsigned warp) { return queues_[warp][queues_[warp].end() - 1]; }
  UopInFlight& at(unsigned warp, std::uint64_t number) { return queues_[warp][number]; }
  /// Null: it has been flushed. It must not have committed.
  UopInFlight* find(const UopId& id) {
    NumberedQueue<UopInFlight>& queue = queues_[id.warp];
    return id.number < queue.end() && queue[id.number].order == id.order ? &queue[id.number] : nullptr;
  }

  void drop_oldest(unsigned warp);
  void drop_youngest(unsigned warp);

 private:
  unsigned part(unsigned warp) const { return used_.size() == 1 ? 0 : warp; }

  unsigned entries_;
  std::vector<unsigned> used_;                      // entries, by part
  std::vector<NumberedQueue<UopInFlight>> queues_;  // by warp
  std::uint64_t order_ = 0;                         // of the next µop
};

}  // namespace warpfork::ooo

// The load/store queue of the out-of-order core (SIMT-X Table I): which loads wait for which stores.
#pragma once

#include <cstdint>
#include <vector>

#include "ooo/issue_queue.h"
#include "ooo/store_queue.h"

namespace warpfork::ooo {

/// Entries are all warps'; a load waits for stores of its own warp alone.
class LoadStoreQueue {
 public:
  LoadStoreQueue(unsigned entries, Disambiguation disambiguation, ReorderBuffer& buffer, IssueQueue& issue_queue)
      : entries_(entries), disambiguation_(disambiguation), buffer_(buffer), issue_queue_(issue_queue) {}

  /// In the order of the warps' numbers. `addresses`: of what the warp has in flight.
  void add_warp(const AddressQueue& addresses) { warps_.push_back({StoreQueue(addresses, disambiguation_), {}}); }

  bool has_room() const { return used_ < entries_; }
  /// Whether stores must tell when their addresses are known.
  bool waits_for_addresses() const { return disambiguation_ == Disambiguation::Addresses; }
  /// A load or store that is new in the reorder buffer. What a store's address waits for has been said.
  void enter(UopInFlight& uop);
  void address_known(const UopInFlight& store);
  void executed(const UopInFlight& store);
  /// In program order.
  void commit(const UopInFlight& uop);
  /// The youngest of its warp.
  void flush(const UopInFlight& uop);

 private:
  struct Warp {
    StoreQueue stores;
    std::vector<std::uint64_t> waiting;  // loads
  };
  void wake_loads(unsigned warp, std::uint64_t store);

  unsigned entries_, used_ = 0;
  Disambiguation disambiguation_;
  ReorderBuffer& buffer_;
  IssueQueue& issue_queue_;
  std::vector<Warp> warps_;
};

}  // namespace warpfork::ooo

// The stores in flight of one warp: which of them a load must wait for.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/address_queue.h"
#include "ooo/disambiguation.h"
#include "ooo/numbered_queue.h"

namespace warpfork::ooo {

/// Addresses are those of the recording: what a load may not know yet holds it up as the disambiguation says, and never
/// makes it go wrong. A thread's load takes each byte from its own thread's youngest older store to it, once that has
/// executed.
class StoreQueue {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  StoreQueue(const AddressQueue& addresses, Disambiguation disambiguation)
      : addresses_(addresses), disambiguation_(disambiguation) {}

  /// In program order. `uop`: its number in the reorder buffer; `position`: of its access in the address queue.
  void push(std::uint64_t uop, std::uint64_t position, unsigned bytes);
  void address_known(std::uint64_t uop) { find(uop).address_known = true; }
  void executed(std::uint64_t uop) { find(uop).executed = true; }
  /// Whether address_known makes a difference.
  bool waits_for_addresses() const { return disambiguation_ == Disambiguation::Addresses; }
  /// The store for which a load must wait, or kNone; the youngest if there are several. `before`: the load's number, of
  /// one that is not only now renamed.
  std::uint64_t blocking(std::uint64_t position, unsigned bytes, std::uint64_t before = kNone) const;
  void pop_oldest() { count(stores_.begin(), -1), stores_.drop_before(stores_.begin() + 1); }
  void pop_youngest() { count(stores_.end() - 1, -1), stores_.drop_from(stores_.end() - 1); }

 private:
  struct Store {
    std::uint64_t uop = 0, position = 0;
    unsigned bytes = 0;
    bool address_known = false, executed = false;
  };
  static constexpr unsigned kFilter = 1024;  // counters of words: most loads meet no store

  template <class Visit>
  void for_each_address(std::uint64_t position, Visit&& visit) const;
  Store& find(std::uint64_t uop);
  void count(std::uint64_t store, int change);
  std::uint64_t holding_up(LaneMask lanes, std::uint64_t before) const;
  bool maybe(std::uint64_t position, unsigned bytes) const;
  struct Load;
  bool takes(const Store& store, Load& load) const;

  const AddressQueue& addresses_;
  Disambiguation disambiguation_;
  NumberedQueue<Store> stores_;
  std::array<std::uint16_t, kFilter> words_{};
};

}  // namespace warpfork::ooo

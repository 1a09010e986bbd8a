// The stores in flight of one warp: which of them a load must wait for.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/address_queue.h"
#include "ooo/numbered_queue.h"

namespace warpfork::ooo {

/// Addresses are those of the recording, so that a load is never held up, and never goes wrong, for an address that is
/// not known yet. A thread's load takes each byte from its own thread's youngest older store to it, once that has
/// executed.
class StoreQueue {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  explicit StoreQueue(const AddressQueue& addresses) : addresses_(addresses) {}

  /// In program order. `uop`: its number in the reorder buffer; `position`: of its access in the address queue.
  void push(std::uint64_t uop, std::uint64_t position, unsigned bytes);
  void executed(std::uint64_t uop);
  /// The store for which a load must wait, or kNone; the youngest if there are several. `before`: the load's number, of
  /// one that is not only now renamed.
  std::uint64_t blocking(std::uint64_t position, unsigned bytes, std::uint64_t before = kNone) const;
  void pop_oldest() { count(stores_.begin(), -1), stores_.drop_before(stores_.begin() + 1); }
  void pop_youngest() { count(stores_.end() - 1, -1), stores_.drop_from(stores_.end() - 1); }

 private:
  struct Store {
    std::uint64_t uop = 0, position = 0;
    unsigned bytes = 0;
    bool executed = false;
  };
  static constexpr unsigned kFilter = 1024;  // counters of words: most loads meet no store

  template <class Visit>
  void for_each_address(std::uint64_t position, Visit&& visit) const;
  void count(std::uint64_t store, int change);
  bool maybe(std::uint64_t position, unsigned bytes) const;
  struct Load;
  bool takes(const Store& store, Load& load) const;

  const AddressQueue& addresses_;
  NumberedQueue<Store> stores_;
  std::array<std::uint16_t, kFilter> words_{};
};

}  // namespace warpfork::ooo

#include "ooo/store_queue.h"

namespace warpfork::ooo {

namespace {

constexpr std::uint64_t word(std::uint64_t address) { return address >> 3; }
constexpr std::size_t slot(std::uint64_t word, unsigned size) { return (word ^ word >> 10) % size; }

}  // namespace

/// visit(lane, address)
template <class Visit>
void StoreQueue::for_each_address(std::uint64_t position, Visit&& visit) const {
  std::uint64_t at = position;
  for_each_lane(addresses_[position], [&](unsigned lane) { visit(lane, addresses_[++at]); });
}

void StoreQueue::push(std::uint64_t uop, std::uint64_t position, unsigned bytes) {
  stores_.push() = {uop, position, bytes, false};
  count(stores_.end() - 1, 1);
}

void StoreQueue::count(std::uint64_t store, int change) {
  const unsigned bytes = stores_[store].bytes;
  for_each_address(stores_[store].position, [&](unsigned, std::uint64_t address) {
    for (std::uint64_t w = word(address); w <= word(address + bytes - 1); ++w)
      words_[slot(w, kFilter)] = static_cast<std::uint16_t>(words_[slot(w, kFilter)] + change);
  });
}

void StoreQueue::executed(std::uint64_t uop) {
  for (std::uint64_t i = stores_.end(); i-- > stores_.begin();)
    if (stores_[i].uop == uop) {
      stores_[i].executed = true;
      return;
    }
}

bool StoreQueue::maybe(std::uint64_t position, unsigned bytes) const {
  bool found = false;
  for_each_address(position, [&](unsigned, std::uint64_t address) {
    for (std::uint64_t w = word(address); w <= word(address + bytes - 1); ++w) found |= words_[slot(w, kFilter)] != 0;
  });
  return found;
}

bool StoreQueue::overlap(const Store& store, std::uint64_t position, unsigned bytes) const {
  bool found = false;
  for_each_address(position, [&](unsigned lane, std::uint64_t address) {
    for_each_address(store.position, [&](unsigned writer, std::uint64_t written) {
      found |= lane == writer && written < address + bytes && address < written + store.bytes;
    });
  });
  return found;
}

std::uint64_t StoreQueue::blocking(std::uint64_t position, unsigned bytes) const {
  if (stores_.empty() || !maybe(position, bytes)) return kNone;
  for (std::uint64_t i = stores_.end(); i-- > stores_.begin();)
    if (overlap(stores_[i], position, bytes)) return stores_[i].executed ? kNone : stores_[i].uop;
  return kNone;
}

}  // namespace warpfork::ooo

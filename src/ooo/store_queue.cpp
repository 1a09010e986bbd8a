#include "ooo/store_queue.h"

namespace warpfork::ooo {

namespace {

constexpr std::uint64_t word(std::uint64_t address) { return address >> 3; }
constexpr std::uint64_t first_bytes(unsigned count) { return (std::uint64_t{1} << count) - 1; }  // of up to 32
constexpr std::size_t slot(std::uint64_t word, unsigned size) { return (word ^ word >> 10) % size; }

}  // namespace

/// visit(lane, address)
template <class Visit>
void StoreQueue::for_each_address(std::uint64_t position, Visit&& visit) const {
  std::uint64_t at = position;
  for_each_lane(addresses_[position], [&](unsigned lane) { visit(lane, addresses_[++at]); });
}

void StoreQueue::push(std::uint64_t uop, std::uint64_t position, unsigned bytes) {
  stores_.push() = {uop, position, bytes};
  count(stores_.end() - 1, 1);
}

void StoreQueue::count(std::uint64_t store, int change) {
  const unsigned bytes = stores_[store].bytes;
  for_each_address(stores_[store].position, [&](unsigned, std::uint64_t address) {
    for (std::uint64_t w = word(address); w <= word(address + bytes - 1); ++w)
      words_[slot(w, kFilter)] = static_cast<std::uint16_t>(words_[slot(w, kFilter)] + change);
  });
}

StoreQueue::Store& StoreQueue::find(std::uint64_t uop) {
  std::uint64_t at = stores_.end() - 1;
  while (stores_[at].uop != uop) --at;
  return stores_[at];
}

bool StoreQueue::maybe(std::uint64_t position, unsigned bytes) const {
  bool found = false;
  for_each_address(position, [&](unsigned, std::uint64_t address) {
    for (std::uint64_t w = word(address); w <= word(address + bytes - 1); ++w) found |= words_[slot(w, kFilter)] != 0;
  });
  return found;
}

/// What a load still looks for.
struct StoreQueue::Load {
  std::array<std::uint64_t, kMaxLanes> addresses;  // by lane
  std::array<std::uint32_t, kMaxLanes> bytes{};    // by lane: a bit each
};

/// Whether the load finds bytes in the store; it looks for them no more.
bool StoreQueue::takes(const Store& store, Load& load) const {
  bool found = false;
  for_each_address(store.position, [&](unsigned lane, std::uint64_t written) {
    const std::uint64_t wanted = load.addresses[lane], bits = first_bytes(store.bytes);
    if (load.bytes[lane] == 0 || written >= wanted + 32 || wanted >= written + store.bytes) return;
    const auto held =
        static_cast<std::uint32_t>(written >= wanted ? bits << (written - wanted) : bits >> (wanted - written));
    found |= (load.bytes[lane] & held) != 0;
    load.bytes[lane] &= ~held;
  });
  return found;
}

/// The youngest store that those lanes' loads may not go before, whatever its address.
std::uint64_t StoreQueue::holding_up(LaneMask lanes, std::uint64_t before) const {
  for (std::uint64_t i = stores_.end(); i-- > stores_.begin();) {
    const Store& store = stores_[i];
    const bool settled = store.executed || (waits_for_addresses() && store.address_known);
    if (!settled && store.uop < before && (addresses_[store.position] & lanes) != 0) return store.uop;
  }
  return kNone;
}

std::uint64_t StoreQueue::blocking(std::uint64_t position, unsigned bytes, std::uint64_t before) const {
  if (disambiguation_ != Disambiguation::Perfect) {
    const std::uint64_t store = holding_up(addresses_[position], before);
    if (store != kNone) return store;
  }
  if (stores_.empty() || !maybe(position, bytes)) return kNone;
  Load load;
  for_each_address(position, [&](unsigned lane, std::uint64_t address) {
    load.addresses[lane] = address;
    load.bytes[lane] = static_cast<std::uint32_t>(first_bytes(bytes));
  });
  for (std::uint64_t i = stores_.end(); i-- > stores_.begin();)
    if (stores_[i].uop < before && takes(stores_[i], load) && !stores_[i].executed) return stores_[i].uop;
  return kNone;
}

}  // namespace warpfork::ooo

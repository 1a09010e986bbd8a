// Miss status holding registers: the misses under way and who waits for each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpfork::memory {

/// An entry is one outstanding miss; its waiters are tokens, in order of arrival.
class Mshr {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `merges`: waiters an entry can hold, the first one included. `keys`: whose they are, for errors.
  Mshr(unsigned entries, unsigned merges, std::string_view keys = "cache");

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.size() == addresses_.size(); }
  /// A new entry without waiters; needs !full(). `address` is what find() goes by.
  std::uint32_t allocate(std::uint64_t address);
  /// The entry of an address, or kNone. Looks at all entries: for caches with few of them.
  std::uint32_t find(std::uint64_t address) const;
  std::uint64_t address(std::uint32_t entry) const { return addresses_[entry]; }
  bool can_merge(std::uint32_t entry) const { return counts_[entry] < merges_; }
  /// Needs can_merge().
  void merge(std::uint32_t entry, std::uint32_t token) { waiters_[entry * merges_ + counts_[entry]++] = token; }
  std::span<const std::uint32_t> waiters(std::uint32_t entry) const {
    return {&waiters_[entry * merges_], counts_[entry]};
  }
  /// The miss is over: the entry is free again.
  void release(std::uint32_t entry);

 private:
  unsigned merges_;
  std::vector<std::uint64_t> addresses_;
  std::vector<std::uint16_t> counts_;
  std::vector<std::uint32_t> waiters_;
  std::vector<std::uint32_t> free_;
};

}  // namespace warpfork::memory

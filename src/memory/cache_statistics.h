// What a cache counts.
#pragma once

#include <cstdint>

namespace warpfork::memory {

/// accesses = hits + misses + hit_pending; an access that could not be taken counts in reservation_fails only.
struct CacheStatistics {
  std::uint64_t accesses = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t hit_pending = 0;
  std::uint64_t reservation_fails = 0;
  std::uint64_t write_backs = 0;

  CacheStatistics& operator+=(const CacheStatistics& other) {
    accesses += other.accesses;
    hits += other.hits;
    misses += other.misses;
    hit_pending += other.hit_pending;
    reservation_fails += other.reservation_fails;
    write_backs += other.write_backs;
    return *this;
  }
};

}  // namespace warpfork::memory

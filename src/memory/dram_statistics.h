// What a DRAM channel counts.
#pragma once

#include <cstdint>

namespace warpfork::memory {

/// Reads and writes are bursts; row hits are requests that found their row open.
struct DramStatistics {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t row_hits = 0;

  DramStatistics& operator+=(const DramStatistics& other) {
    reads += other.reads;
    writes += other.writes;
    activates += other.activates;
    precharges += other.precharges;
    row_hits += other.row_hits;
    return *this;
  }
};

}  // namespace warpfork::memory

// What the memory side counts.
#pragma once

#include <cstdint>

#include "memory/cache_statistics.h"
#include "memory/dram_statistics.h"

namespace warpfork::memory {

/// Sums over the chip. L2 accesses and outcomes are sectors, DRAM reads and writes bursts. Latencies are core cycles
/// from inject() to the response at the core's port, over all requests that are answered.
struct MemoryStatistics {
  CacheStatistics l2;
  DramStatistics dram;
  std::uint64_t request_flits = 0;
  std::uint64_t reply_flits = 0;
  std::uint64_t responses = 0;
  std::uint64_t latency_sum = 0;
  std::uint64_t latency_max = 0;

  double average_latency() const {
    return responses == 0 ? 0.0 : static_cast<double>(latency_sum) / static_cast<double>(responses);
  }
};

}  // namespace warpfork::memory

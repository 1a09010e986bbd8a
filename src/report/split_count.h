// How many splits warps had, and how many threads ran in them (docs/result-schema.md, "splits").
#pragma once

#include <array>
#include <cstdint>

#include "base/active_mask.h"
#include "report/launch_listener.h"
#include "report/result_document.h"

namespace warpfork::report {

struct SplitCount {
  std::array<std::uint64_t, kMaxWarpSize + 1> warp_cycles{};   // by number of splits of the warp
  std::array<std::uint64_t, kMaxWarpSize + 1> split_cycles{};  // by number of threads of the split
  std::array<std::uint64_t, kMaxWarpSize> thread_cycles{};     // by rank of the thread's split in its warp
  std::uint64_t live_thread_cycles = 0;
  std::uint64_t without_buffer_cycles = 0;  // split-cycles

  void add(const SplitEvent& event);
};

/// Of warps of so many threads, with what follows from the counts: `mean`, `max` and `schedulable`.
Json to_json(const SplitCount& count, unsigned warp_size);
/// Adds the counts of what to_json() wrote.
void add(SplitCount& sum, const Json& count);

}  // namespace warpfork::report
